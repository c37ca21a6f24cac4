"""Limits: every function that reads or writes takes them, and they hold."""

import inspect

import ndbytes
import numpy as np
import pytest
from conftest import SAMPLES

LIMITS = ("memory", "time", "output")

#: Functions that read no file and write none.
WITHOUT = {"rules", "schema"}

FUNCTIONS = [name for name in ndbytes.__all__ if inspect.isroutine(getattr(ndbytes, name))]

TABLE = SAMPLES / "trees.idv"
ARRAY = SAMPLES / "temperatures.b2nd"


def calls(folder):
    """Each function with arguments that make it read or write something."""
    array, store = np.arange(1000.0), folder / "store.npz"
    np.savez(store, a=array)
    return {
        "check": lambda **limits: ndbytes.check(TABLE, **limits),
        "check_batch": lambda **limits: ndbytes.check_batch([TABLE], **limits),
        "convert": lambda **limits: ndbytes.convert(ARRAY, folder / "a.npy", **limits),
        "diff": lambda **limits: ndbytes.diff(TABLE, ARRAY, **limits),
        "explain": lambda **limits: ndbytes.explain(TABLE, **limits).fields,
        "fix": lambda **limits: ndbytes.fix(TABLE, out=folder / "clean", **limits),
        "forge": lambda **limits: ndbytes.forge(folder / "mutants", mutate=True, from_=TABLE, **limits),
        "info": lambda **limits: ndbytes.info(TABLE, **limits),
        "merge": lambda **limits: ndbytes.merge(TABLE, TABLE, TABLE, folder / "m.idv", **limits),
        "open": lambda **limits: ndbytes.open(ARRAY, **limits)[:],
        "open_archive": lambda **limits: ndbytes.open_archive(store, **limits)["a.npy"][:],
        "open_array": lambda **limits: ndbytes.open_array(ARRAY, **limits)[:],
        "open_table": lambda **limits: ndbytes.open_table(TABLE, **limits)["Name"].read(),
        "preflight": lambda **limits: ndbytes.preflight(SAMPLES, **limits),
        "save": lambda **limits: ndbytes.save(folder / "a.b2nd", array, **limits),
        "seal": lambda **limits: ndbytes.seal(folder, broken=True, **limits),
        "show": lambda **limits: ndbytes.show(ARRAY, **limits).png,
        "stats": lambda **limits: ndbytes.stats(array, **limits),
        "write_idv": lambda **limits: ndbytes.write_idv(folder / "a.idv", ndbytes.open(TABLE), **limits),
    }


def test_every_function_takes_every_limit():
    without = set()
    for name in FUNCTIONS:
        parameters = inspect.signature(getattr(ndbytes, name)).parameters
        if not all(limit in parameters and parameters[limit].kind is inspect.Parameter.KEYWORD_ONLY for limit in LIMITS):
            without.add(name)
    assert without == WITHOUT


def test_every_function_hears_that_its_time_is_over(tmp_path):
    ndbytes.save(tmp_path / "x.npy", np.zeros(5))
    asked = calls(tmp_path)
    assert set(asked) == set(FUNCTIONS) - WITHOUT
    for name, ask in asked.items():
        if name in ("check", "preflight", "check_batch", "fix"):
            continue
        with pytest.raises((TimeoutError, ValueError), match="takes longer than the time limit of 0ns"):
            ask(time=0)
    assert not (tmp_path / "a.npy").exists() and not (tmp_path / "a.b2nd").exists()
    (told,) = asked["fix"](time=0)
    assert told["outcome"] == "failed" and "takes longer than the time limit of 0ns" in told["error"]
    # A report has it as a finding.
    assert asked["check"](time=0).findings[0].rule == "limit-exceeded"
    assert all(report.findings[0].rule == "limit-exceeded" for report in asked["preflight"](time=0).broken.values())
    pyarrow = pytest.importorskip("pyarrow")
    assert "limit-exceeded" in pyarrow.table(asked["check_batch"](time=0))["rule"].to_pylist()


def test_enough_of_everything_changes_nothing(tmp_path):
    ndbytes.save(tmp_path / "x.npy", np.zeros(5))
    for ask in calls(tmp_path).values():
        ask(memory=1 << 30, time=3600, output=1 << 30)


def test_time_that_is_no_duration_is_a_value_error():
    for time in (-1, float("nan"), float("inf")):
        with pytest.raises(ValueError):
            ndbytes.open(TABLE, time=time)


def test_a_handle_has_the_limits_of_its_opening(tmp_path):
    with pytest.raises(TimeoutError, match="takes longer"):
        ndbytes.open(ARRAY, time=1e-9)[:]
    with pytest.raises(ValueError, match="limits of its opening"):
        ndbytes.stats(ndbytes.open(ARRAY), time=1)
