"""Formats that have a Kaitai Struct specification: byte maps, checks, values and mutants, without generated code.

>>> from ndbytes.everybyte import Spec
>>> text = "{id: text, type: str, size: length, encoding: UTF-8}"
>>> spec = Spec(text="{meta: {id: note, endian: le}, seq: [{id: length, type: u2}, " + text + "]}")
>>> spec.values(b"\\x02\\x00hi", "length", "text")
[2, 'hi']
>>> spec.check(b"\\x05\\x00hi")[0]["message"]
'5 bytes are needed; 2 are left (specification:1:62)'
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

from ._ndbytes import Specification as _Specification

__all__ = ["Spec"]

#: A file: its path, or its bytes.
_File = str | os.PathLike[str] | bytes | bytearray | memoryview


class Spec:
    """A Kaitai Struct specification (``.ksy``): the format of a kind of file.

    Parameters:
        path: the path of the specification. It imports from its own folder.
        text: the text of a specification, instead of a path.
        folders: folders to search for absolute imports, before those in ``KSY_PATH``.
        overlays: files that add keys to its fields. ``png.overlay.yaml`` next to ``png.ksy`` is always read.

    Raises:
        ValueError: if the specification is invalid, with file, line and column.

    Example:
        >>> from ndbytes.everybyte import Spec
        >>> Spec(text="{meta: {id: pair}, seq: [{id: a, type: u1}, {id: b, type: u1}]}").values(b"\\3\\4", "a * 10 + b")
        [34]
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        text: str | None = None,
        folders: Sequence[str | os.PathLike[str]] = (),
        overlays: Sequence[str | os.PathLike[str]] = (),
    ) -> None:
        if (path is None) == (text is None):
            raise ValueError("a specification is either a path or a text")
        self._native: Any = _Specification(path, text, list(folders), list(overlays))
        self.name: str
        self.title: str
        self.license: str
        self.files: list[str]
        self.warnings: list[str]
        self.name, self.title, self.license, self.files, self.warnings = self._native.facts()

    def __repr__(self) -> str:
        return f"<Spec of {self.name!r}>"

    def explain(self, file: _File) -> dict[str, Any]:
        """Explains every byte of a file, as ``everybyte explain --json`` does. ``spans`` are the fields."""
        found: dict[str, Any] = json.loads(self._native.explain(_bytes_of(file), _name_of(file)))
        return found

    def check(self, file: _File) -> list[dict[str, Any]]:
        """Returns the findings of a file: objects with ``rule``, ``path``, ``offset``, ``length`` and ``message``."""
        found: list[dict[str, Any]] = self.explain(file)["findings"]
        return found

    def values(self, file: _File, *expressions: str) -> list[Any]:
        """Returns the values of expressions, evaluated in the file's outermost structure. Enumeration values are names.

        Raises:
            ValueError: if an expression is invalid, or if the file does not have its value.
        """
        found: list[Any] = self._native.values(_bytes_of(file), list(expressions))
        return found

    def page(self, file: _File, title: str | None = None) -> str:
        """Returns a page for the browser with the bytes, fields and findings of a file. The page loads nothing."""
        page: str = self._native.page(_bytes_of(file), _name_of(file) if title is None else title)
        return page

    def mutate(self, file: _File, seed: int = 0, repair: str = "everything") -> tuple[bytes, str]:
        """Mutates the fields of a file. Returns the mutant and its recipe. The same seed produces the same mutant.

        Parameters:
            file: the file to mutate.
            seed: the number from which all choices are derived.
            repair: what to recompute: ``"everything"``, ``"nothing"``, ``"all-but 16"``, or roles.
        """
        made: tuple[bytes, str] = self._native.mutate(_bytes_of(file), seed, repair)
        return made

    def replay(self, file: _File, recipe: str) -> bytes:
        """Applies the steps of a recipe to a file.

        Raises:
            ValueError: if the recipe is invalid, or does not fit the file.
        """
        made: bytes = self._native.replay(_bytes_of(file), recipe)
        return made

    def rust(self) -> str:
        """Returns the specification as Rust source code with everybyte's layouts.

        Raises:
            ValueError: if a layout cannot express something. The message lists all of it.
        """
        source: str = self._native.rust()
        return source


def _bytes_of(file: _File) -> bytes:
    if isinstance(file, (str, os.PathLike)):
        with open(file, "rb") as stream:
            return stream.read()
    return bytes(file)


def _name_of(file: _File) -> str:
    return os.path.basename(file) if isinstance(file, (str, os.PathLike)) else "file"
