"""Makes a table of the rounds: the median of each side, with the least and the greatest one."""

import collections
import statistics
import sys

rounds = collections.defaultdict(list)
for line in sys.stdin:
    spec, size, own, load, other, values = line.split()
    rounds[spec.split("/")[-1], int(size), int(values)].append((float(own), float(other), float(load)))


def shown(times):
    return f"{statistics.median(times):.1f} ({min(times):.1f} to {max(times):.1f})"


print("| format | bytes | values | everybyte, ms | JavaScript, ms | loading, ms |")
print("|---|---:|---:|---:|---:|---:|")
for (spec, size, values), times in rounds.items():
    own, other, load = zip(*times)
    print(f"| `{spec}` | {size:,} | {values:,} | {shown(own)} | {shown(other)} | {statistics.median(load):.2f} |")
