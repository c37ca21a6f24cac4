"""Reads stores of python-blosc2 (`.b2z`), leaf by leaf."""

import os
import resource
import signal
import sys

import blosc2
import numpy as np

MEMORY = 6 << 30
SECONDS = 60


def read(path):
    """Opens a store, and reads all of its leaves."""
    store = blosc2.open(path, mode="r")
    if isinstance(store, blosc2.CTable):
        for name in store.col_names:
            store[name][:]
        return
    for key in list(store.keys()):
        leaf = store[key]
        if type(leaf) is blosc2.NDArray:
            # An array without items cannot be asked for them.
            np.empty(0) if 0 in leaf.shape else np.asarray(leaf[...])
        elif type(leaf) is blosc2.SChunk:
            for chunk in range(leaf.nchunks):
                leaf.decompress_chunk(chunk)
        elif type(leaf) is blosc2.ObjectArray:
            list(leaf)
        elif type(leaf) is blosc2.BatchArray:
            list(leaf.iter_items())


def refusal_apart(path):
    """Why python-blosc2 refuses a store; nothing if it reads all of it. To die of it is to refuse it."""
    child = os.fork()
    if child == 0:
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
            signal.alarm(SECONDS)
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            read(path)
            os._exit(0)
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    return None if status == 0 else f"it ended with {os.waitstatus_to_exitcode(status)}"
