"""Makes small arrays with python-blosc2, one for each codec, filter, kind of chunk and type of item, and beside each a
.npy file with what it holds. The other files of this folder came about in the same way, from larger series."""

import os
import shutil
import sys

import blosc2
import numpy as np

OUT = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "blosc2")
SHUFFLE, BITSHUFFLE, DELTA = blosc2.Filter.SHUFFLE, blosc2.Filter.BITSHUFFLE, blosc2.Filter.DELTA
TRUNC, BYTEDELTA, INT_TRUNC = blosc2.Filter.TRUNC_PREC, blosc2.Filter.BYTEDELTA, blosc2.Filter.INT_TRUNC


def save(name, make, values, truth=None, **arguments):
    """Writes an array and what it holds; `truth` says what the writer changes on purpose."""
    path = os.path.join(OUT, f"mk_{name}.b2nd")
    if os.path.isdir(path):
        shutil.rmtree(path)
    cparams = arguments.pop("cparams", {})
    cparams = {"nthreads": 1, **cparams}
    make(values, urlpath=path, mode="w", cparams=cparams, **arguments)
    values = np.asarray(values if truth is None else truth)
    stored = values.view(f"V{values.dtype.itemsize}") if values.dtype.names else values
    np.save(path[:-5] + ".npy", stored)
    back = blosc2.open(path)[...]
    assert np.asarray(back).tobytes() == values.tobytes(), name
    return path


def pipeline(*filters, meta=()):
    pad = 6 - len(filters)
    meta = list(meta) or [0] * len(filters)
    return {"filters": [blosc2.Filter.NOFILTER] * pad + list(filters), "filters_meta": [0] * pad + meta}


def main():
    rng = np.random.default_rng(7)
    steps = np.cumsum(rng.integers(-40, 60, 40 * 30)).astype("<i4").reshape(40, 30)
    waves = np.round(np.sin(np.arange(40 * 30) / 50.0) * 1000, 1).astype("<f8").reshape(40, 30)
    cut = {"chunks": (20, 16), "blocks": (8, 8)}
    for codec in ["BLOSCLZ", "LZ4", "LZ4HC", "ZLIB", "ZSTD"]:
        for level, splits in [(5, "AUTO_SPLIT"), (9, "NEVER_SPLIT")]:
            cparams = {"codec": blosc2.Codec[codec], "clevel": level, "splitmode": blosc2.SplitMode[splits]}
            save(f"{codec.lower()}_{level}", blosc2.asarray, steps, **cut, cparams={**cparams, **pipeline(SHUFFLE)})
    lz4 = {"codec": blosc2.Codec.LZ4}
    save("bitshuffle", blosc2.asarray, steps, **cut, cparams={**lz4, **pipeline(BITSHUFFLE)})
    save("delta_shuffle", blosc2.asarray, steps, **cut, cparams={**lz4, **pipeline(DELTA, SHUFFLE)})
    cparams = {**lz4, **pipeline(SHUFFLE, BYTEDELTA, meta=[0, 4])}
    save("shuffle_bytedelta", blosc2.asarray, steps, **cut, cparams=cparams)
    truncated = (waves.astype("<f4").view("<u4") & np.uint32(0xFFFFE000)).view("<f4")
    cparams = {**lz4, **pipeline(TRUNC, SHUFFLE, meta=[10, 0])}
    save("trunc_prec", blosc2.asarray, waves.astype("<f4"), truncated, **cut, cparams=cparams)
    cparams = {**lz4, **pipeline(INT_TRUNC, SHUFFLE, meta=[28, 0])}
    save("int_trunc", blosc2.asarray, steps, steps & ~15, **cut, cparams=cparams)
    # More than two filters that change bytes are more than this version can write without loss.
    cparams = {**lz4, **pipeline(SHUFFLE, SHUFFLE, meta=[4, 8])}
    save("shuffle_twice", blosc2.asarray, waves, **cut, cparams=cparams)
    save("no_filter", blosc2.asarray, waves, **cut, cparams={"codec": blosc2.Codec.BLOSCLZ, **pipeline()})
    save("not_compressed", blosc2.asarray, steps, **cut, cparams={"clevel": 0})
    noise = rng.integers(0, 256, (31, 33), dtype=np.uint8)
    save("incompressible", blosc2.asarray, noise, chunks=(16, 33), blocks=(5, 33))

    words = [b"north wind ", b"south wind ", b"calm sea ", b"rain ", b"snow ", b"some clouds "]
    text = b"".join(words[place] for place in rng.integers(0, 6, 900))[:6000]
    text = np.frombuffer(text, np.uint8)
    for codec in ["ZSTD", "LZ4", "LZ4HC"]:
        cparams = {"codec": blosc2.Codec[codec], "use_dict": True, **pipeline()}
        save(f"dictionary_{codec.lower()}", blosc2.asarray, text, chunks=(6000,), blocks=(400,), cparams=cparams)

    some = np.zeros((20, 30), "<i8")
    some[:10, :10] = steps[:10, :10]
    some[10:, 20:] = 7
    save("zero_chunks", blosc2.asarray, some, chunks=(10, 10), blocks=(5, 5))
    save("sparse_zero_chunks", blosc2.asarray, some, chunks=(10, 10), blocks=(5, 5), contiguous=False)
    tiles = {"chunks": (4, 4), "blocks": (2, 2)}

    def filled(make):
        return lambda values, **arguments: make(values.shape, dtype=values.dtype, **arguments)

    save("zeros", filled(blosc2.zeros), np.zeros((9, 8), "<f8"), **tiles)
    nans = np.full((9, 8), np.nan, "<f4")
    save("nans", filled(blosc2.nans), nans, **tiles)
    full = np.full((9, 8), b"abcde", "|S5")
    save("full_bytes", filled(lambda shape, **rest: blosc2.full(shape, b"abcde", **rest)), full, **tiles)

    words = np.array(["", "a", "zwölf", "\U0001f40d"] * 5, "<U7").reshape(4, 5)
    save("str", blosc2.asarray, words, chunks=(3, 3), blocks=(2, 2))
    nested = np.zeros(30, [("a", "<i2"), ("b", [("x", "<f4"), ("y", "|S3")]), ("c", ">i4", (2,))])
    nested["a"], nested["b"]["x"], nested["c"] = np.arange(30), np.arange(30) / 4, np.arange(60).reshape(30, 2)
    nested["b"]["y"] = b"yes"
    save("nested", blosc2.asarray, nested, chunks=(16,), blocks=(8,))
    aligned = np.zeros(10, np.dtype([("flag", "?"), ("value", "<f8")], align=True))
    aligned["flag"], aligned["value"] = np.arange(10) % 2, np.arange(10)
    save("aligned", blosc2.asarray, aligned, chunks=(10,), blocks=(5,))
    save("datetime", blosc2.asarray, np.arange(50).astype("<M8[ns]"), chunks=(20,), blocks=(6,))
    for dtype in ["<f2", ">f4", "|i1", ">u2", "<u8", "<c8"]:
        name = dtype.replace("<", "le_").replace(">", "be_").replace("|", "")
        save(name, blosc2.asarray, np.arange(30).reshape(5, 6).astype(dtype), chunks=(4, 4), blocks=(2, 3))
    many = steps.ravel()[: 2**10].reshape((2,) * 10)
    save("ten_axes", blosc2.asarray, many, chunks=(2,) * 10, blocks=(1,) * 5 + (2,) * 5)
    # At level 0, no filter runs.
    save("delta_level_0", blosc2.asarray, steps, **cut, cparams={**lz4, **pipeline(DELTA, SHUFFLE), "clevel": 0})
    save("delta_one_block", blosc2.asarray, steps, chunks=(20, 16), blocks=(20, 16), cparams={**lz4, **pipeline(DELTA)})
    save("other_filters", other_filters, steps)
    refused(steps, cut, lz4)
    print(blosc2.__version__, blosc2.blosclib_version)


def other_filters(values, urlpath, **arguments):
    """An array whose second half is added with other filters, by somebody who opens it later."""
    half = values[:20]
    blosc2.asarray(half, chunks=(20, 16), blocks=(8, 8), urlpath=urlpath, **arguments)
    array = blosc2.open(urlpath, mode="a")
    array.schunk.cparams = blosc2.CParams(typesize=4, blocksize=256, nthreads=1, **pipeline(BITSHUFFLE))
    array.resize(values.shape)
    array[20:] = values[20:]


def refused(steps, cut, lz4):
    """Makes what is no array, or none that can be read; nothing says what it holds."""

    def path(name):
        path = os.path.join(os.path.dirname(os.path.abspath(OUT)), "refused", f"mk_{name}.b2nd")
        if os.path.exists(path):
            os.remove(path)
        return path

    blosc2.SChunk(chunksize=800, data=steps.tobytes()[:1700], urlpath=path("super_chunk"), cparams={"typesize": 4})
    blosc2.save_tensor(steps, path("tensor"))
    store = blosc2.EmbedStore(path("embed_store"), mode="w")
    store["/steps"] = steps[:4]
    objects = blosc2.ObjectArray(urlpath=path("object_array"), mode="w")
    objects.extend([{"a": 1}, [1, 2, "x" * 100]])
    batches = blosc2.BatchArray(urlpath=path("batch_array"), mode="w")
    batches.append([1, 2, 3])
    batches.append(["x", "y"])
    lists = blosc2.ListArray(item_spec=blosc2.int32(), urlpath=path("list_array"), mode="w")
    lists.append([1, 2, 3])
    lists.append([])
    lists.flush()
    operand = path("operand")
    array = blosc2.asarray(steps, urlpath=operand)
    blosc2.lazyudf(add_one, (array,), dtype=array.dtype).save(urlpath=path("lazyudf"))
    os.remove(operand)
    # In memory, items of more than 255 bytes are said to have 1.
    wide = blosc2.asarray(np.arange(10).astype("|S300"), chunks=(4,), blocks=(2,))
    with open(path("to_cframe_wide"), "wb") as file:
        file.write(wide.to_cframe())
    blosc2.asarray(steps, urlpath=path("delta_twice"), **cut, cparams={**lz4, **pipeline(DELTA, DELTA)})


def add_one(inputs, output, offset):
    output[:] = inputs[0] + 1


main()
