"""Many small files, and files whose size makes no difference."""

import statistics
import sys

from data import MANY
from measure import THREADS, Row, by_turns, duration, measure, print_table


def rates(rows, ndbytes):
    lines = []
    for row in rows:
        samples = measure(row, ndbytes)
        line = [row.work]
        for threads in row.threads:
            rates = [MANY / (time / 1e9) for time in samples[threads].times]
            line.append(f"{statistics.median(rates):,.0f} files/s ({min(rates):,.0f} to {max(rates):,.0f})")
        lines.append(line)
        print(f"{row.work}: done", file=sys.stderr)
    print_table(["work"] + [f"{threads} thread{'s' * (threads > 1)}" for threads in THREADS], lines)


def sizes(cases, ndbytes, rounds):
    lines = []
    for work, small, huge in cases:
        samples = by_turns({case: ndbytes.runner(case, 1) for case in (small, huge)}, rounds)
        lines.append([work, duration(samples[small]), duration(samples[huge])])
    print_table(["work", "1 KiB", "10 GiB"], lines)


def section(data, ndbytes, arguments):
    many = [
        ("`Checker` over a list of paths", "check-many"),
        ("`ndbytes check --depth structure FOLDER`, start to end", "check-many-tool"),
    ]
    same = [("`info`", "info-small", "info-huge"), ("`check`, depth `structure`", "check-small", "check-huge")]
    print(f"\n{MANY:,} files of 100 bytes, half IDX, half RawArray:")
    rates([Row(*row, threads=THREADS, rounds=arguments.rounds) for row in many], ndbytes)
    print("\nThe size of the file makes no difference:")
    sizes(same, ndbytes, arguments.rounds)
