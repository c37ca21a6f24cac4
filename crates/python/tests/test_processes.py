"""Processes and threads: forks, pools, signals."""

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import ndbytes
import numpy as np
import pytest
from conftest import SAMPLES

FIELD = SAMPLES / "temperatures.b2nd"


def total(array):
    return int(np.asarray(array).sum())


def total_of(path):
    return total(ndbytes.open(path))


@pytest.fixture
def field():
    array = ndbytes.open(FIELD)
    # The threads of this process are there before it forks.
    assert total(array) == total_of(FIELD)
    return array


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_reads_what_its_parent_opened(field):
    expected = total(field)
    for _ in range(3):
        child = os.fork()
        if child == 0:
            # A grandchild too.
            grandchild = os.fork()
            right = total(field) == expected and total_of(FIELD) == expected
            if grandchild:
                right = right and os.waitstatus_to_exitcode(os.waitpid(grandchild, 0)[1]) == 0
            os._exit(0 if right else 1)
        watch = threading.Timer(60, os.kill, (child, signal.SIGKILL))
        watch.start()
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        watch.cancel()
        assert status == 0


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_pools_of_processes_read(field, method):
    context = multiprocessing.get_context(method)
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        assert list(pool.map(total, [field] * 4, timeout=120)) == [total(field)] * 4


def test_threads_share_an_array(field):
    with ThreadPoolExecutor(8) as pool:
        rows = list(pool.map(lambda row: total(field[row % 168]), range(400)))
    whole = np.asarray(field)
    assert rows == [int(whole[row % 168].sum()) for row in range(400)]


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
def test_ctrl_c_ends_a_long_call(tmp_path):
    program = textwrap.dedent("""
        import os, signal, sys, threading, ndbytes
        class Slow:
            def read(self, count):
                import time
                time.sleep(30)
                return b""
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            ndbytes.open(Slow())
        except KeyboardInterrupt:
            os._exit(7)
    """)
    done = subprocess.run([sys.executable, "-c", program], timeout=20)
    assert done.returncode == 7
