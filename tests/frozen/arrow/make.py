"""Makes the files beside it: one table, with each compression that pyarrow has. `python make.py` needs pyarrow 26."""

import pathlib

import pyarrow
import pyarrow.feather
import pyarrow.parquet

FOLDER = pathlib.Path(__file__).parent
ROWS = range(100)
TABLE = pyarrow.table(
    {
        "number": pyarrow.array([row // 3 for row in ROWS], pyarrow.int32()),
        "word": pyarrow.array([f"word {row % 5}" for row in ROWS], pyarrow.string()),
    }
)

for codec in ["none", "snappy", "gzip", "brotli", "lz4", "zstd"]:
    pyarrow.parquet.write_table(
        TABLE,
        FOLDER / f"{codec}.parquet",
        compression=codec,
        use_dictionary=False,
        write_statistics=False,
        store_schema=False,
    )

for codec in ["uncompressed", "lz4", "zstd"]:
    pyarrow.feather.write_feather(TABLE, FOLDER / f"{codec}.feather", compression=codec)
pyarrow.feather.write_feather(TABLE, FOLDER / "default.feather")
