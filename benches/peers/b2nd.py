"""The ways python-blosc2 has to get at an array of b2nd that is open."""

import itertools

import blosc2
import numpy as np

# How the file is read: as python-blosc2 does by itself, or through a mapping.
OPENED = {"": {}, ", mapped": {"mmap_mode": "r"}}

TURNS = {"item": 200, "square": 200, "row": 20, "column": 20}
SIDE = 64


def numbers():
    """The same as in `b2nd.rs`, so that both sides look at the same places."""
    state = 1
    while True:
        state = (state * 6_364_136_223_846_793_005 + 1_442_695_040_888_963_407) % (1 << 64)
        yield state >> 33


class Copy:
    """A copy of a file, made just before it is read: in the page cache, pages of a file that was just written lie
    together, those of an old one may be scattered."""

    def __init__(self, path, folder):
        folder.mkdir(exist_ok=True)
        self.path = folder / path.name
        self.path.write_bytes(path.read_bytes())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.path.unlink()

    def array(self, way, threads):
        return blosc2.open(str(self.path), mode="r", dparams=blosc2.DParams(nthreads=threads), **OPENED[way])


def describe(array, values):
    codec = array.cparams.codec.name.lower()
    filters = [each.name.lower() for each in array.cparams.filters if each != blosc2.Filter.NOFILTER]
    shape, chunks, blocks = ("×".join(map(str, extents)) for extents in (array.shape, array.chunks, array.blocks))
    pipeline = " + ".join(filters) or "no filter"
    return f"{values}: {array.dtype.name} {shape}, {codec}, {pipeline}, chunks {chunks}, blocks {blocks}"


def touched(array, memory):
    """All of it into memory that was written to before. `get_slice_numpy` is what `array[...]` calls with fresh memory;
    nothing else writes into an array that is there."""
    memory = memory.view(array.dtype).reshape(array.shape)
    everything = ((0,) * array.ndim, array.shape)

    def work():
        array.get_slice_numpy(memory, everything)

    return work


def fresh(array):
    return lambda: array[...]


def places(array, work):
    """Where the pieces begin: far apart from each other."""
    rows, columns = (extent - SIDE + 1 for extent in array.shape)
    pair = [iter(itertools.islice(numbers(), 2 * TURNS[work]))] * 2
    return [(row % rows, column % columns) for row, column in zip(*pair)]


def indexed(array, work):
    """Pieces by index, one after the other."""
    key = {
        "item": lambda row, column: (row, column),
        "square": lambda row, column: (slice(row, row + SIDE), slice(column, column + SIDE)),
        "row": lambda row, column: (row, slice(None)),
        "column": lambda row, column: (slice(None), column),
    }[work]
    keys = [key(*place) for place in places(array, work)]

    def run():
        for key in keys:
            array[key]

    return run


def bounded(array, work):
    """The same pieces without the arithmetic that makes bounds of an index in Python."""
    rows, columns = array.shape
    shape, bounds = {
        "item": ((), lambda row, column: ((row, column), (row + 1, column + 1))),
        "square": ((SIDE, SIDE), lambda row, column: ((row, column), (row + SIDE, column + SIDE))),
        "row": (columns, lambda row, column: ((row, 0), (row + 1, columns))),
        "column": (rows, lambda row, column: ((0, column), (rows, column + 1))),
    }[work]
    pieces, dtype = [bounds(*place) for place in places(array, work)], array.dtype

    def run():
        for piece in pieces:
            array.get_slice_numpy(np.empty(shape, dtype), piece)

    return run
