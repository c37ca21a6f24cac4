"""Makes the files that the benchmarks read, once: about 1.3 GiB."""

import struct
import subprocess
import sys
from pathlib import Path

import numpy as np

IMAGES = (60_000, 28, 28)
F32 = (8192, 16384)
F32_BIG_ENDIAN = (8192, 8192)
MANY = 100_000
GIB = 1 << 30

IDX_CODES = {"u1": 0x08, "f4": 0x0D}


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
    # By ML.NET, where tests/peers/setup.sh has installed it: 200,000 rows of 64 floats, text, an integer and a key.
    ml_net = Path("target/peers/mlnet/idvtool")
    if ml_net.exists() and not (folder / "bench_none.idv").exists():
        subprocess.run([ml_net, "genbench", folder], check=True, stdout=sys.stderr)


if __name__ == "__main__":
    main()
