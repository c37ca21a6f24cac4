"""Times the peers in this process and ndbytes in another, in turn; prints the results as Markdown, or writes them to the docs."""

import argparse
import contextlib
import datetime
import gc
import io
import os
import platform
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import blosc2
import numpy as np
import pyarrow
import zarr

import arrays
import b2nd
import commands
import package
import small
import stores
import tables
import writing
from measure import THREADS, NdBytes

SECTIONS = {
    "arrays": arrays.section,
    "tables": tables.section,
    "b2nd": b2nd.section,
    "writing": writing.section,
    "stores": stores.section,
    "small": small.section,
    "commands": commands.section,
    "package": package.section,
}

PAGE = Path("docs/src/internals/speed.md")


@dataclass
class Arguments:
    """What the sections are told."""

    only: str
    rounds: int
    all_ways: bool
    tool: Path

    def chosen(self, rows):
        return [row for row in rows if self.only in row.case]


def cpu_model():
    try:
        return re.search(r"model name\s*:\s*(.*)", Path("/proc/cpuinfo").read_text()).group(1)
    except (OSError, AttributeError):
        return platform.processor() or "unknown"


def conditions(cpus, rounds):
    rust = subprocess.run(["rustc", "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    return (
        f"Measured on {datetime.date.today()}: {cpu_model()}, {cpus} CPUs, {platform.system()} {platform.release().split('-')[0]}, "
        f"Rust {rust}, Python {platform.python_version()}, NumPy {np.__version__}, python-blosc2 {blosc2.__version__} with "
        f"C-Blosc2 {blosc2.blosclib_version.split()[0]}, pyarrow {pyarrow.__version__}, zarr {zarr.__version__}; {rounds} rounds."
    )


def put(section, text):
    """Puts a measured section into the page, between its marks."""
    page = PAGE.read_text()
    begin, end = f"<!-- {section}: benches/peers/run.sh --section {section} --write -->\n", f"<!-- end of {section} -->"
    before, rest = page.split(begin)
    _, after = rest.split(end)
    PAGE.write_text(f"{before}{begin}{text}{end}{after}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("process", type=Path)
    parser.add_argument("tool", type=Path)
    parser.add_argument("--section", choices=SECTIONS, help="one section instead of all")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only", default="", help="only rows whose case contains this")
    parser.add_argument("--all-ways", action="store_true", help="list every way of the peers, not only the best")
    parser.add_argument("--cpus", help="CPUs to run on, such as 2,3: by default the first two that there are")
    parser.add_argument("--write", action="store_true", help=f"put the results into {PAGE}")
    parsed = parser.parse_args()
    # The process of ndbytes and all threads inherit it: nobody has more CPUs than threads that are counted.
    cpus = sorted(os.sched_getaffinity(0))[: max(THREADS)]
    if parsed.cpus:
        cpus = [int(cpu) for cpu in parsed.cpus.split(",")]
    os.sched_setaffinity(0, cpus)
    arguments = Arguments(parsed.only, parsed.rounds, parsed.all_ways, parsed.tool.resolve())
    data = parsed.data.resolve()
    ndbytes = NdBytes([parsed.process.resolve(), data, arguments.tool])
    gc.disable()
    for name, section in SECTIONS.items():
        if parsed.section not in (None, name):
            continue
        with contextlib.redirect_stdout(io.StringIO()) as shown:
            print(conditions(len(cpus), parsed.rounds))
            section(data, ndbytes, arguments)
            print()
        print(shown.getvalue(), flush=True)
        if parsed.write:
            put(name, shown.getvalue())
    ndbytes.close()


if __name__ == "__main__":
    sys.exit(main())
