"""Third-party readers under fuzzers, blind and with the forge: the table of results.md.

`run.py TARGET` takes the folder in which `run.sh` makes the programs, and a folder of seeds for each kind of file. The arms of
a run start side by side from the same seeds, with the same random seed, and each has the same seconds of processor time. Failures are counted by their place in the reader; details are omitted.
"""

import argparse
import os
import re
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import afl

#: The readers, and the kinds of their files.
READERS = {
    "idx-lib": "idx", "npyz": "npy", "ndarray-npy": "npy", "blosc2-pure-rs": "b2nd", "libflate": "gzip", "zip": "zip",
}

#: The arms of libFuzzer: a name, the program, and the options of the forge.
ARMS = {"blind": ("blind", ""), "forge": ("forged", "off"), "schedule": ("forged", "")}

#: What an input may cost.
LIMITS = ["-max_len=4096", "-timeout=10", "-rss_limit_mb=1024", "-print_final_stats=1", "-print_funcs=0"]

#: The bytes of memory that a reader gets when what was kept is replayed.
MOST_MEMORY = 1 << 30

#: What is replayed is counted no more.
UNRECORDED = {"NDBYTES_FUZZERS_ACCEPTED": os.devnull, "NDBYTES_FUZZERS_FAILED": os.devnull}

TICKS = os.sysconf("SC_CLK_TCK")


def processor_seconds(process):
    """The seconds of processor time that a process took; None if it has ended."""
    try:
        fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / TICKS


class Arm:
    """libFuzzer at work on one reader in one way."""

    def __init__(self, name, asked, kind, seed, folder, environment):
        program, schedule = ARMS[name]
        self.asked, self.seed, self.folder = asked, seed, folder
        self.corpus = folder / "corpus"
        self.corpus.mkdir()
        self.program = asked.target / "release" / program
        self.seeds = asked.target / "seeds" / kind
        self.spent, self.inputs, self.deaths, self.process = 0.0, 0, set(), None
        self.environment = {**environment, "NDBYTES_FUZZERS_SCHEDULE": schedule}

    def start(self):
        self.log = self.folder / "log"
        command = [self.program, f"-seed={self.seed}", *LIMITS, f"-artifact_prefix={self.folder}/", self.corpus, self.seeds]
        with self.log.open("w") as log:
            self.process = subprocess.Popen(command, env=self.environment, stdout=log, stderr=log)
        self.seen = 0.0

    def go_on(self):
        """Looks after the fuzzer; true while it has time. One that died of an input begins again with what it has kept."""
        if self.process.poll() is None:
            self.seen = processor_seconds(self.process) or self.seen
            if self.spent + self.seen < self.asked.seconds:
                return True
            self.process.send_signal(signal.SIGINT)
            self.process.wait()
        ended = self.process.returncode
        self.spent += self.seen
        text = self.log.read_text(errors="replace")
        counted = re.findall(r"stat::number_of_executed_units: (\d+)", text) or re.findall(r"^#(\d+)\t", text, re.M)[-1:]
        self.inputs += sum(map(int, counted))
        if self.spent >= self.asked.seconds:
            return False
        died = re.search(r"memory allocation|out-of-memory|timeout|overflow|ERROR: [^\n]*", text)
        self.deaths.add(died.group(0)[:40] if died else f"status {ended}")
        # A start takes time that is not seen if it is short.
        self.spent += 0.05
        self.start()
        return True


def refuse_memory():
    """Lets a reader have as much memory as AFL++ grants: it goes on where it is refused more, and libFuzzer would end there."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def results(arm, asked, kind):
    """Edges, inputs, accepted ones, and distinct failures."""
    # The same counters for every engine: those of libFuzzer, over what was kept and the seeds.
    command = [asked.target / "release/blind", "-runs=0", *LIMITS, "-rss_limit_mb=0", f"-artifact_prefix={arm.folder}/",
               arm.corpus, asked.target / "seeds" / kind]
    replay = subprocess.run(command, env={**arm.environment, **UNRECORDED}, capture_output=True, text=True, errors="replace",
                            preexec_fn=refuse_memory)
    edges = [int(number) for number in re.findall(r"cov: (\d+)", replay.stderr)]
    if not edges:
        sys.exit(f"what was kept is not replayed: {replay.stderr[-2000:]}")
    accepted, failed = arm.folder / "accepted", arm.folder / "failed"
    failures = set(failed.read_text().splitlines()) if failed.exists() else set()
    return {"edges": max(edges), "inputs": arm.inputs,
            "accepted": accepted.stat().st_size if accepted.exists() else 0, "failures": len(failures) + len(arm.deaths)}


def run(asked, reader, seed):
    """The results of all arms, by name."""
    names, make = ENGINES[asked.engine]
    folder = Path(tempfile.mkdtemp(prefix="ndbytes-fuzzers."))
    try:
        arms = {}
        for number, name in enumerate(names):
            own = folder / str(number)
            own.mkdir()
            record = {"NDBYTES_FUZZERS_ACCEPTED": str(own / "accepted"), "NDBYTES_FUZZERS_FAILED": str(own / "failed")}
            environment = {**os.environ, **record, "NDBYTES_FUZZERS_READER": reader}
            arms[name] = make(name, asked, READERS[reader], seed, own, environment)
            arms[name].start()
        working = list(arms.values())
        while working:
            time.sleep(0.1)
            working = [arm for arm in working if arm.go_on()]
        return {name: results(arm, asked, READERS[reader]) for name, arm in arms.items()}
    finally:
        shutil.rmtree(folder)


#: The arms of each engine, and what makes one.
ENGINES = {"libfuzzer": (ARMS, Arm), "afl": (afl.ARMS, afl.AflArm)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("target", type=Path)
    parser.add_argument("--engine", choices=ENGINES, default="libfuzzer", help="the fuzzer")
    parser.add_argument("--seconds", type=float, default=20, help="processor seconds of each arm")
    parser.add_argument("--runs", type=int, default=3, help="runs of each reader, each with another random seed")
    parser.add_argument("--reader", action="append", choices=READERS, help="this reader alone; may be repeated")
    asked = parser.parse_args()
    for reader in asked.reader or READERS:
        runs = []
        for seed in range(1, asked.runs + 1):
            runs.append(run(asked, reader, seed))
            print(reader, seed, runs[-1], file=sys.stderr, flush=True)
        for name in ENGINES[asked.engine][0]:
            of_arm = [results[name] for results in runs]
            middle = {what: int(statistics.median(results[what] for results in of_arm)) for what in of_arm[0]}
            edges = ", ".join(str(results["edges"]) for results in of_arm)
            print(f"| {reader} | {name} | {asked.runs} x {asked.seconds:g} | {edges} | {middle['edges']} | "
                  f"{middle['inputs']:,} | {middle['accepted']:,} | {middle['failures']} |", flush=True)


if __name__ == "__main__":
    main()
