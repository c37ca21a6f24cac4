"""Reads the files of a folder in every way, in threads, while the process forks. Prints what came out as JSON."""

import json
import os
import signal
import sys
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import ndbytes
import numpy as np

try:
    import pyarrow
except ImportError:
    pyarrow = None

SAMPLE = Path(__file__).resolve().parents[3] / "samples" / "temperatures.b2nd"
MEMORY = 16 << 20

#: What a file may raise. KeyError is that of names in archives with an empty part, `a//b`: they are listed and not found.
#: A panic is none of them.
OF_FILES = (ValueError, OSError, MemoryError, TypeError, KeyError)


def read(thing):
    """Takes all values of what was opened."""
    if isinstance(thing, ndbytes.Array):
        if thing.nbytes <= MEMORY:
            np.asarray(thing)
            thing[...]
            thing[tuple(slice(None, None, -2) for _ in thing.shape)]
    elif isinstance(thing, ndbytes.Table):
        if pyarrow:
            # A batch at a time: a table may have more rows than memory.
            for _, batch in zip(range(4), pyarrow.RecordBatchReader.from_stream(thing)):
                batch.validate(full=True)
        for name in thing.columns:
            try:
                thing[name].read()
            except TypeError:
                pass
    else:
        for name in thing:
            read(thing[name])


def outcome(action):
    """`value`, or the name of the exception; what no file may raise is marked."""
    try:
        action()
    except OF_FILES as error:
        return type(error).__name__
    except BaseException as error:
        return f"strange: {type(error).__name__}: {error}"
    return "value"


def all_of(path):
    report = []
    outcomes = {
        "read": outcome(lambda: read(ndbytes.open(path, memory=MEMORY))),
        "check": outcome(lambda: report.append(ndbytes.check(path, memory=MEMORY))),
        "explain": outcome(lambda: str(ndbytes.explain(path))),
    }
    sound = bool(report) and report[0].ok
    return str(path), outcomes, sound and outcomes["read"] == "InvalidError"


def fork_until(done):
    """Children that read a sound file while others work; the number of children."""
    expected, count = int(np.asarray(ndbytes.open(SAMPLE)).sum()), 0
    while not done.is_set() and hasattr(os, "fork"):
        child = os.fork()
        if child == 0:
            signal.alarm(60)
            os._exit(0 if int(np.asarray(ndbytes.open(SAMPLE)).sum()) == expected else 1)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        assert status == 0, f"a forked child ended with {status}"
        count += 1
        done.wait(0.2)
    return count


def main(folder):
    warnings.simplefilter("ignore", DeprecationWarning)
    # A folder whose name has an ending is a file of b2nd too.
    paths = sorted(path for path in Path(folder).rglob("*") if path.is_file() or path.suffix)
    paths = [path for path in paths if path.suffix not in (".toml", ".md", ".recipe")]
    done = threading.Event()
    with ThreadPoolExecutor(4) as pool:
        futures = [pool.submit(all_of, path) for path in paths]
        threading.Thread(target=lambda: ([future.exception() for future in futures], done.set())).start()
        forks = fork_until(done)
        results = [future.result() for future in futures]
    counts = {}
    for _, outcomes, _ in results:
        for way, what in outcomes.items():
            name = f"{way}: {what.split(':')[0]}"
            counts[name] = counts.get(name, 0) + 1
    strange = [f"{path}: {what}" for path, outcomes, _ in results for what in outcomes.values() if what.startswith("strange")]
    refused = [path for path, _, refused in results if refused]
    counts |= {"files": len(paths), "forks": forks, "strange": strange[:20], "sound but refused": refused[:20]}
    print(json.dumps(counts))


if __name__ == "__main__":
    main(sys.argv[1])
