"""Measuring in turn: samples of time, memory at its peak, sizes; and the words and tables that show them."""

import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

THREADS = (1, 2)


@dataclass
class Sample:
    """One piece of work: its nanoseconds, the bytes by which the process grew at its peak, the bytes that it wrote."""

    time: float
    peak: int = 0
    size: int = 0


class Samples:
    """What one side took, round by round."""

    def __init__(self):
        self.all = []

    @property
    def times(self):
        return [sample.time for sample in self.all]

    @property
    def median(self):
        return statistics.median(self.times)

    @property
    def peak(self):
        return statistics.median(sample.peak for sample in self.all)

    @property
    def size(self):
        return self.all[-1].size


def resident(name):
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(name))
    return int(line.split()[1]) << 10


def watched(run):
    """Work of this process that gives its nanoseconds, as work that gives its memory too."""

    def watch():
        Path("/proc/self/clear_refs").write_text("5")
        before = resident("VmRSS")
        elapsed = run()
        return Sample(elapsed, max(0, resident("VmHWM") - before))

    return watch


def once(work, *arguments):
    """The time to a usable result; giving its memory back is not timed. The work is done once before, so that nobody
    pays for the state in which another left memory and page cache."""

    def run():
        work(*arguments)
        start = time.perf_counter_ns()
        result = work(*arguments)
        elapsed = time.perf_counter_ns() - start
        del result
        return elapsed

    return watched(run)


def averaged(work, turns):
    """The time of one of so many turns, all of which the work does."""

    def run():
        start = time.perf_counter_ns()
        work()
        return (time.perf_counter_ns() - start) / turns

    return watched(run)


#: Runs a program, and prints its seconds, its processor seconds and its KiB at its peak. A program counts the memory of the process that
#: started it as its own, so that a small one does.
LAUNCHER = """
import os, sys, time
start = time.perf_counter()
running = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)])
_, status, usage = os.wait4(running, 0)
print(time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
sys.exit(os.waitstatus_to_exitcode(status))
"""


def launched(command, allowed=(0,), environment=None):
    """Runs a program: its nanoseconds, those of processors, and its memory at its peak. Another status than those allowed ends everything."""
    ended = subprocess.run([sys.executable, "-c", LAUNCHER, *command], stdout=subprocess.PIPE, text=True, env=environment)
    if ended.returncode not in allowed:
        sys.exit(f"{command} ended with {ended.returncode}")
    elapsed, processor, peak = map(float, ended.stdout.split())
    return round(1e9 * elapsed), round(1e9 * processor), int(peak) << 10


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
            elapsed, peak, size = answer.split()
            return Sample(float(elapsed), int(peak), int(size))

        return run

    def close(self):
        self.process.stdin.close()
        self.process.wait()


@dataclass
class Row:
    """One line of a table: what ndbytes does, and the ways in which others do the same: on any number of threads, or on as many
    as ndbytes."""

    work: str
    case: str
    peers: dict = field(default_factory=dict)
    by_threads: dict = field(default_factory=dict)
    threads: tuple = (1,)
    rounds: int = 15

    def peers_on(self, threads):
        return self.peers | self.by_threads.get(threads, {})


def by_turns(runners, rounds):
    """Samples of everybody: in rounds, each with everybody in it, in another order every time."""
    samples = {name: Samples() for name in runners}
    names = list(runners)
    for turn in range(-2, rounds):
        order = names[turn % len(names) :] + names[: turn % len(names)]
        for name in order if turn % 2 else reversed(order):
            sample = runners[name]()
            if turn >= 0:  # the first rounds warm up
                samples[name].all.append(sample)
    return samples


def measure(row, ndbytes):
    """Samples of the peers, by their names, and of ndbytes, by numbers of threads."""
    peers = {name: run for threads in row.threads for name, run in row.peers_on(threads).items()}
    return by_turns(peers | {threads: ndbytes.runner(row.case, threads) for threads in row.threads}, row.rounds)


def best(samples, names=None):
    """The fastest of some peers, or of all."""
    names = names or [name for name in samples if isinstance(name, str)]
    return min(names, key=lambda name: samples[name].median)


UNITS = ((1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1, "ns"))


def three_digits(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def duration(samples):
    times = samples.times
    median = statistics.median(times)
    scale, name = next(((scale, name) for scale, name in UNITS if median >= scale), UNITS[-1])
    low, median, high = (three_digits(value / scale) for value in (min(times), median, max(times)))
    return f"{median} {name} ({low} to {high})"


def ratio(peer, ours):
    pairs = sorted(one / other for one, other in zip(peer.times, ours.times))
    tenths = statistics.quantiles(pairs, n=10, method="inclusive")
    return f"**{three_digits(peer.median / ours.median)}** ({three_digits(tenths[0])} to {three_digits(tenths[-1])})"


def rate(samples, size):
    times = samples.times
    low, median, high = (three_digits(size / one) for one in (max(times), statistics.median(times), min(times)))
    return f"{median} ({low} to {high})"


def mebibytes(count):
    return f"{three_digits(count / (1 << 20))} MiB"


def print_table(head, lines):
    print()
    for line in (head, ["---"] * len(head), *lines):
        print("| " + " | ".join(line) + " |")


def compare(rows, ndbytes, all_ways=False):
    """A table of rows beside the fastest of their peers."""
    lines, details = [], []
    for row in rows:
        samples, line, peer = measure(row, ndbytes), [], ""
        for threads in THREADS:
            if threads not in row.threads:
                line += ["", "", ""]
                continue
            peer = best(samples, row.peers_on(threads))
            line += [duration(samples[peer]), duration(samples[threads]), ratio(samples[peer], samples[threads])]
        memory = [mebibytes(samples[peer].peak), mebibytes(samples[row.threads[-1]].peak)]
        lines.append([row.work, peer.split(" on ")[0], *line, *memory])
        details += [[row.work, name, duration(samples[name])] for name in samples if isinstance(name, str)]
        print(f"{row.work}: done", file=sys.stderr)
    head = [each for n in THREADS for each in ("peer", f"ndbytes, {n} thread{'s' * (n > 1)}", "times as fast")]
    print_table(["work", "peer", *head, "peer's memory", "memory of ndbytes"], lines)
    if all_ways:
        print_table(["work", "peer", "time"], details)
