"""Arrays that `convert` writes, read by NumPy, python-blosc2, idx2numpy, safetensors and Pillow; and what these write, converted.

Usage: converted.py BINARY
"""

import sys
import tempfile
from pathlib import Path

import blosc2
import idx2numpy
import numpy as np
import readers
from PIL import Image
from safetensors import numpy as tensors
from tool import Disagreement, Tool, expect

TYPES = "?bBhHiIlLefdFD"
IDX = "bBhifd"
TENSORS = "?bBhHiIlLefd"
SHAPES = [(), (7,), (3, 5), (4, 1, 6), (2, 3, 4, 5), (0, 3)]


def arrays():
    """Arrays of every type and shape, in both orders of axes and of bytes; their bits are random, NaN included."""
    random = np.random.default_rng(7)
    for code in TYPES:
        for shape in SHAPES:
            dtype = np.dtype(code)
            count = int(np.prod(shape, dtype=int))
            bits = random.integers(0, 2 if code == "?" else 256, count * dtype.itemsize, dtype="u1")
            array = bits.view(dtype).reshape(shape)
            yield array
            if len(shape) > 1:
                yield np.asfortranarray(array)
            if dtype.itemsize > 1:
                yield array.astype(dtype.newbyteorder(">"))


def same(what, found, expected):
    """The same shape, type but for the order of bytes, and bits."""
    found = np.asarray(found)
    expect(f"shape of {what}", found.shape, expected.shape)
    expect(f"type of {what}", found.dtype.newbyteorder("<"), expected.dtype.newbyteorder("<"))
    little = expected.dtype.newbyteorder("<")
    bits = [array.astype(little, order="C").tobytes() for array in (found, expected)]
    expect(f"items of {what}", bits[0] == bits[1], True)


def rawarray(path):
    return readers.read(path).numpy()


def read(kind, path):
    """What an independent reader finds."""
    match kind:
        case "npy":
            return np.load(path)
        case "npz":
            return np.load(path)["in"]
        case "safetensors":
            return tensors.load_file(path)["in"]
        case "b2nd":
            return blosc2.open(str(path))[()]
        case "idx":
            return idx2numpy.convert_from_file(str(path))
        case "ra":
            return rawarray(path)


def is_held(kind, array):
    match kind:
        case "idx":
            return array.dtype.char in IDX and array.ndim > 0
        case "safetensors":
            return array.dtype.char in TENSORS
        case _:
            return True


def check_written(tool, array, folder):
    """Every kind, out of `.npy`, and `.npy` out of that again."""
    source = folder / "in.npy"
    np.save(source, array)
    for kind in ["npy", "npz", "safetensors", "b2nd", "idx", "ra"]:
        out = folder / f"out.{kind}"
        status, _, message = tool.run("convert", "--force", source, out)
        what = f"{array.dtype.str}{array.shape} as {kind}"
        if not is_held(kind, array):
            if status == 0 or "cannot hold" not in message:
                raise Disagreement(f"{what} is not refused: {status} {message}")
            continue
        if status != 0:
            raise Disagreement(f"{what}: {message}")
        same(what, read(kind, out), array)
        named = {"npz": "!in.npy", "safetensors": "!in"}.get(kind, "")
        tool.bytes("convert", "--force", f"{out}{named}", folder / "back.npy")
        same(f"{what} and back", np.load(folder / "back.npy"), array)


def check_read(tool, folder):
    """Files of others."""
    random = np.random.default_rng(8)
    many = {name: random.normal(size=(5, 3)).astype(code) for name, code in [("a.b", "f4"), ("ü", "f8"), ("c", "f2")]}
    tensors.save_file(many, folder / "many.safetensors", metadata={"by": "a peer"})
    np.savez_compressed(folder / "many.npz", **many)
    tool.bytes("convert", "--compress", folder / "many.safetensors", folder / "all.npz")
    for name, array in many.items():
        same(name, np.load(folder / "all.npz")[name], array)
        for address in [f"many.safetensors!{name}", f"many.npz!{name}.npy"]:
            tool.bytes("convert", "--force", folder / address, folder / "one.b2nd")
            same(address, blosc2.open(str(folder / "one.b2nd"))[()], array)
    pictures = folder / "pictures"
    pictures.mkdir()
    stack = random.integers(0, 256, (6, 9, 7, 3), dtype="u1")
    for number, picture in enumerate(stack):
        Image.fromarray(picture).save(pictures / f"{number}.png")
    tool.bytes("convert", pictures, folder / "pictures.idx")
    same("pictures", idx2numpy.convert_from_file(str(folder / "pictures.idx")), stack)
    tool.bytes("convert", f"{folder / 'pictures.idx'}[4]", folder / "four.png")
    same("a picture", Image.open(folder / "four.png"), stack[4])
    tool.bytes("convert", "--sheet", "2x3", folder / "pictures.idx", folder / "sheet.png")
    sheet = stack.reshape(2, 3, 9, 7, 3).transpose(0, 2, 1, 3, 4).reshape(18, 21, 3)
    same("a sheet", Image.open(folder / "sheet.png"), sheet)
    words = random.integers(0, 65536, (4, 5), dtype="u2")
    np.save(folder / "words.npy", words)
    tool.bytes("convert", folder / "words.npy", folder / "words.png")
    same("words", np.asarray(Image.open(folder / "words.png")).astype("u2"), words)


def main():
    tool, count = Tool(sys.argv[1]), 0
    with tempfile.TemporaryDirectory() as folder:
        for array in arrays():
            check_written(tool, array, Path(folder))
            count += 1
    with tempfile.TemporaryDirectory() as folder:
        check_read(tool, Path(folder))
    print(f"{count} arrays agree")


main()
