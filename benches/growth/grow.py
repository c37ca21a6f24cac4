"""Times whole processes of the tool over files of growing size, and prints the results as Markdown, or writes them to the docs."""

import argparse
import datetime
import math
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

PAGE = Path("docs/src/internals/growth.md")
MIB = 1 << 20

# The least time of three runs is what a size takes; work that takes longer than this is done once.
LONG = 5.0

# A process that does nothing takes about this long: shorter times say nothing about growth.
FLOOR = 0.005

# More than this, and a work is not linear.
BOUND = 1.1


@dataclass
class Series:
    """What grows, the sizes that it has, and what the tool is asked to do with the files, by name."""

    name: str
    title: str
    sizes: list
    works: dict


BYTES = [MIB, 8 * MIB, 64 * MIB, 512 * MIB, 8192 * MIB]
COUNTS = [100, 1000, 10_000, 100_000, 1_000_000]

SERIES = [
    Series(
        "npy",
        "Bytes of booleans, .npy",
        BYTES,
        {"check": "check a.npy", "stats": "stats a.npy", "seal": "seal a.npy", "cat": "cat a.npy"},
    ),
    Series(
        "b2nd",
        "Decoded bytes, b2nd",
        BYTES,
        {
            "check": "check a.b2nd",
            "stats": "stats a.b2nd",
            "seal": "seal a.b2nd",
            "cat": "cat a.b2nd",
            "diff": "diff a.b2nd b.b2nd",
        },
    ),
    Series(
        "idv",
        "Decoded bytes, IDV",
        BYTES,
        {
            "check": "check a.idv",
            "stats": "stats a.idv",
            "seal": "seal a.idv",
            "cat": "cat a.idv",
            "convert to Arrow": "convert --to arrows a.idv -",
        },
    ),
    Series(
        "chunks",
        "Chunks of b2nd",
        COUNTS,
        {
            "check": "check a.b2nd",
            "check, structure": "check --depth structure a.b2nd",
            "explain": "explain --json a.b2nd",
            "cat": "cat a.b2nd",
            "stats": "stats a.b2nd",
            "seal": "seal a.b2nd",
            "diff": "diff a.b2nd b.b2nd",
        },
    ),
    Series(
        "columns",
        "Columns of IDV",
        [10, 100, 1000, 10_000],
        {
            "info": "info a.idv",
            "check": "check a.idv",
            "explain": "explain --json a.idv",
            "cat": "cat a.idv",
            "stats": "stats a.idv",
            "diff": "diff a.idv b.idv",
            "convert to Arrow": "convert --to arrows a.idv -",
        },
    ),
    Series("members", "Members of zip", [10, 100, 1000, 10_000, 60_000], {"info": "info a.npz", "check": "check a.npz"}),
    Series(
        "files",
        "Small files",
        COUNTS,
        {
            "check": "check files",
            "check, structure": "check --depth structure files",
            "seal": "seal files",
            "check, sealed": "check --sealed files",
        },
    ),
]


def run(command, folder):
    """The seconds that a process takes, and its memory at the peak. Its output goes nowhere."""
    start = time.perf_counter()
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    elapsed = time.perf_counter() - start
    # A comparison that finds differences ends with 1.
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        sys.exit(f"{' '.join(map(str, command))}: {said.decode()}")
    return elapsed, usage.ru_maxrss << 10


def measure(command, folder):
    runs = [run(command, folder)]
    while len(runs) < 3 and runs[0][0] < LONG:
        runs.append(run(command, folder))
    times, peaks = zip(*runs)
    return min(times), statistics.median(peaks)


def exponent(sizes, times):
    """The slope between the two largest sizes that take longer than a process which does nothing: 1 is linear."""
    points = [(size, seconds) for size, seconds in zip(sizes, times) if seconds >= FLOOR][-2:]
    if len(points) < 2:
        return 0.0
    (size, seconds), (larger, longer) = points
    return math.log(longer / seconds) / math.log(larger / size)


def shown_size(series, size):
    if series.sizes is BYTES:
        return f"{size // MIB} MiB" if size < 1024 * MIB else f"{size // MIB // 1024} GiB"
    return f"{size:,}"


def shown_time(seconds):
    if seconds >= 1:
        return f"{seconds:.3g} s"
    return f"{seconds * 1e3:.3g} ms"


def grow(series, tool, scratch):
    """What each work takes at each size."""
    taken = {work: [] for work in series.works}
    for size in series.sizes:
        folder = scratch / series.name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        maker = Path(__file__).with_name("make.py")
        subprocess.run([sys.executable, maker, series.name, str(size), folder], check=True)
        for work, arguments in series.works.items():
            taken[work].append(measure([tool, *arguments.split()], folder))
            print(f"{series.name}, {size}, {work}: {taken[work][-1]}", file=sys.stderr)
        shutil.rmtree(folder)
    return taken


def table(series, taken):
    """The Markdown of a series: a line for each work."""
    head = ["work", *(shown_size(series, size) for size in series.sizes), "exponent", "memory"]
    lines = [head, ["---"] * len(head)]
    for work, points in taken.items():
        times = [seconds for seconds, _ in points]
        least, most = points[0][1] / MIB, max(peak for _, peak in points) / MIB
        slope = exponent(series.sizes, times)
        verdict = f"**{slope:.2f}**" if slope > BOUND else f"{slope:.2f}"
        lines.append([work, *map(shown_time, times), verdict, f"{least:.0f} to {most:.0f} MiB"])
    return f"\n### {series.title}\n\n" + "".join("| " + " | ".join(line) + " |\n" for line in lines)


def conditions(tool):
    model = re.search(r"model name\s*:\s*(.*)", Path("/proc/cpuinfo").read_text()).group(1)
    version = subprocess.run([tool, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]
    kernel = platform.release().split("-")[0]
    return f"Measured on {datetime.date.today()}: {model}, {os.cpu_count()} CPUs, {platform.system()} {kernel}, {version}.\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool", type=Path)
    parser.add_argument("scratch", type=Path)
    parser.add_argument("--only", choices=[series.name for series in SERIES])
    parser.add_argument("--write", action="store_true", help=f"put the results into {PAGE}")
    arguments = parser.parse_args()
    if arguments.write and arguments.only:
        parser.error("--write is of all series")
    tool = arguments.tool.resolve()
    text = conditions(tool)
    for series in SERIES:
        if arguments.only in (None, series.name):
            text += table(series, grow(series, tool, arguments.scratch.resolve()))
    print(text)
    if arguments.write:
        begin, end = "<!-- benches/growth/run.sh --write -->\n", "<!-- end -->"
        before, rest = PAGE.read_text().split(begin)
        PAGE.write_text(f"{before}{begin}{text}\n{end}{rest.split(end)[1]}")


if __name__ == "__main__":
    main()
