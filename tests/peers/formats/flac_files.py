"""FLAC by soundfile 0.14.0, which has libFLAC: files, whether it takes them, and what it reads in them."""

import numpy
import soundfile

SUFFIX = "flac"
RATES = [8000, 16000, 22050, 44100, 48000, 96000]


def make(path, number):
    rng = numpy.random.default_rng(number)
    samples = (rng.standard_normal((1000 + number % 100 * 200, number % 3 + 1)) * 0.1).cumsum(0) * 0.01
    with soundfile.SoundFile(
        path, "w", RATES[number % 6], samples.shape[1], ["PCM_S8", "PCM_16", "PCM_24"][number % 3]
    ) as file:
        if number % 4 == 0:
            file.title = f"sound {number}"
        file.write(samples)


def tiny(path):
    soundfile.write(path, numpy.zeros(16), 8000, subtype="PCM_S8", format="FLAC")


def read(path):
    with soundfile.SoundFile(path) as file:
        samples = file.read(dtype="int32")
        assert file.format == "FLAC"
        stream = file.samplerate << 44 | (file.channels - 1) << 41
        bits = {"PCM_S8": 8, "PCM_16": 16, "PCM_24": 24}[file.subtype]
        stream |= (bits - 1) << 36 | len(samples)
        values = {"blocks[0].body.stream": stream, "blocks[0].head": 0}
        if file.title:
            values["blocks[1].body.comment.comments[0].text"] = f"title={file.title}"
    return values
