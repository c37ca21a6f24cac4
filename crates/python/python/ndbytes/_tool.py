"""Running the tool in this process: its options by Python's names, and what it prints."""

from __future__ import annotations

import json
import os

from ._ndbytes import run_captured
from ._warnings import say


def limits(memory, time, output):
    """The tool's options for limits."""
    return options(max_memory=memory, max_time=time, max_output=output)


def options(**given):
    """The tool's options of these names. A value that is None or False is not given, and one of a list is given for each item."""
    words = []
    for name, value in given.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        if value is True:
            words.append(option)
        elif isinstance(value, (list, tuple)):
            words += [f"{option}={os.fspath(one) if isinstance(one, os.PathLike) else one}" for one in value]
        elif value is not None and value is not False:
            words.append(f"{option}={os.fspath(value) if isinstance(value, os.PathLike) else value}")
    return words


def paths_of(paths):
    """One path, or several, as a list."""
    return [paths] if isinstance(paths, (str, bytes, os.PathLike)) else list(paths)


def run(*arguments, accepted=(0,), tells_failures=False):
    """Runs the tool, and returns its status and what it prints. With ``tells_failures``, that has what could not be read or written."""
    status, out, err = run_captured(["ndbytes", *map(os.fspath, arguments)])
    if tells_failures and status == 2 and out:
        err = "\n".join(words for words in err.splitlines() if words.startswith("warning: "))
    elif status not in accepted:
        words = err.strip() or out.decode("utf-8", "replace").strip()
        raise ValueError(words.removeprefix("error: "))
    for words in filter(None, map(str.strip, err.splitlines())):
        say(words.removeprefix("warning: "))
    return status, out


def documents(*arguments, **how):
    """The JSON documents that the tool prints, one a line."""
    return [json.loads(line) for line in run(*arguments, **how)[1].splitlines() if line]
