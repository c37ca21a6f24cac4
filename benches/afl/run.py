"""A PNG reader under AFL++, alone and with the forge that a specification guides: the table of results.md.

`run.py READER FORGE SPEC WORK` takes the reader that `run.sh` builds, the C library of the forge, the specification with its overlay
beside it, and a folder for what the runs leave. The two arms of a run start side by side from the same seeds, with the same dictionary
and the same random seed.
"""

import argparse
import os
import re
import shutil
import statistics
import struct
import subprocess
import sys
import time
from pathlib import Path

from engine import QUIET, processor_seconds

#: What is counted, and the words for it in the table.
COUNTED = {"edges": "edges", "queue": "inputs kept", "kept": "of them accepted", "executions": "executions",
           "accepted": "of them accepted", "seconds": "processor seconds"}


class Arm:
    """AFL++ at work in one way."""

    def __init__(self, asked, folder, environment, seed):
        self.asked, self.folder, self.seconds = asked, folder, 0.0
        folder.mkdir(parents=True)
        self.counts = folder / "counts"
        self.counts.write_bytes(bytes(16))
        command = ["afl-fuzz", "-i", asked.work / "seeds", "-o", folder / "out", "-x", asked.work / "png.dict",
                   "-t", "2000", "-s", str(seed), "-V", str(asked.seconds), "--", asked.reader]
        with (folder / "log").open("w") as log:
            self.process = subprocess.Popen(
                command, env={**os.environ, **QUIET, **environment, "READER_COUNTS": str(self.counts)},
                stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True)

    def is_working(self):
        if self.process.poll() is not None:
            return False
        self.seconds = max(self.seconds, processor_seconds(self.process.pid))
        return True

    def results(self):
        if self.process.returncode != 0:
            sys.exit(f"afl-fuzz ended with status {self.process.returncode}: {self.folder}/log")
        queue = self.folder / "out/default/queue"
        inputs = sorted(str(path) for path in queue.iterdir() if path.is_file())
        # The map of a whole queue, by a fresh process without the library.
        map_of = self.folder / "map"
        subprocess.run(["afl-showmap", "-q", "-C", "-i", queue, "-o", map_of, "--", self.asked.reader], check=True,
                       env={**os.environ, **QUIET}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        read = subprocess.run([self.asked.reader, *inputs], capture_output=True, text=True, check=True).stdout
        stats = (self.folder / "out/default/fuzzer_stats").read_text()
        _, accepted = struct.unpack("2Q", self.counts.read_bytes())
        return {"edges": len(map_of.read_text().splitlines()), "queue": len(inputs), "kept": len(read.splitlines()),
                "executions": int(re.search(r"execs_done\s*: (\d+)", stats)[1]), "accepted": accepted,
                "seconds": round(self.seconds)}


def run(asked, seed):
    """The results of both arms, by name."""
    forge = {"AFL_CUSTOM_MUTATOR_LIBRARY": str(asked.forge.resolve()), "NDBYTES_FORGE": f"spec={asked.spec.resolve()}",
             "AFL_POST_REPAIR": "1"}
    folder = asked.work / f"run-{seed}"
    shutil.rmtree(folder, ignore_errors=True)
    arms = {"alone": Arm(asked, folder / "alone", {}, seed), "with the forge": Arm(asked, folder / "forge", forge, seed)}
    while any([arm.is_working() for arm in arms.values()]):
        time.sleep(0.2)
    return {name: arm.results() for name, arm in arms.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("reader", "forge", "spec", "work"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--seconds", type=int, default=300, help="seconds of the clock for each run")
    parser.add_argument("--runs", type=int, default=5, help="pairs of runs, each with another random seed")
    asked = parser.parse_args()
    runs = []
    for seed in range(1, asked.runs + 1):
        runs.append(run(asked, seed))
        print(seed, runs[-1], os.getloadavg(), file=sys.stderr, flush=True)
    print("| AFL++ |", " | ".join(COUNTED.values()), "|")
    print("|---|" + "---:|" * len(COUNTED))
    for arm in runs[0]:
        cells = []
        for what in COUNTED:
            numbers = [results[arm][what] for results in runs]
            cells.append(f"{statistics.median(numbers):,} ({min(numbers):,} to {max(numbers):,})")
        print(f"| {arm} |", " | ".join(cells), "|")


if __name__ == "__main__":
    main()
