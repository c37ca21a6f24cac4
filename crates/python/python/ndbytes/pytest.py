"""A pytest plugin: ``assert_same`` compares arrays, tables and files. On failure, it reports the verdict and a picture.

Installing the package enables the plugin. A test uses the fixture ``assert_same``, or imports the function:

>>> from ndbytes.pytest import assert_same
>>> assert_same("surface.ra", "surface.ra", atol=1e-6)
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy
import pytest

from . import Array, diff, save, write_idv

#: The maximum number of lines of a report that a failure shows.
LINES = 40


def assert_same(
    a: Any,
    b: Any,
    *,
    atol: float | None = None,
    rtol: float | None = None,
    ulp: int | None = None,
    bits: bool = False,
    key: str | None = None,
    pictures: str | os.PathLike[str] | None = None,
) -> None:
    """Fails if the values of two files, arrays or tables differ beyond a tolerance.

    A failure shows the report of ``ndbytes diff`` and the path of a PNG with both arrays and their difference.

    Parameters:
        a, b: files in any format, an ``Array`` or a ``Table``, objects with an Arrow C stream, or what NumPy can convert.
        atol, rtol, ulp, bits, key: as for ``diff``.
        pictures: the folder for the picture. By default, the one that ``--ndbytes-pictures`` names, or a temporary one.

    Raises:
        AssertionError: if they differ.
        ValueError: if a file cannot be read.

    Example:
        >>> from ndbytes.pytest import assert_same
        >>> assert_same([1.0, 2.0], [1.0, 2.0 + 1e-9], atol=1e-6)
    """
    __tracebackhide__ = True
    with tempfile.TemporaryDirectory() as folder:
        old, new = _file(a, folder, "a"), _file(b, folder, "b")
        found = diff(old, new, atol=atol, rtol=rtol, ulp=ulp, bits=bits, key=key, values_only=True, sort="abs")
        if found.equal:
            return
        report = str(found).replace(folder + os.sep, "").splitlines()
        more = [f"… {len(report) - LINES} more lines"] if len(report) > LINES else []
        drawn = _draw(old, new, pictures)
        # Nothing of a file steers the terminal: the tool escapes it.
        raise AssertionError("\n".join([f"not the same: {found['verdict']}", *report[:LINES], *more, *drawn]))


def _file(given: Any, folder: str, name: str) -> str:
    """Returns the path of a file with these values."""
    if isinstance(given, (str, bytes, os.PathLike)):
        return os.fsdecode(given)
    # An array gives its rows as a table, too.
    if hasattr(given, "__arrow_c_stream__") and not isinstance(given, Array):
        path = os.path.join(folder, f"{name}.idv")
        write_idv(path, given)
        return path
    path = os.path.join(folder, f"{name}.npy")
    save(path, numpy.asarray(given) if isinstance(given, Array) else given)
    return path


def _draw(old: str, new: str, pictures: str | os.PathLike[str] | None) -> list[str]:
    """Returns the line that names the picture, or says why there is none."""
    try:
        place = Path(os.fspath(pictures or _folder or tempfile.mkdtemp(prefix="ndbytes-")))
        place.mkdir(parents=True, exist_ok=True)
        name = re.sub(r"[^\w.-]", "_", os.environ.get("PYTEST_CURRENT_TEST", "difference").rpartition(" ")[0] or "difference")
        number = sum(1 for _ in place.glob("*.png"))
        path = place / f"{name[-100:]}-{number}.png"
        diff(old, new, values_only=True, picture=path, force=True)
        return [f"picture: {path}"] if path.exists() else ["picture: none, since there is nothing to draw"]
    except (ValueError, OSError) as reason:
        return [f"picture: none, since {reason}"]


#: The folder that the option names.
_folder: str | None = None


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the option for the picture folder."""
    group = parser.getgroup("ndbytes")
    group.addoption("--ndbytes-pictures", metavar="FOLDER", help="where `assert_same` leaves pictures of differences")


def pytest_configure(config: pytest.Config) -> None:
    """Stores the picture folder."""
    global _folder
    _folder = config.getoption("--ndbytes-pictures", default=None)


@pytest.fixture(name="assert_same")
def assert_same_fixture() -> Iterator[Callable[..., None]]:
    """The function ``assert_same``."""
    yield assert_same
