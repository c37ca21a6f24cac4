"""Supports common idioms of NumPy and other packages, or raises errors that say what to write instead."""

from __future__ import annotations

import numpy
from numpy.lib.mixins import NDArrayOperatorsMixin

from ._ndbytes import Archive, Array, Column, Table

#: NumPy operators that are not supported: an array in a file cannot be written to.
IN_PLACE = "__i"


def _truth(self):
    if self.size != 1:
        raise ValueError(
            "an array of several elements, or of none, is neither true nor false: look at its `size`, or at `numpy.any`"
        )
    return bool(numpy.asarray(self).item())


def _contains(self, value):
    return bool((numpy.asarray(self) == value).any())


def _array_lacks(self, name):
    advice = f": `numpy.asarray(array).{name}` has it" if hasattr(numpy.ndarray, name) and name[:1] != "_" else ""
    raise AttributeError(f"an ndbytes.Array has no attribute {name!r}{advice}", name=name, obj=self)


def _table_lacks(self, name):
    hidden = name.startswith("_") or self.closed
    is_column = not hidden and name in self
    advice = f": its column is `table[{name!r}]`" if is_column else "" if hidden else ELSEWHERE
    raise AttributeError(f"an ndbytes.Table has no attribute {name!r}{advice}", name=name, obj=self)


#: Where a table has what others call by other names.
ELSEWHERE = ": `columns`, `len(table)` and `stats()` describe it, `to_pandas`, `to_polars` and `to_arrow` give its values"


def _column_lacks(self, name):
    advice = "" if name.startswith("_") else ": `read()` gives its values as an array of NumPy"
    raise AttributeError(f"an ndbytes.Column has no attribute {name!r}{advice}", name=name, obj=self)


def _archive_lacks(self, name):
    advice = "" if name.startswith("_") else ": it is a mapping, whose `keys()` are the names of its members"
    raise AttributeError(f"an ndbytes.Archive has no attribute {name!r}{advice}", name=name, obj=self)


def install():
    """Adds these idioms to the classes."""
    # An operator takes the elements as NumPy has them, and gives an array of NumPy.
    for name, operator in vars(NDArrayOperatorsMixin).items():
        if callable(operator) and name.startswith("__") and not name.startswith(IN_PLACE) or name == "__invert__":
            setattr(Array, name, operator)
    # Handles are keys by what they are, not by what they hold.
    Array.__hash__ = object.__hash__
    Array.__bool__ = _truth
    Array.__contains__ = _contains
    Array.__getattr__ = _array_lacks
    Table.__getattr__ = _table_lacks
    Column.__getattr__ = _column_lacks
    Archive.__getattr__ = _archive_lacks
