"""Makes the files of one series at one size: `make.py SERIES SIZE FOLDER`. A process of its own, so that its memory does not
count as that of the processes which `grow.py` starts."""

import io
import shutil
import sys
import zipfile
from pathlib import Path

import ndbytes
import numpy as np
import pyarrow as pa

MIB = 1 << 20
PIECE = 64 * MIB


def noise(size):
    """Numbers that compress to about a tenth, as measured values do."""
    rng = np.random.default_rng(7)
    slope = np.linspace(0, 30, size // 4, dtype=np.float32)
    return np.round(slope + rng.standard_normal(size // 4, dtype=np.float32) / 8, 1)


def npy(size, folder):
    """Booleans: every byte has to be looked at."""
    array = np.lib.format.open_memmap(folder / "a.npy", mode="w+", dtype=bool, shape=(size,))
    piece = np.random.default_rng(7).integers(0, 2, min(size, PIECE), dtype=np.uint8).astype(bool)
    for start in range(0, size, PIECE):
        array[start : start + PIECE] = piece[: size - start]


def b2nd(size, folder):
    """Written from files of 64 MiB, one after the other."""
    part = folder / "part.npy"
    np.save(part, noise(min(size, PIECE)).reshape(-1, 1024))
    ndbytes.convert([part] * max(1, size // PIECE), folder / "a.b2nd")
    shutil.copyfile(folder / "a.b2nd", folder / "b.b2nd")
    part.unlink()


def idv(size, folder):
    rows_of_batch, slots = 4096, 64
    values = noise(rows_of_batch * slots * 4)
    features = pa.FixedSizeListArray.from_arrays(pa.array(values), slots)
    batch = pa.record_batch({"Features": features, "Row": pa.array(np.arange(rows_of_batch))})
    batches = (batch for _ in range(max(1, size // (rows_of_batch * slots * 4))))
    ndbytes.write_idv(folder / "a.idv", pa.RecordBatchReader.from_batches(batch.schema, batches))


def chunks(count, folder):
    """Chunks of 16 items."""
    values = np.arange(count * 16, dtype=np.int32) % 1000
    ndbytes.save(folder / "a.b2nd", values, chunks=(16,), blocks=(16,), codec="lz4")
    values[len(values) // 2] += 1
    ndbytes.save(folder / "b.b2nd", values, chunks=(16,), blocks=(16,), codec="lz4")


def columns(count, folder):
    """Columns of ten numbers."""
    for name, last in (("a", 9), ("b", 10)):
        arrays = [pa.array(np.arange(10, dtype=np.float32))] * (count - 1)
        arrays.append(pa.array(np.float32([*range(9), last])))
        names = [f"column {number}" for number in range(count)]
        ndbytes.write_idv(folder / f"{name}.idv", pa.table(arrays, names=names))


def small_file():
    file = io.BytesIO()
    np.save(file, np.arange(8, dtype=np.int32))
    return file.getvalue()


def members(count, folder):
    content = small_file()
    with zipfile.ZipFile(folder / "a.npz", "w") as archive:
        for number in range(count):
            archive.writestr(f"{number}.npy", content)


def files(count, folder):
    """A thousand in each folder."""
    content = small_file()
    for number in range(count):
        parent = folder / "files" / str(number // 1000)
        if number % 1000 == 0:
            parent.mkdir(parents=True)
        (parent / f"{number}.npy").write_bytes(content)


if __name__ == "__main__":
    series, size, folder = sys.argv[1:]
    globals()[series](int(size), Path(folder))
