"""The package `ndbytes` at work: a process that reads cases, and says what each took. The number of threads is that of
RAYON_NUM_THREADS, which holds for the process."""

import sys
from pathlib import Path

import ndbytes
import numpy as np
import pyarrow

from measure import averaged, once
from package import IMAGES_FILE, ITEMS, TURNS, array_file, places


def cases(data):
    images, array = data / IMAGES_FILE, data / array_file()

    def items():
        opened = ndbytes.open(array)
        for place in places(opened.shape, ITEMS):
            opened[place]

    def rows():
        opened = ndbytes.open(array)
        for row, _ in places(opened.shape, TURNS):
            opened[row]

    return {
        "package-idx-view": averaged(lambda: [np.asarray(ndbytes.open(images)) for _ in range(TURNS)], TURNS),
        "package-idx-copy": once(lambda: np.array(ndbytes.open(images))),
        "package-b2nd-whole": once(lambda: np.asarray(ndbytes.open(array))),
        "package-b2nd-item": averaged(items, ITEMS),
        "package-b2nd-row": averaged(rows, TURNS),
        "package-b2nd-strided": once(lambda: ndbytes.open(array)[::7, ::5]),
        "package-idv-table": once(lambda: pyarrow.table(ndbytes.open(data / "bench_none.idv"))),
        "package-idv-deflated": once(lambda: pyarrow.table(ndbytes.open(data / "bench_deflate.idv"))),
    }


def main():
    known = cases(Path(sys.argv[1]))
    for line in sys.stdin:
        sample = known[line.split()[0]]()
        print(sample.time, sample.peak, sample.size, flush=True)


if __name__ == "__main__":
    main()
