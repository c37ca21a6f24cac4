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
            words += [f"{option}={_word(one)}" for one in value]
        elif value is not None and value is not False:
            words.append(f"{option}={_word(value)}")
    return words


def _word(value):
    """A value as a word of a command line. A path that is no UTF-8 keeps its bytes."""
    return os.fsdecode(value) if isinstance(value, (bytes, os.PathLike)) else value


def paths_of(paths):
    """One path, or several, as a list."""
    return [paths] if isinstance(paths, (str, bytes, os.PathLike)) else list(paths)


def as_path(given):
    """A path, or a word of the tool, as text."""
    try:
        return os.fsdecode(given)
    except TypeError:
        kind = type(given).__name__
        raise TypeError(f"the path of a file is needed, not {kind}: `ndbytes.save` writes an array to a file") from None


def run(*arguments, accepted=(0,), tells_failures=False, storage_options=None):
    """Runs the tool, and returns its status and what it prints: with ``tells_failures``, also what could not be read or written."""
    status, out, err = run_captured(["ndbytes", *map(as_path, arguments)], storage_options)
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
