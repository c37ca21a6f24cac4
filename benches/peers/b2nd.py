"""The ways python-blosc2 has to get at an array of b2nd that is open."""

import functools
import itertools
import sys

import blosc2
import numpy as np

from data import B2ND, CODECS
from measure import THREADS, averaged, best, by_turns, duration, once, print_table, rate, ratio

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


# The arrays that are read into fresh memory, and in pieces, too.
MAIN = [f"f8-{codec}{grid}" for grid in ("", "-default") for codec in CODECS]


def all_items(name, copy, memory, ndbytes, arguments):
    for kind in ("touched", "fresh") if name in MAIN else ("touched",):
        case = f"b2nd/{name}/{kind}"
        if arguments.only not in case:
            continue
        line = []
        for threads in THREADS:
            arrays = {way: copy.array(way, threads) for way in OPENED}
            if kind == "touched":
                peers = {f"python-blosc2{way}": once(touched(array, memory)) for way, array in arrays.items()}
            else:
                peers = {f"python-blosc2{way}": once(fresh(array)) for way, array in arrays.items()}
                peers["crate `blosc2-pure-rs`"] = ndbytes.runner(f"b2nd/{name}/pure", threads)
            samples = by_turns(peers | {threads: ndbytes.runner(case, threads)}, arguments.rounds)
            print(f"{case}, {threads}: done", file=sys.stderr)
            way, ours, show = best(samples), samples[threads], functools.partial(rate, size=arrays[""].nbytes)
            line += [way, show(samples[way]), show(ours), ratio(samples[way], ours)]
        yield [describe(arrays[""], B2ND[name].values), kind, *line]


def pieces(name, copy, ndbytes, arguments):
    for piece, turns in TURNS.items():
        case = f"b2nd/{name}/{piece}"
        if name not in MAIN or arguments.only not in case:
            continue
        peers = {}
        for way in OPENED:
            array = copy.array(way, 1)
            peers[f"`array[…]`{way}"] = averaged(indexed(array, piece), turns)
            peers[f"`get_slice_numpy`{way}"] = averaged(bounded(array, piece), turns)
        read, mapped = (case, 1), (f"b2nd/{name}.mapped/{piece}", 1)
        samples = by_turns(peers | {one: ndbytes.runner(*one) for one in (read, mapped)}, arguments.rounds)
        print(f"{case}: done", file=sys.stderr)
        way, show = best(samples), duration
        line = [describe(array, B2ND[name].values), piece, way, show(samples[way])]
        for ours in (samples[read], samples[mapped]):
            line += [show(ours), ratio(samples[way], ours)]
        yield line


def section(data, ndbytes, arguments):
    memory = np.ones(256 << 20, np.uint8)
    of_all, of_pieces = [], []
    for name in B2ND:
        if not any(arguments.only in f"b2nd/{name}/{work}" for work in ("touched", "fresh", *TURNS)):
            continue
        with Copy(data / "b2nd" / f"{name}.b2nd", data / "copies") as copy:
            of_all += all_items(name, copy, memory, ndbytes, arguments)
            of_pieces += pieces(name, copy, ndbytes, arguments)
    if of_all:
        print(
            "\nAll items of an array that is open, 256 MiB, in GB/s, into memory that was written to before or is fresh:"
        )
        head = [
            each
            for n in THREADS
            for each in (f"peer, {n} thread{'s' * (n > 1)}", "its rate", "ndbytes", "times as fast")
        ]
        print_table(["array", "memory", *head], of_all)
    if of_pieces:
        print("\nPieces of an array that is open, at random places, on one thread; a square has 64×64 items:")
        head = ["python-blosc2's way", "python-blosc2", "ndbytes", "times as fast", "ndbytes, mapped", "times as fast"]
        print_table(["array", "piece", *head], of_pieces)
