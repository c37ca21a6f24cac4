"""What both benches of AFL++ need: how it is asked to run beside other work, and the time that it takes."""

import os
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")

#: What AFL++ is to leave alone, on a machine that others share.
QUIET = dict(AFL_NO_UI="1", AFL_NO_AFFINITY="1", AFL_SKIP_CPUFREQ="1", AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES="1")


def processor_seconds(first):
    """The seconds that a process and all below it took, and what ended below them. AFL++ gives a reader a session of its own."""
    parents, took = {}, {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        process = int(stat.parent.name)
        parents[process], took[process] = int(fields[1]), sum(map(int, fields[11:15]))

    def is_below(process):
        while process not in (0, 1, first):
            process = parents.get(process, 0)
        return process == first

    return sum(ticks for process, ticks in took.items() if is_below(process)) / TICKS
