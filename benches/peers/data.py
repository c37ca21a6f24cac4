"""Makes the files that the benchmarks read, once: about 3.5 GiB."""

import functools
import struct
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import blosc2
import numpy as np

IMAGES = (60_000, 28, 28)
F32 = (8192, 16384)
F32_BIG_ENDIAN = (8192, 8192)
MANY = 100_000
GIB = 1 << 30

IDX_CODES = {"u1": 0x08, "f4": 0x0D}


# The arrays of b2nd have 256 MiB each. They are tables of temperatures: some waves, and the noise of an instrument that
# is read off in steps of 1/64 of a degree: floats whose low bytes are zero, or integers that count the steps. The steps
# are what decides. With these, python-blosc2 reads the f64 about as fast as it did when the targets were set (2.7, 4.6,
# 4.6, 1.7 GB/s with zstd, LZ4, blosclz, zlib on one core; 2.98, 4.77, 4.85, 1.93 then). Steps of 1/100, as people
# prefer, leave no byte zero and codecs more to do (1.0, 1.9, 1.3, 0.9 GB/s); a line in even steps is, once shuffled,
# hardly more than zeros (4.5, 4.9, 5.8, 4.4 GB/s). Both are there for some codecs.
STEPS, NOISE = 64, 0.02

CODECS = {
    "zstd": blosc2.Codec.ZSTD,
    "lz4": blosc2.Codec.LZ4,
    "blosclz": blosc2.Codec.BLOSCLZ,
    "zlib": blosc2.Codec.ZLIB,
}
NO_FILTER, SHUFFLE, BITSHUFFLE = (), (blosc2.Filter.SHUFFLE,), (blosc2.Filter.BITSHUFFLE,)
DELTA_SHUFFLE = (blosc2.Filter.DELTA, blosc2.Filter.SHUFFLE)
SHAPES = {"u1": (16384, 16384), "i2": (8192, 16384), "f4": (8192, 8192), "f8": (4096, 8192), "c16": (4096, 4096)}


@dataclass
class B2nd:
    """An array: what is in it, and how python-blosc2 is asked to store it. Chunks and blocks are counted in items, so
    that narrow types have blocks of fewer bytes; where they are not given, python-blosc2 chooses."""

    dtype: str
    codec: str
    chunks: tuple = (512, 1024)
    blocks: tuple = (64, 256)
    filters: tuple = SHUFFLE
    values: str = "temperatures"
    shape: tuple = ()

    def __post_init__(self):
        self.shape = self.shape or SHAPES[self.dtype]


B2ND = {}
for dtype in ("f8", "f4", "i2"):
    B2ND |= {f"{dtype}-{codec}": B2nd(dtype, codec) for codec in CODECS}
    B2ND |= {f"{dtype}-{codec}-default": B2nd(dtype, codec, None, None) for codec in CODECS}
B2ND |= {
    "other-hundredths-zstd": B2nd("f8", "zstd", values="hundredths"),
    "other-hundredths-lz4": B2nd("f8", "lz4", values="hundredths"),
    "other-line-zstd": B2nd("f8", "zstd", values="line"),
    "other-line-lz4": B2nd("f8", "lz4", values="line"),
    "other-u1": B2nd("u1", "lz4"),
    "other-c16": B2nd("c16", "zstd"),
    "other-bitshuffle-f8": B2nd("f8", "zstd", filters=BITSHUFFLE),
    "other-bitshuffle-f4": B2nd("f4", "lz4", filters=BITSHUFFLE),
    "other-bitshuffle-i2": B2nd("i2", "lz4", filters=BITSHUFFLE),
    "other-delta": B2nd("f8", "lz4", filters=DELTA_SHUFFLE),
    "other-no-filter-f8": B2nd("f8", "zstd", filters=NO_FILTER),
    "other-no-filter-i2": B2nd("i2", "lz4", filters=NO_FILTER),
    "other-small-blocks": B2nd("f8", "lz4", blocks=(16, 64)),
    "other-narrow-blocks": B2nd("f4", "zstd", blocks=(512, 8)),
    "other-large-blocks": B2nd("f8", "blosclz", blocks=(512, 1024)),
    "other-1-d": B2nd("f8", "lz4", (1 << 19,), (1 << 14,), shape=(1 << 25,)),
    "other-3-d": B2nd("f4", "zstd", (32, 128, 128), (8, 32, 64), shape=(64, 1024, 1024)),
}


def temperatures(shape):
    """In bands of rows, so that making them takes little memory; further axes are rows below each other."""
    rng = np.random.default_rng(7)
    columns = shape[-1] if len(shape) > 1 else 8192
    rows = int(np.prod(shape)) // columns
    x = np.arange(columns) / columns
    for start in range(0, rows, 256):
        y = np.arange(start, min(start + 256, rows))[:, np.newaxis] / rows
        climate = 15 + 20 * np.sin(np.pi * y) + 8 * np.sin(6 * np.pi * x) * np.cos(4 * np.pi * y)
        weather = 3 * np.sin(40 * np.pi * (x + y)) + NOISE * rng.standard_normal((len(y), columns))
        yield slice(start * columns, (start + len(y)) * columns), (climate + weather).ravel()


@functools.lru_cache(maxsize=1)
def items(dtype, values, shape):
    """The items of an array in memory."""
    dtype = np.dtype(dtype)
    if values == "line":
        return np.linspace(0, 1, int(np.prod(shape)), dtype=dtype).reshape(shape)
    items = np.empty(int(np.prod(shape)), dtype)
    for place, degrees in temperatures(shape):
        if values == "hundredths":
            items[place] = np.round(degrees, 2)
        elif dtype.kind in "iu":
            items[place] = np.round(degrees * STEPS).astype(np.int64) >> (8 if dtype.itemsize == 1 else 0)
        elif dtype.kind == "c":
            items[place] = np.round(degrees * STEPS) / STEPS * (1 + 0.5j)
        else:
            items[place] = np.round(degrees * STEPS) / STEPS
    return items.reshape(shape)


def make_b2nd(folder):
    for name, array in B2ND.items():
        pipeline = array.filters or (blosc2.Filter.NOFILTER,)
        cparams = blosc2.CParams(
            codec=CODECS[array.codec], clevel=5, filters=list(pipeline), filters_meta=[0] * len(pipeline)
        )
        grid = {"chunks": array.chunks, "blocks": array.blocks} if array.chunks else {}
        path = str(folder / f"{name}.b2nd")
        values = items(array.dtype, array.values, array.shape)
        blosc2.asarray(values, urlpath=path, mode="w", cparams=cparams, **grid)


def idx_header(dtype, shape):
    return struct.pack(f">BBBB{len(shape)}I", 0, 0, IDX_CODES[dtype], len(shape), *shape)


def ra_header(eltype, elbyte, shape):
    size = elbyte * int(np.prod(shape, dtype=np.int64))
    dims = shape[::-1]  # the first axis of the format varies fastest
    return b"rawarray" + struct.pack(f"<{5 + len(dims)}Q", 0, eltype, elbyte, size, len(dims), *dims)


def floats(rng, count):
    """In pieces, so that making a file takes little memory."""
    for start in range(0, count, 1 << 22):
        yield rng.standard_normal(min(1 << 22, count - start), dtype=np.float32)


def make(folder):
    rng = np.random.default_rng(7)
    with open(folder / "u8.idx", "wb") as file:
        file.write(idx_header("u1", IMAGES) + rng.bytes(int(np.prod(IMAGES))))
    with open(folder / "f32.ra", "wb") as file:
        file.write(ra_header(3, 4, F32))
        for piece in floats(rng, F32[0] * F32[1]):
            file.write(piece.astype("<f4").tobytes())
    with open(folder / "f32-be.idx", "wb") as file:
        file.write(idx_header("f4", F32_BIG_ENDIAN))
        for piece in floats(rng, F32_BIG_ENDIAN[0] * F32_BIG_ENDIAN[1]):
            file.write(piece.astype(">f4").tobytes())
    # The same header, 1 KiB and 10 GiB in all; the second has holes for a payload.
    for name, size in (("small.ra", 1 << 10), ("huge.ra", 10 * GIB)):
        with open(folder / name, "wb") as file:
            file.write(ra_header(2, 1, (size - 56,)))
            file.truncate(size)
    many = folder / "many"
    many.mkdir(exist_ok=True)
    for index in range(MANY):
        if index % 2 == 0:
            name, content = f"{index:06}.idx", idx_header("u1", (8, 11)) + rng.bytes(88)
        else:
            name, content = f"{index:06}.ra", ra_header(2, 4, (11,)) + rng.bytes(44)
        (many / name).write_bytes(content)


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    done = folder / "done"
    if not done.exists():
        print(f"making the files in {folder}", file=sys.stderr)
        make(folder)
        done.touch()
    b2nd = folder / "b2nd"
    done = b2nd / "done"
    if not done.exists():
        print(f"making the files in {b2nd}", file=sys.stderr)
        b2nd.mkdir(exist_ok=True)
        make_b2nd(b2nd)
        done.touch()
    # By ML.NET, where tests/peers/setup.sh has installed it: 200,000 rows of 64 floats, text, an integer and a key.
    ml_net = Path("target/peers/mlnet/idvtool")
    if ml_net.exists() and not (folder / "bench_none.idv").exists():
        subprocess.run([ml_net, "genbench", folder], check=True, stdout=sys.stderr)


if __name__ == "__main__":
    main()
