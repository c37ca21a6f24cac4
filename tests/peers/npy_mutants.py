"""Compares the verdict of profile `reference` with what NumPy does, on files that are broken at random.

Usage: npy_mutants.py BINARY COUNT FILE...
"""

import random as randomness
import sys
import tempfile
from pathlib import Path

from npy import limit_memory, refusal, refusal_apart
from tool import Tool

# What stands in headers, and what Python or NumPy might make something of.
TOKENS = [
    *"'\"()[]{},:;#\\ \t\n\r\f\0L_-+.~|<>=?@!é0123456789",
    *("L", "0x", "0b1", "1_0", "''", '""', "u'", "r'", "b'", "True", "False", "None", "1L", " L", "\\\n", "# ", "\\x41", "\\101"),
    *("'descr'", "'shape': (1,), ", "'fortran_order': True, ", "(1,)", "()", "-1", "0", "18446744073709551616", "9223372036854775807"),
    *("<f4", ">i8", "|O", "O", "|S3", "<U2", "V4", "b1", "float", "2f4", "f4,i4", "<M8[ns]", "m8[25s]", "c", "l", "[('a', '<f4')]"),
]
# The end of the longest header that is broken on purpose; what follows it is broken at random places.
HEADER = 160


def broken(content, random):
    """The content with one to three changes, most of them in the header."""
    content = bytearray(content)
    for _ in range(random.choice([1, 1, 1, 2, 2, 3])):
        if not content:
            break
        at = random.randrange(min(len(content), HEADER) if random.random() < 0.9 else len(content))
        match random.randrange(9):
            case 0:
                content[at] ^= 1 << random.randrange(8)
            case 1:
                content[at] = random.randrange(256)
            case 2 | 3:
                token = random.choice(TOKENS).encode("latin1")
                content[at : at + len(token)] = token
            case 4:
                insert(content, at, random.choice(TOKENS).encode("latin1"))
            case 5:
                delete(content, at, random.choice([1, 1, 2, 3, 10]))
            case 6:
                insert(content, at, content[at : at + random.choice([1, 2, 5, 20])])
            case 7:
                other = random.randrange(min(len(content), HEADER))
                content[at], content[other] = content[other], content[at]
            case 8 if random.random() < 0.3:
                del content[random.randrange(len(content)) :]
            case 8:
                del content[at]
    return bytes(content)


def padding(content):
    """The place of the last space of a header; -1 if there is none."""
    return content.rfind(b" \n", 0, 4096)


def insert(content, at, token):
    """Inserts into a header, most often so that its length stays."""
    last = padding(content)
    content[at:at] = token
    if at < last and last > len(token):
        del content[last : last + len(token)]


def delete(content, at, length):
    """Deletes from a header so that its length stays."""
    last = padding(content)
    if at + length < last:
        content[last:last] = b" " * length
    del content[at : at + length]


def main():
    tool, count, seeds = Tool(sys.argv[1]), int(sys.argv[2]), [Path(path).read_bytes() for path in sys.argv[3:]]
    random = randomness.Random(1)
    limit_memory()
    agreed, limited, refused, failures = 0, 0, 0, []
    with tempfile.TemporaryDirectory() as folder:
        for start in range(0, count, 500):
            mutants = {}
            for number in range(start, min(start + 500, count)):
                path = Path(folder) / f"{number}.npy"
                mutants[str(path)] = content = broken(random.choice(seeds), random)
                path.write_bytes(content)
            for report in tool.json_lines("check", "--json", "--profile", "reference", *mutants):
                # Limits are the reader's own.
                if any(finding["rule"] == "limit-exceeded" for finding in report["findings"]):
                    limited += 1
                    continue
                may_crash = b"/" in mutants[report["path"]][:HEADER]
                why, verdict = (refusal_apart if may_crash else refusal)(report["path"]), report["verdict"]
                refused += why is not None
                if (verdict == "error") == (why is not None):
                    agreed += 1
                else:
                    failures.append(f"{mutants[report['path']]!r}\n    ndbytes: {report['findings']}\n    NumPy:   {why}")
            for path in mutants:
                Path(path).unlink()
    print(*failures, f"{agreed} of {count} mutants agree, of which NumPy refuses {refused}; {limited} are beyond limits", sep="\n")
    sys.exit(0 if agreed + limited == count else 1)


main()
