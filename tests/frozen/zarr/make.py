"""Writes the Zarr stores of this folder with zarr-python 3.1.6, and what it reads in them as `.npy`.

    python3 make.py FOLDER
"""

import sys
import warnings
from pathlib import Path

import numcodecs
import numpy as np
import zarr
from zarr.codecs import BloscCodec, BytesCodec, Crc32cCodec, GzipCodec, TransposeCodec, ZstdCodec
from zarr.storage import LocalStore, ZipStore

warnings.simplefilter("ignore")
root = Path(sys.argv[1])


def make(name, array, written=None, **options):
    store = ZipStore(root / name, mode="w") if name.endswith(".zip") else LocalStore(root / name)
    stored = zarr.create_array(store, shape=array.shape, dtype=array.dtype, **options)
    part = (slice(written),) if array.ndim else ...
    stored[part] = array[part]
    np.save(root / f"{name}.npy", stored[...])
    store.close()


numbers = np.arange(5 * 7, dtype="f4").reshape(5, 7) / 3
make("plain.zarr", numbers, chunks=(2, 3), dimension_names=["y", None], attributes={"unit": "K", "range": [0, 12]})
make(
    "shards.zarr", numbers, 3, chunks=(1, 2), shards=(2, 4), fill_value=np.nan,
    serializer=BytesCodec(endian="big"), compressors=(ZstdCodec(level=1, checksum=True), Crc32cCodec()),
)
make(
    "turned.zarr", np.arange(24, dtype="i2").reshape(2, 3, 4), chunks=(2, 2, 3), fill_value=-1,
    filters=(TransposeCodec(order=(2, 0, 1)),), compressors=(BloscCodec(typesize=2, cname="lz4", shuffle="bitshuffle"),),
    chunk_key_encoding={"name": "v2", "separator": "."},
)
make("scalar.zarr", np.array(7, "u8"), compressors=(GzipCodec(level=1),))
make("packed.zarr.zip", np.arange(40, dtype="c8"), chunks=(16,), shards=(32,), compressors=())
make(
    "old.zarr", numbers.astype(">f8"), zarr_format=2, chunks=(3, 4), order="F", fill_value=1.5,
    compressors=numcodecs.Zlib(5), chunk_key_encoding={"name": "v2", "separator": "/"},
    attributes={"_ARRAY_DIMENSIONS": ["row", "column"], "unit": "m"},
)
make(
    "fields.zarr", np.array([(1, 2.5), (-3, 4.5), (5, 0)], [("a", "<i4"), ("b", ">f8")]), zarr_format=2, chunks=(2,),
    compressors=numcodecs.LZ4(),
)
make(
    "days.zarr", np.array(["2026-11-26", "NaT"], "M8[D]"), zarr_format=2, chunks=(1,),
    compressors=numcodecs.Blosc(cname="zlib", shuffle=0),
)
group = zarr.create_group(root / "group.zarr")
group.create_array("a", data=np.array([True, False]))
group.create_group("inner").create_array("b", data=np.array(["é", "abc"]))
