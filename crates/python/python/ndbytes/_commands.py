"""What the commands of the tool do, as functions. Their options have the names of the tool's."""

from __future__ import annotations

import json
import os
from html import escape
from tempfile import TemporaryDirectory

from ._tool import documents, limits, options, paths_of, run


def _frame(page):
    """A page inside a notebook."""
    return f'<iframe srcdoc="{escape(page)}" width="100%" height="600" style="border: 0"></iframe>'


class Explanation:
    """What every byte of a file is for. In a notebook it shows itself as a page."""

    def __init__(self, path, options=()):
        self.path = os.fspath(path)
        self._options = tuple(options)
        self._fields = None

    @property
    def fields(self):
        """The fields: dictionaries with path, place, value and meaning."""
        if self._fields is None:
            (document,) = documents("explain", "--json", *self._options, "--", self.path, accepted=(0, 1))
            self._fields = document["spans"]
        return self._fields

    @property
    def html(self):
        """The page, as text."""
        return run("explain", "--html", *self._options, "--", self.path, "-", accepted=(0, 1))[1].decode()

    def _repr_html_(self):
        return _frame(self.html)

    def __str__(self):
        return run("explain", *self._options, "--", self.path, accepted=(0, 1))[1].decode()

    def __repr__(self):
        return f"<ndbytes.Explanation of {self.path!r}>"


class Diff(dict):
    """The differences between two files: a dictionary, a text and a page."""

    def __init__(self, document, equal, arguments):
        super().__init__(document)
        self._equal = equal
        self._arguments = tuple(arguments)

    @property
    def equal(self):
        """True if nothing differs beyond the tolerance."""
        return self._equal

    @property
    def html(self):
        """The page, as text."""
        return run("diff", "--html=-", *self._arguments, accepted=(0, 1))[1].decode()

    def _repr_html_(self):
        return _frame(self.html)

    def __str__(self):
        return run("diff", *self._arguments, accepted=(0, 1))[1].decode()

    def __reduce__(self):
        return Diff, (dict(self), self._equal, self._arguments)


class Picture:
    """A picture of an array. In a notebook it shows itself."""

    def __init__(self, path, options=()):
        self.path = os.fspath(path)
        self._options = tuple(options)

    def save(self, out, *, force=False):
        """Writes the picture to a file: ``out`` ends with ``.png`` or ``.svg``."""
        run("show", *self._options, *options(out=out, force=force), "--", self.path)

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
        return run("show", *self._options, "--", self.path)[1].decode()

    def __repr__(self):
        return f"<ndbytes.Picture of {self.path!r}>"


def show(
    path,
    *,
    as_=None,
    scale=None,
    tolerate=None,
    byte_order=None,
    memory=None,
    time=None,
    output=None,
):
    """Draws an array."""
    given = options(as_=as_, scale=scale, tolerate=tolerate, byte_order=byte_order)
    return Picture(path, [*limits(memory, time, output), *given])


def seal(
    paths,
    out=None,
    *,
    broken=False,
    depth=None,
    glob=None,
    gitignore=False,
    unknown=None,
    memory=None,
    time=None,
    output=None,
):
    """Writes a seal: digests of files and of their parts."""
    walking = options(glob=glob, gitignore=gitignore, unknown=unknown)
    given = options(out=out, broken=broken, depth=depth)
    run("seal", *limits(memory, time, output), *walking, *given, "--", *paths_of(paths))


def explain(path, *, depth=None, memory=None, time=None, output=None):
    """Explains every byte of a file."""
    return Explanation(path, [*limits(memory, time, output), *options(depth=depth)])


def info(paths, *, digest=False, glob=None, gitignore=False, unknown=None, memory=None, time=None, output=None):
    """What a file holds, as a dictionary."""
    given = options(digest=digest, glob=glob, gitignore=gitignore, unknown=unknown)
    found = documents("info", "--json", *limits(memory, time, output), *given, "--", *paths_of(paths), accepted=(0, 1))
    return found[0] if len(found) == 1 else found


def diff(
    old,
    new,
    *,
    atol=None,
    rtol=None,
    ulp=None,
    bits=False,
    values_only=False,
    structure_only=False,
    ignore=None,
    key=None,
    sort=None,
    picture=None,
    force=False,
    all=False,
    most=None,
    deny_new=False,
    glob=None,
    gitignore=False,
    unknown=None,
    config=None,
    no_config=False,
    known_as=None,
    memory=None,
    time=None,
    output=None,
):
    """The differences between two files, or two folders."""
    tolerance = options(atol=atol, rtol=rtol, ulp=ulp, bits=bits)
    parts = options(values_only=values_only, structure_only=structure_only, ignore=ignore, key=key)
    listed = options(sort=sort, all=all, most=most, deny_new=deny_new)
    walking = options(glob=glob, gitignore=gitignore, unknown=unknown)
    contract = options(config=config, no_config=no_config, known_as=known_as)
    arguments = [*limits(memory, time, output), *tolerance, *parts, *listed, *walking, *contract, "--", old, new]
    drawn = options(picture=picture, force=force)
    status, document = run("diff", "--json", *drawn, *arguments, accepted=(0, 1))
    return Diff(json.loads(document), status == 0, arguments)


def rules():
    """All rules, as dictionaries."""
    return documents("rules", "--json")


def schema(format=None):
    """The layouts of a format, or of all, as dictionaries."""
    return documents("schema", "--json", *([] if format is None else [format]))


def convert(
    sources,
    out,
    *,
    to=None,
    from_=None,
    lossy=False,
    strict=False,
    force=False,
    tolerate=None,
    byte_order=None,
    compress=False,
    sheet=None,
    columns=None,
    times=None,
    keys=None,
    sparse=None,
    nulls=None,
    memory=None,
    time=None,
    output=None,
):
    """Converts one file, or several to one."""
    reading = options(from_=from_, tolerate=tolerate, byte_order=byte_order)
    writing = options(to=to, lossy=lossy, strict=strict, force=force, compress=compress, sheet=sheet)
    names = None if columns is None else ",".join(columns)
    tables = options(columns=names, times=times, keys=keys, sparse=sparse, nulls=nulls)
    run("convert", *limits(memory, time, output), *reading, *writing, *tables, "--", *paths_of(sources), out)


def merge(base, ours, theirs, out, *, conflicts=None, force=False, memory=None, time=None, output=None):
    """Merges what two people made of one file."""
    given = options(out=out, conflicts=conflicts, force=force)
    run("merge", *limits(memory, time, output), *given, "--", base, ours, theirs)


def forge(
    out,
    *,
    valid=False,
    broken=None,
    mutate=False,
    seeds=False,
    format=None,
    from_=None,
    seed=None,
    count=None,
    profile=None,
    size=None,
    repair=None,
    only=None,
    recipes=False,
    manifest=False,
    memory=None,
    time=None,
    output=None,
):
    """Makes files on purpose: valid ones, broken ones, mutants."""
    kind = options(valid=valid, broken=broken, mutate=mutate, seeds=seeds)
    of = options(format=format, from_=from_, seed=seed, count=count, profile=profile, size=size)
    how = options(repair=repair, only=only, recipes=recipes, manifest=manifest)
    # What follows `--` is a command. With a folder before it, no name looks like an option.
    run("forge", *limits(memory, time, output), *kind, *of, *how, os.path.join(os.curdir, out))


def fix(
    paths,
    *,
    out=None,
    dry_run=False,
    all=False,
    force=False,
    byte_order=None,
    glob=None,
    gitignore=False,
    unknown=None,
    memory=None,
    time=None,
    output=None,
):
    """Writes repaired copies of broken files into a folder, and returns a dictionary for each file."""
    if out is None and not dry_run:
        raise ValueError("`out` names the folder for the copies; `dry_run` writes none")
    walking = options(glob=glob, gitignore=gitignore, unknown=unknown)
    given = options(out=out, dry_run=dry_run, all=all, force=force, byte_order=byte_order)
    arguments = [*limits(memory, time, output), *walking, *given, "--", *paths_of(paths)]
    return documents("fix", "--json", *arguments, accepted=(0, 1), tells_failures=True)
