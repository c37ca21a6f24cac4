"""Compares `ndbytes convert` with zarr-python, both ways, over arrays made from a seed.

    zarr_check.py TOOL FOLDER COUNT [SEED]

Of each array, zarr-python writes a store of version 2 or 3, in a folder or a zip archive, and ndbytes makes `.npy` of it. Then
ndbytes writes Zarr from that file, or from b2nd, and zarr-python reads it. Shape, type and every bit have to be the same.
"""

import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import blosc2
import numcodecs
import numpy as np
import zarr
from zarr.codecs import BloscCodec, BytesCodec, Crc32cCodec, GzipCodec, TransposeCodec, ZstdCodec
from zarr.storage import LocalStore, ZipStore

warnings.simplefilter("ignore")

KINDS = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
FURTHER = ["U3", "S5", "V7", "M8[10s]", "m8[ns]", "M8[D]"]
NANS = {"f2": 0x7E01, "f4": 0x7FC0_0001, "f8": 0x7FF8_0000_0000_0001}


def items(rng, dtype, shape):
    """Items of a type: few values that repeat, or any bits."""
    count = int(np.prod(shape))
    if dtype.kind == "b":
        return (rng.integers(0, 2, count) == 1).reshape(shape)
    if dtype.kind == "U":
        words = np.array(["", "a", "é", "日本", "xyz", "\U0001f40d"])
        return words[rng.integers(0, len(words), count)].astype(dtype).reshape(shape)
    if dtype.kind == "S":
        words = np.array([b"", b"a", b"\xff\0b", b"12345"])
        return words[rng.integers(0, len(words), count)].astype(dtype).reshape(shape)
    raw = rng.bytes(count * dtype.itemsize)
    if rng.integers(0, 2) == 1:
        raw = np.arange(count * dtype.itemsize, dtype="u4").astype("u1").tobytes()
    array = np.frombuffer(raw, dtype).reshape(shape).copy()
    if rng.integers(0, 3) == 0 and count:
        array.reshape(-1)[: count // 2] = array.reshape(-1)[0]
    return array


def fill(rng, dtype):
    """A fill value, or None for the usual one."""
    if rng.integers(0, 3) == 0 or dtype.kind == "V":
        return None
    if dtype.kind == "f":
        return [np.nan, np.inf, -np.inf, -0.0, 1.1, 1e-5][rng.integers(0, 6)]
    if dtype.kind == "c":
        return [complex(np.nan, 1), 2.5 + 0.1j][rng.integers(0, 2)]
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return int([info.min, info.max, 7][rng.integers(0, 3)])
    if dtype.kind in "mM":
        return np.array(12345, "i8").view(dtype)[()]
    return {"b": True, "U": "no", "S": b"no"}[dtype.kind]


def compressors(rng, dtype, version):
    """Codecs from bytes to bytes."""
    shuffles = ["noshuffle", "shuffle", "bitshuffle"]
    names = ["blosclz", "lz4", "lz4hc", "zlib", "zstd"]
    cname, level = names[rng.integers(0, 5)], int(rng.integers(0, 10))
    shuffle = int(rng.integers(0, 3))
    block = [0, 256, 1024][rng.integers(0, 3)]
    if version == 2:
        return [
            None,
            numcodecs.Zlib(int(rng.integers(0, 10))),
            numcodecs.GZip(int(rng.integers(0, 10))),
            numcodecs.Zstd(level=int(rng.integers(-3, 10)), checksum=bool(rng.integers(0, 2))),
            numcodecs.LZ4(int(rng.integers(1, 10))),
            numcodecs.Blosc(cname=cname, clevel=level, shuffle=shuffle, blocksize=block),
        ][rng.integers(0, 6)]
    blosc = BloscCodec(typesize=dtype.itemsize, cname=cname, clevel=level, shuffle=shuffles[shuffle], blocksize=block)
    choices = [
        (),
        (GzipCodec(level=int(rng.integers(0, 10))),),
        (ZstdCodec(level=int(rng.integers(-3, 10)), checksum=bool(rng.integers(0, 2))),),
        (blosc,),
        (Crc32cCodec(),),
        (ZstdCodec(level=1), Crc32cCodec()),
        (Crc32cCodec(), GzipCodec(level=2), ZstdCodec(level=1)),
        (blosc, GzipCodec(level=1)),
    ]
    return choices[rng.integers(0, len(choices))]


def options(rng, dtype, shape, version):
    """The options of an array, and their description."""
    chunks = tuple(int(rng.integers(1, max(2, extent + 3))) for extent in shape)
    codecs = compressors(rng, dtype, version)
    chosen = {"chunks": chunks, "fill_value": fill(rng, dtype)}
    if version == 2:
        chosen["compressors"] = codecs
        chosen["order"] = ["C", "F"][rng.integers(0, 2)]
        chosen["chunk_key_encoding"] = {"name": "v2", "separator": "./"[rng.integers(0, 2)]}
        return chosen
    chosen["compressors"] = codecs
    if dtype.kind in "iufc" and dtype.itemsize > 1:
        chosen["serializer"] = BytesCodec(endian=["little", "big"][rng.integers(0, 2)])
    if rng.integers(0, 2) == 1 and len(shape) > 0:
        order = tuple(int(axis) for axis in rng.permutation(len(shape)))
        chosen["filters"] = (TransposeCodec(order=order),)
    # zarr-python cannot write shards of raw bytes: their fill value has no hash.
    if rng.integers(0, 2) == 1 and len(shape) > 0 and dtype.kind != "V":
        shards = tuple(chunk * int(rng.integers(1, 4)) for chunk in chunks)
        location = ["start", "end"][rng.integers(0, 2)]
        chosen["shards"] = {"shape": shards, "index_location": location}
    names = [None, "v2", "default"][rng.integers(0, 3)]
    if names:
        chosen["chunk_key_encoding"] = {"name": names, "separator": "./"[rng.integers(0, 2)]}
    if rng.integers(0, 3) == 0:
        chosen["dimension_names"] = [None if axis == 1 else f"axis {axis}" for axis in range(len(shape))]
    return chosen


def same(one, other):
    """Returns whether arrays have the same shape and values, to the bit, whatever the order of bytes."""
    if one.shape != other.shape or one.dtype.newbyteorder("=") != other.dtype.newbyteorder("="):
        return False
    plain = lambda array: array.astype(array.dtype.newbyteorder("<")).tobytes()
    return plain(one) == plain(other)


def run(tool, *arguments):
    ended = subprocess.run([tool, "convert", "--quiet", *map(str, arguments)], capture_output=True, text=True)
    return ended.stderr.strip() if ended.returncode else None


def check(tool, folder, seed, number):
    rng = np.random.default_rng([seed, number])
    version = int(rng.integers(2, 4))
    kinds = KINDS * 2 + FURTHER
    dtype = np.dtype(kinds[rng.integers(0, len(kinds))])
    if version == 2 and rng.integers(0, 2) == 1:
        dtype = dtype.newbyteorder(">")
    shape = tuple(int(extent) for extent in rng.integers(0, [40, 20, 9, 5][: rng.integers(0, 5)]))
    array = items(rng, dtype, shape)
    chosen = options(rng, dtype, shape, version)
    is_zip = rng.integers(0, 4) == 0
    path = folder / ("x.zarr.zip" if is_zip else "x.zarr")
    store = ZipStore(path, mode="w") if is_zip else LocalStore(path)
    stored = zarr.create_array(store, shape=shape, dtype=dtype, zarr_format=version, **chosen)
    # A part alone is written: the rest has the fill value.
    if shape and rng.integers(0, 2) == 1:
        stored[: shape[0] // 2] = array[: shape[0] // 2]
    else:
        stored[...] = array
    # Of an array without axes, zarr-python returns a text of another length.
    expected = np.asarray(stored[...]).astype(dtype)
    store.close()
    what = f"{number}: Zarr {version}, {dtype}, {shape}, {chosen}"
    if failed := run(tool, path, folder / "x.npy"):
        return f"{what}: {failed}"
    found = np.load(folder / "x.npy")
    if not same(found, expected):
        return f"{what}: read\n{found!r}\nexpected\n{expected!r}"

    # And back, through b2nd with chunks of its own or not.
    source = folder / "x.npy"
    # python-blosc2 makes structures of raw bytes.
    if shape and expected.size and dtype.kind != "V" and rng.integers(0, 2) == 1:
        source = folder / "x.b2nd"
        chunks = [int(rng.integers(1, extent + 1)) for extent in shape]
        blocks = [int(rng.integers(1, chunk + 1)) for chunk in chunks]
        if rng.integers(0, 2) == 1:
            chunks = [max(1, chunk // block) * block for chunk, block in zip(chunks, blocks)]
        blosc2.asarray(found, chunks=chunks, blocks=blocks, urlpath=str(source), mode="w")
    codec = ["zstd", "gzip", "blosc", "none"][rng.integers(0, 4)]
    back = folder / ("y.zarr.zip" if rng.integers(0, 4) == 0 else "y.zarr")
    if failed := run(tool, "--codec", codec, source, back):
        return f"{what}: back by {codec} from {source.name}: {failed}"
    store = ZipStore(back, mode="r") if back.suffix == ".zip" else LocalStore(back, read_only=True)
    again = np.asarray(zarr.open_array(store, mode="r")[...]).astype(dtype)
    store.close()
    if not same(again, expected):
        return f"{what}: back by {codec} from {source.name}\n{again!r}\nexpected\n{expected!r}"
    return None


def main():
    tool, folder, count = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else 38
    failed = 0
    for number in range(count):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        if words := check(tool, folder, seed, number):
            failed += 1
            print(words)
    print(f"{count} arrays, {failed} differ")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
