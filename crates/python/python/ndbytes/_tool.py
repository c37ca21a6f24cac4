"""Runs the tool in this process: converts its options, and returns what it prints."""

from __future__ import annotations

import json
import os
import shutil
from tempfile import TemporaryDirectory

from ._ndbytes import Array, Table, run_captured, save, write_idv
from ._warnings import say


def limits(memory, time, output):
    """Returns the tool's options for limits."""
    return options(max_memory=memory, max_time=time, max_output=output)


def options(**given):
    """Returns arguments as options of the tool. None and False are left out; a list repeats the option."""
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
    """Returns a value as a command-line argument. A path that is not UTF-8 keeps its bytes."""
    return os.fsdecode(value) if isinstance(value, (bytes, os.PathLike)) else value


def paths_of(paths):
    """Returns one or more paths as a list."""
    return [paths] if isinstance(paths, (str, bytes, os.PathLike)) else list(paths)


def as_path(given):
    """Returns a path, or another argument of the tool, as text."""
    try:
        return os.fsdecode(given)
    except TypeError:
        kind = type(given).__name__
        raise TypeError(f"the path of a file is needed, not {kind}: `ndbytes.save` writes an array to a file") from None


class Source:
    """An argument of a function that wraps the tool: a path, or anything else that ``open`` accepts or returns. The latter is
    written to a temporary file, which exists as long as this object does. Bytes are the content of a file, as for ``open``."""

    def __init__(self, given):
        self._folder = None
        if isinstance(given, (str, os.PathLike)) or not _has_values(given):
            self.path = as_path(given)
        else:
            self._folder = TemporaryDirectory()
            self.path = _written(given, self._folder.name)


def _has_values(given):
    """True for an array, a table, an open file, and all that gives its bytes."""
    names = ("read", "__array_interface__", "__arrow_c_stream__")
    if isinstance(given, (Array, Table)) or any(hasattr(given, name) for name in names):
        return True
    try:
        memoryview(given)
    except TypeError:
        return False
    return True


def _written(given, folder):
    """Writes an array, a table, or the bytes of an open file or an object to a new file in a folder, and returns its path."""
    if hasattr(given, "read") and not isinstance(given, (Array, Table)):
        path = os.path.join(folder, "file")
        with open(path, "wb") as file:
            shutil.copyfileobj(given, file)
    elif isinstance(given, Table) or hasattr(given, "__arrow_c_stream__"):
        path = os.path.join(folder, "table.idv")
        write_idv(path, given)
    elif isinstance(given, Array) or hasattr(given, "__array_interface__"):
        path = os.path.join(folder, "array.npy")
        save(path, given)
    else:
        path = os.path.join(folder, "file")
        with open(path, "wb") as file:
            file.write(memoryview(given).tobytes())
    return path


def run(*arguments, accepted=(0,), tells_failures=False, storage_options=None):
    """Runs the tool, and returns its status and output. With ``tells_failures``, output with status 2 is not an error."""
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
    """Returns the JSON documents that the tool prints, one per line."""
    return [json.loads(line) for line in run(*arguments, **how)[1].splitlines() if line]
