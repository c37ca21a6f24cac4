"""Times NumPy and python-blosc2 in this process and ndbytes in another, by turns; prints the results as Markdown."""

import argparse
import datetime
import functools
import gc
import itertools
import os
import platform
import random
import re
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import blosc2
import numpy as np

import b2nd
from data import B2ND, CODECS, F32, F32_BIG_ENDIAN, IMAGES, MANY

THREADS = (1, 2)
REPEATED = 200
VIEWS = 20_000

# Installed by tests/peers/setup.sh.
ML_NET = Path("target/peers/mlnet/idvtool")

IMAGES_OFFSET = 16
F32_OFFSET = 64
F32_BIG_ENDIAN_OFFSET = 12


# The ways NumPy has to get at an array. Each gets a path and gives an array; what it takes for granted (type, shape,
# where the data begin) ndbytes reads from the header and checks.


def memmap(path, dtype, offset, shape):
    return np.memmap(path, dtype, "r", offset, shape)


def fromfile(path, dtype, offset, shape):
    return np.fromfile(path, dtype, int(np.prod(shape)), offset=offset).reshape(shape)


def readinto(path, dtype, offset, shape):
    array = np.empty(shape, dtype)
    with open(path, "rb", buffering=0) as file:
        file.seek(offset)
        rest = memoryview(array).cast("B")
        while rest:
            rest = rest[file.readinto(rest) :]
    return array


def memmap_copy(path, dtype, offset, shape):
    return np.array(np.memmap(path, dtype, "r", offset, shape), copy=True, subok=False)


def frombuffer_copy(path, dtype, offset, shape):
    with open(path, "rb", buffering=0) as file:
        return np.frombuffer(file.read(), dtype, offset=offset).reshape(shape).copy()


LOADS = {
    "`np.fromfile`": fromfile,
    "`readinto` a fresh `np.empty`": readinto,
    "copy of an `np.memmap`": memmap_copy,
    "copy of `np.frombuffer`": frombuffer_copy,
}


def swapped_in_place(load):
    def work(*arguments):
        array = load(*arguments).byteswap(inplace=True)
        return array.view(array.dtype.newbyteorder())

    return work


def converted(load):
    def work(*arguments):
        array = load(*arguments)
        return array.astype(array.dtype.newbyteorder())

    return work


LOADS_BIG_ENDIAN = {
    "`np.fromfile`, then `byteswap(inplace=True)`": swapped_in_place(fromfile),
    "`np.fromfile`, then `astype`": converted(fromfile),
    "`readinto` a fresh `np.empty`, then `byteswap(inplace=True)`": swapped_in_place(readinto),
    "`np.memmap`, then `astype`": converted(memmap),
}


def once(work, *arguments):
    """The time to a usable array; giving its memory back is not timed. The work is done once before, so that nobody
    pays for the state in which another left memory and page cache."""

    def run():
        work(*arguments)
        start = time.perf_counter_ns()
        array = work(*arguments)
        elapsed = time.perf_counter_ns() - start
        del array
        return elapsed

    return run


def opened(*arguments):
    def run():
        start = time.perf_counter_ns()
        for _ in range(REPEATED):
            memmap(*arguments)
        return (time.perf_counter_ns() - start) / REPEATED

    return run


def viewed(*arguments):
    array = memmap(*arguments)
    indices = [random.randrange(len(array)) for _ in range(VIEWS)]

    def run():
        start = time.perf_counter_ns()
        for index in indices:
            array[index]
        return (time.perf_counter_ns() - start) / VIEWS

    return run


class NdBytes:
    """The process of `main.rs`."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def runner(self, case, threads):
        def run():
            self.process.stdin.write(f"{case} {threads}\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
            if not answer:
                sys.exit(f"the case {case} failed")
            return float(answer)

        return run

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def ml_net(path):
    """ML.NET's time to open a file and fetch every value of every row; the first pass of a process, in which it is
    compiled, does not count."""
    left = []

    def run():
        if not left:
            bench = subprocess.run([ML_NET, "bench", path], capture_output=True, text=True, check=True)
            left.extend(float(seconds) * 1e9 for seconds in re.findall(r"^pass \d+ ([\d.]+) s", bench.stdout, re.M))
        return left.pop()

    return run


@dataclass
class Row:
    """One line of a table: what ndbytes does, and the ways in which others do the same."""

    work: str
    case: str
    peers: dict = field(default_factory=dict)
    threads: tuple = (1,)
    rounds: int = 15


def measure(row, ndbytes):
    """Samples of the peers, by their names, and of ndbytes, by numbers of threads."""
    ours = {threads: ndbytes.runner(row.case, threads) for threads in row.threads}
    return by_turns(row.peers | ours, row.rounds)


def by_turns(runners, rounds):
    """Samples of everybody: in rounds, each with everybody in it, in another order every time."""
    samples = {name: [] for name in runners}
    names = list(runners)
    for turn in range(-2, rounds):
        order = names[turn % len(names) :] + names[: turn % len(names)]
        for name in order if turn % 2 else reversed(order):
            elapsed = runners[name]()
            if turn >= 0:  # the first rounds warm up
                samples[name].append(elapsed)
    return samples


UNITS = ((1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1, "ns"))


def three_digits(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def duration(samples):
    median = statistics.median(samples)
    scale, name = next(((scale, name) for scale, name in UNITS if median >= scale), UNITS[-1])
    low, median, high = (three_digits(value / scale) for value in (min(samples), median, max(samples)))
    return f"{median} {name} ({low} to {high})"


def ratio(peer, ours):
    pairs = sorted(one / other for one, other in zip(peer, ours))
    tenths = statistics.quantiles(pairs, n=10, method="inclusive")
    of_medians = statistics.median(peer) / statistics.median(ours)
    return f"**{three_digits(of_medians)}** ({three_digits(tenths[0])} to {three_digits(tenths[-1])})"


def best(samples):
    return min((name for name in samples if isinstance(name, str)), key=lambda name: statistics.median(samples[name]))


def print_table(head, lines):
    print()
    for line in (head, ["---"] * len(head), *lines):
        print("| " + " | ".join(line) + " |")


def compare(rows, ndbytes, all_ways):
    head = ["work", "peer", "peer's time"]
    for threads in THREADS:
        head += [f"ndbytes, {threads} thread{'s' * (threads > 1)}", "times as fast"]
    lines, details = [], []
    for row in rows:
        samples = measure(row, ndbytes)
        peer = best(samples)
        line = [row.work, peer, duration(samples[peer])]
        for threads in THREADS:
            ours = samples.get(threads)
            line += [duration(ours), ratio(samples[peer], ours)] if ours else ["", ""]
        lines.append(line)
        details += [[row.work, name, duration(samples[name])] for name in row.peers]
        print(f"{row.work}: done", file=sys.stderr)
    print_table(head, lines)
    if all_ways:
        print_table(["work", "peer", "time"], details)


# How many times as fast as python-blosc2 ndbytes is to be: into memory that was written to before, by threads, and into
# fresh memory at two threads; of all other arrays; of pieces.
TARGETS = {
    "f8-zstd": ({1: 1.05, 2: 1.3}, 1.5),
    "f8-lz4": ({1: 1.15, 2: 1.8}, 1.9),
    "f8-blosclz": ({1: 1.3, 2: 1.7}, 2.3),
    "f8-zlib": ({1: 1.05, 2: 1.2}, 1.35),
}
TARGETS_OF_OTHERS = ({1: 0.95, 2: 1.2}, 1.2)
TARGET_OF_PIECES = 1.1

# The arrays of which pieces are read too.
IN_PIECES = [f"f8-{codec}{grid}" for grid in ("", "-default") for codec in CODECS]


def averaged(work, turns):
    def run():
        start = time.perf_counter_ns()
        work()
        return (time.perf_counter_ns() - start) / turns

    return run


def rate(samples, size):
    low, median, high = (three_digits(size / time) for time in (max(samples), statistics.median(samples), min(samples)))
    return f"{median} ({low} to {high})"


def all_items(name, copy, memory, ndbytes, arguments):
    touched_targets, fresh_target = TARGETS.get(name, TARGETS_OF_OTHERS)
    for kind, threads in itertools.product(("touched", "fresh"), THREADS):
        case = f"b2nd/{name}/{kind}"
        if arguments.only not in case:
            continue
        arrays = {way: copy.array(way, threads) for way in b2nd.OPENED}
        if kind == "touched":
            peers = {f"`get_slice_numpy`{way}": once(b2nd.touched(array, memory)) for way, array in arrays.items()}
        else:
            peers = {f"`array[...]`{way}": once(b2nd.fresh(array)) for way, array in arrays.items()}
        target = fresh_target if kind == "fresh" and threads > 1 else touched_targets[threads]
        samples = by_turns(peers | {threads: ndbytes.runner(case, threads)}, arguments.rounds)
        print(f"{case}, {threads}: done", file=sys.stderr)
        way, ours, show = best(samples), samples[threads], functools.partial(rate, size=arrays[""].nbytes)
        what = [b2nd.describe(arrays[""], B2ND[name].values), kind, str(threads)]
        yield [*what, way, show(samples[way]), show(ours), ratio(samples[way], ours), f"≥ {target}"]


def pieces(name, copy, ndbytes, arguments):
    for piece, turns in b2nd.TURNS.items():
        case = f"b2nd/{name}/{piece}"
        if name not in IN_PIECES or arguments.only not in case:
            continue
        peers = {}
        for way in b2nd.OPENED:
            array = copy.array(way, 1)
            peers[f"`array[…]`{way}"] = averaged(b2nd.indexed(array, piece), turns)
            peers[f"`get_slice_numpy`{way}"] = averaged(b2nd.bounded(array, piece), turns)
        read, mapped = (case, 1), (f"b2nd/{name}.mapped/{piece}", 1)
        samples = by_turns(peers | {one: ndbytes.runner(*one) for one in (read, mapped)}, arguments.rounds)
        print(f"{case}: done", file=sys.stderr)
        way, show = best(samples), duration
        line = [b2nd.describe(array, B2ND[name].values), piece, way, show(samples[way])]
        for ours in (samples[read], samples[mapped]):
            line += [show(ours), ratio(samples[way], ours)]
        yield [*line, f"≥ {TARGET_OF_PIECES}"]


def compare_b2nd(data, ndbytes, arguments):
    memory = np.ones(256 << 20, np.uint8)
    of_all, of_pieces = [], []
    for name in B2ND:
        if not any(arguments.only in f"b2nd/{name}/{work}" for work in ("touched", "fresh", *b2nd.TURNS)):
            continue
        with b2nd.Copy(data / "b2nd" / f"{name}.b2nd", data / "copies") as copy:
            of_all += all_items(name, copy, memory, ndbytes, arguments)
            of_pieces += pieces(name, copy, ndbytes, arguments)
    if of_all:
        head = ["python-blosc2's way", "python-blosc2", "ndbytes", "times as fast", "target"]
        print("\nb2nd, all items of an array that is open, 256 MiB, into memory that is fresh or was written to; GB/s:")
        print_table(["array", "memory", "threads", *head], of_all)
    if of_pieces:
        print("\nb2nd, pieces of an array that is open, at random places, on one thread; a square has 64×64 items:")
        head = ["python-blosc2's way", "python-blosc2", "ndbytes", "times as fast", "ndbytes, mapped", "times as fast"]
        print_table(["array", "piece", *head, "target"], of_pieces)


def rates(rows, ndbytes):
    head = ["work"] + [f"{threads} thread{'s' * (threads > 1)}" for threads in THREADS]
    lines = []
    for row in rows:
        samples = measure(row, ndbytes)
        rates = {threads: [MANY / (elapsed / 1e9) for elapsed in samples[threads]] for threads in row.threads}
        low_to_high = {threads: f"{min(rate):,.0f} to {max(rate):,.0f}" for threads, rate in rates.items()}
        lines.append([row.work] + [f"{statistics.median(rates[t]):,.0f} files/s ({low_to_high[t]})" for t in THREADS])
        print(f"{row.work}: done", file=sys.stderr)
    print_table(head, lines)


def sizes(rows, ndbytes):
    lines = []
    for work, small, huge in rows:
        runners = [ndbytes.runner(case, 1) for case in (small, huge)]
        samples = [(runners[0](), runners[1]()) for _ in range(22)][2:]
        lines.append([work, *(duration(column) for column in zip(*samples))])
    print_table(["work", "1 KiB", "10 GiB"], lines)


def cpu_model():
    try:
        return re.search(r"model name\s*:\s*(.*)", Path("/proc/cpuinfo").read_text()).group(1)
    except (OSError, AttributeError):
        return platform.processor() or "unknown"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only", default="", help="only rows whose case contains this")
    parser.add_argument("--all-ways", action="store_true", help="list every way of NumPy, not only the best")
    parser.add_argument("--cpus", help="CPUs to run on, such as 2,3: by default the first two that there are")
    arguments = parser.parse_args()
    # The process of ndbytes and all threads inherit it: nobody has more CPUs than threads that are counted.
    cpus = sorted(os.sched_getaffinity(0))[: max(THREADS)]
    if arguments.cpus:
        cpus = [int(cpu) for cpu in arguments.cpus.split(",")]
    os.sched_setaffinity(0, cpus)
    data, rounds, both = arguments.data, arguments.rounds, THREADS
    ndbytes = NdBytes(["cargo", "bench", "--quiet", "--bench", "peers", "--", str(data)])
    gc.disable()

    images = (data / "u8.idx", "u1", IMAGES_OFFSET, IMAGES)
    f32 = (data / "f32.ra", "<f4", F32_OFFSET, F32)
    big_endian = (data / "f32-be.idx", ">f4", F32_BIG_ENDIAN_OFFSET, F32_BIG_ENDIAN)

    def loads(ways, file):
        return {name: once(work, *file) for name, work in ways.items()}

    opened_by, viewed_by, crate = "`np.memmap`", "`np.memmap`, indexed", "crate `rawarray` 0.1.4"
    compared = [
        Row("IDX, 47 MB: open, check, view", "open-u8", {opened_by: opened(*images)}),
        Row("RawArray, 512 MiB: open, check, view", "open-f32", {opened_by: opened(*f32)}),
        Row("IDX: view of a random item", "item-u8", {viewed_by: viewed(*images)}),
        Row("RawArray: view of a random row", "item-f32", {viewed_by: viewed(*f32)}),
        Row("IDX, 47 MB of u8, into memory", "load-u8", loads(LOADS, images), both, 2 * rounds),
        Row("RawArray, 512 MiB of f32, into memory", "load-f32", loads(LOADS, f32), both, rounds),
        Row(
            "IDX, 256 MiB of big-endian f32, into memory",
            "load-f32-be",
            loads(LOADS_BIG_ENDIAN, big_endian),
            both,
            rounds,
        ),
        Row(
            "RawArray, 512 MiB of f32, into memory",
            "load-f32",
            {crate: ndbytes.runner("load-f32-crate", 1)},
            both,
            rounds,
        ),
    ]
    peer = "ML.NET 1.5"
    for kind, file in (("deflate", data / "bench_deflate.idv"), ("none", data / "bench_none.idv")):
        if not file.exists():
            print(f"no rows of IDV: tests/peers/setup.sh installs {peer}, which makes {file}", file=sys.stderr)
            continue
        work = f"IDV, 200,000 rows, compression {kind}: every value"
        compared += [
            Row(f"{work}, into memory", f"idv-{kind}-columns", {peer: ml_net(file)}, both, rounds),
            Row(f"{work}, block by block", f"idv-{kind}-batches", {peer: ml_net(file)}, both, rounds),
        ]
    many = [
        Row("`Checker` over a list of paths", "check-many", threads=both, rounds=rounds),
        Row("`ndbytes check --depth structure FOLDER`, start to end", "check-many-tool", threads=both, rounds=rounds),
    ]
    same = [
        ("`info`", "info-small", "info-huge"),
        ("`check`, depth `structure`", "check-small", "check-huge"),
    ]

    def wanted(rows):
        return [row for row in rows if arguments.only in (row.case if isinstance(row, Row) else row[1])]

    rust = subprocess.run(["rustc", "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    print(
        f"{datetime.date.today()}, {cpu_model()}, {platform.system()} {platform.release()}, NumPy {np.__version__}, "
        f"python-blosc2 {blosc2.__version__} with C-Blosc2 {blosc2.blosclib_version.split()[0]}, on {len(cpus)} CPUs, "
        f"Python {platform.python_version()}, Rust {rust}, crate `rawarray` 0.1.4. Medians, in brackets the least and "
        "the most; behind a ratio, the middle four fifths of the pairs of one round. The files are in the page cache. "
        "On either side, the time of a load ends when the array is usable, giving memory back is not timed, and the "
        "same load, untimed, comes before."
    )
    if wanted(compared):
        compare(wanted(compared), ndbytes, arguments.all_ways)
    compare_b2nd(data, ndbytes, arguments)
    if wanted(many):
        print(f"\n{MANY:,} files of 100 bytes, half IDX, half RawArray:")
        rates(wanted(many), ndbytes)
    if wanted(same):
        print("\nThe size of the file makes no difference:")
        sizes(wanted(same), ndbytes)
    ndbytes.close()


if __name__ == "__main__":
    main()
