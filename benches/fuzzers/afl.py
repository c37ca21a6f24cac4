"""One fuzzer at work: AFL++ on a reader, alone and with the library of the forge."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "afl"))
from engine import QUIET, processor_seconds  # noqa: E402

#: The arms: a name, and the options of the library; `None` without it.
ARMS = {"AFL++, blind": None, "AFL++, forge": "schedule=off", "AFL++, schedule": ""}

#: What an input may cost, in megabytes, milliseconds and bytes.
LIMITS = ["-m", "1024", "-t", "1000", "-G", "4096"]

#: The kinds of what is kept beside the queue.
ENDS = ("crashes", "hangs")


class AflArm:
    """AFL++ at work on one reader in one way."""

    def __init__(self, name, asked, kind, seed, folder, environment):
        self.asked, self.folder, self.spent = asked, folder, 0.0
        forge = ARMS[name]
        if forge is not None:
            library = asked.target / "library/release/libndbytes_forge.so"
            options = ",".join(filter(None, [f"format={kind}", forge]))
            environment = {**environment, "AFL_CUSTOM_MUTATOR_LIBRARY": str(library), "NDBYTES_FORGE": options}
        self.environment = {**environment, **QUIET, "AFL_FORKSRV_INIT_TMOUT": "60000"}
        self.command = ["afl-fuzz", "-i", asked.target / "seeds" / kind, "-o", folder / "out", "-s", str(seed), *LIMITS,
                        "--", asked.target / "afl/release/blind"]

    @property
    def found(self):
        return self.folder / "out/default"

    def start(self):
        with (self.folder / "log").open("w") as log:
            self.process = subprocess.Popen(self.command, env=self.environment, stdout=log, stderr=log,
                                            stdin=subprocess.DEVNULL, start_new_session=True)

    def go_on(self):
        """Looks after the fuzzer; true while it has time."""
        if self.process.poll() is not None:
            sys.exit(f"afl-fuzz ended with status {self.process.returncode}: {(self.folder / 'log').read_text()[-2000:]}")
        self.spent = max(self.spent, processor_seconds(self.process.pid))
        if self.spent < self.asked.seconds:
            return True
        self.process.send_signal(signal.SIGINT)
        self.process.wait()
        return False

    @property
    def corpus(self):
        return self.found / "queue"

    @property
    def inputs(self):
        return int(re.search(r"execs_done\s*: (\d+)", (self.found / "fuzzer_stats").read_text())[1])

    @property
    def deaths(self):
        """The kinds of exits other than panics."""
        return {kind for kind in ENDS if any(path.name.startswith("id") for path in (self.found / kind).glob("*"))}
