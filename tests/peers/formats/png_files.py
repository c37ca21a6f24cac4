"""PNG by Pillow 13.0.0: files, whether it takes them, and what it reads in them."""

import numpy
from PIL import Image, PngImagePlugin

SUFFIX = "png"
MODES = ["1", "L", "LA", "P", "RGB", "RGBA", "I;16"]


def make(path, number):
    rng = numpy.random.default_rng(number)
    height, width = rng.integers(1, 40, size=2)
    samples = rng.integers(0, 4, size=(height, width, 4)) * 80
    mode = MODES[number % 7]
    image = Image.fromarray(samples.astype("uint8"), "RGBA")
    if mode == "I;16":
        image = Image.fromarray((samples[..., 0] * 257).astype("uint16"))
    else:
        image = image.convert("RGB").convert(mode) if mode in ("1", "P") else image.convert(mode)
    texts = PngImagePlugin.PngInfo()
    texts.add_text("Title", f"picture {number}")
    texts.add_text("Comment", "a comment of some letters " * 3, zip=number % 2 == 0)
    image.save(path, pnginfo=texts, dpi=(72, 72) if number % 3 == 0 else None)


def tiny(path):
    Image.new("L", (2, 1), 7).save(path)


def read(path):
    with Image.open(path, formats=["PNG"]) as image:
        image.load()
        values = {"header.body.width": image.width, "header.body.height": image.height}
        if "dpi" not in image.info and image.text.get("Title"):
            values["chunks[0].body.text"] = image.text["Title"]
    return values
