"""FLAC by soundfile 0.14.0, which has libFLAC: files, whether it takes them, and what it reads in them."""

import numpy
import soundfile

SUFFIX = "flac"
BLOCK = 1 << 16
# What libsndfile states if the file does not.
UNKNOWN = 2**63 - 1
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


def decoded(file):
    """The samples of a file, all of which are decoded. `SoundFile.read` seeks to their end, which fails if their number is not stated."""
    buffer = soundfile._ffi.new("int[]", BLOCK * file.channels)
    count = 0
    while (more := soundfile._snd.sf_readf_int(file._file, buffer, BLOCK)) > 0:
        count += more
    assert soundfile._snd.sf_error(file._file) == 0
    assert count == file.frames or file.frames == UNKNOWN
    return count


def read(path):
    with soundfile.SoundFile(path) as file:
        samples = decoded(file)
        assert file.format == "FLAC"
        stream = file.samplerate << 44 | (file.channels - 1) << 41
        bits = {"PCM_S8": 8, "PCM_16": 16, "PCM_24": 24}[file.subtype]
        stream |= (bits - 1) << 36 | samples
        values = {"info.stream": stream, "info.head": 0}
        if file.title:
            values["blocks[0].body.comment.comments[0].text"] = f"title={file.title}"
    return values
