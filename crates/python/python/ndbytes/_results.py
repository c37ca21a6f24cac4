"""The objects that functions return: an explanation, the differences between two files, a picture."""

from __future__ import annotations

import os
from html import escape
from tempfile import TemporaryDirectory

from . import _html
from ._tool import Source, as_path, documents, options, run


def _frame(page):
    """Returns a page as part of a notebook."""
    return f'<iframe srcdoc="{escape(page)}" width="100%" height="600" style="border: 0"></iframe>'


class Explanation:
    """The meaning of every byte of a file: see ``explain``. A notebook shows it as a page; ``str`` returns text.

    Example:
        >>> import ndbytes
        >>> explanation = ndbytes.explain("surface.ra")
        >>> explanation.fields[0]["path"]
        'magic'
    """

    def __init__(self, path, options=(), storage_options=None):
        #: The path of the file.
        self.path = as_path(path)
        self._options = tuple(options)
        self._how = {"storage_options": storage_options}
        self._fields = None

    @property
    def fields(self):
        """The fields: dictionaries with path, space, offset and length in bytes, type and meaning."""
        if self._fields is None:
            (document,) = documents("explain", "--json", *self._options, "--", self.path, accepted=(0, 1), **self._how)
            self._fields = document["spans"]
        return self._fields

    @property
    def html(self):
        """The page as HTML."""
        return run("explain", "--html=-", *self._options, "--", self.path, accepted=(0, 1), **self._how)[1].decode()

    def _repr_html_(self):
        return _frame(self.html)

    def __str__(self):
        return run("explain", *self._options, "--", self.path, accepted=(0, 1), **self._how)[1].decode()

    def __repr__(self):
        return f"<ndbytes.Explanation of {self.path!r}>"


class Diff(dict):
    """The differences between two files: a dictionary as ``ndbytes diff --json`` prints it. ``str`` returns the report.

    A notebook shows it as a card with the verdict. ``html`` is the page with both files side by side.

    Example:
        >>> import ndbytes
        >>> found = ndbytes.diff("digits-idx3-ubyte.gz", "interrupted-idx3-ubyte")
        >>> found.equal, found["verdict"]
        (False, 'incomplete')
    """

    def __init__(self, document, equal, arguments, storage_options=None, sources=()):
        super().__init__(document)
        # Files that were made for the comparison are there as long as they may be compared again.
        self._sources = tuple(sources)
        self._equal = equal
        self._arguments = tuple(arguments)
        self._storage_options = storage_options

    @property
    def equal(self):
        """True if nothing differs beyond the tolerance."""
        return self._equal

    @property
    def html(self):
        """The page, which shows both files side by side."""
        how = {"accepted": (0, 1), "storage_options": self._storage_options}
        return run("diff", "--html=-", *self._arguments, **how)[1].decode()

    def _repr_html_(self):
        return _html.diff(self)

    def __str__(self):
        return run("diff", *self._arguments, accepted=(0, 1), storage_options=self._storage_options)[1].decode()

    def __repr__(self):
        return f"<ndbytes.Diff: {self['verdict']}>"

    def __reduce__(self):
        return Diff, (dict(self), self._equal, self._arguments, self._storage_options)


class Picture:
    """A picture of an array: see ``show``. A notebook shows it; ``str`` draws it with characters.

    Example:
        >>> import ndbytes
        >>> picture = ndbytes.show("temperatures.b2nd")
        >>> picture.png[1:4]
        b'PNG'
    """

    def __init__(self, path, options=(), storage_options=None):
        self._source = Source(path)
        #: The path of the file, with its slice. What is in no file has one of its own.
        self.path = self._source.path
        self._options = tuple(options)
        self._how = {"storage_options": storage_options}

    def save(self, out, *, force=False):
        """Writes the picture to a file.

        Parameters:
            out: the path of the file, which must end with ``.png`` or ``.svg``.
            force: replaces an existing file in a known format.

        Raises:
            ValueError: if the array cannot be drawn, or the file cannot be written.

        Example:
            >>> import ndbytes
            >>> ndbytes.show("temperatures.b2nd").save("temperatures.svg")
        """
        run("show", *self._options, *options(out=out, force=force), "--", self.path, **self._how)

    def _as(self, ending):
        with TemporaryDirectory() as folder:
            out = os.path.join(folder, f"picture.{ending}")
            self.save(out)
            with open(out, "rb") as file:
                return file.read()

    @property
    def png(self):
        """The bytes of a PNG file."""
        return self._as("png")

    @property
    def svg(self):
        """The text of an SVG file."""
        return self._as("svg").decode()

    def _repr_png_(self):
        return self.png

    def __str__(self):
        return run("show", *self._options, "--", self.path, **self._how)[1].decode()

    def __repr__(self):
        return f"<ndbytes.Picture of {self.path!r}>"
