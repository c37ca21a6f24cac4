"""The commands of the tool as functions, with the same option names."""

from __future__ import annotations

import json
import os

from ._results import Diff, Explanation, Picture
from ._tool import Source, documents, limits, options, paths_of, run


def show(
    path,
    *,
    as_=None,
    scale=None,
    tolerate=None,
    byte_order=None,
    void_as=None,
    memory=None,
    time=None,
    output=None,
    storage_options=None,
):
    """Draws an array as an image, a sheet of images, a heat map, lines or a histogram, depending on its shape and type.

    Parameters:
        path: a path, which may end with a slice in NumPy's syntax: ``volume.b2nd[12]``.
            Or bytes, an open file, an array from ``open``, or a NumPy array.
        as_: the kind of picture, instead of the one chosen by shape and type.
        scale: how a heat map maps numbers to colours: ``"rank"`` keeps outliers from hiding other differences.
        tolerate: names of rules that may be violated, as for ``open``.
        byte_order: the byte order of IDX elements, as for ``open``.
        void_as: the type as which to read items of raw bytes, as for ``open``.
        memory, time, output: limits, as for ``open``.
        storage_options: options for object stores, as for ``open``.

    Raises:
        ValueError: if the file cannot be read or is not an array. Raised when the picture is requested, with the tool's message.

    Example:
        >>> import ndbytes
        >>> ndbytes.show("digits-idx3-ubyte.gz", as_="sheet")
        <ndbytes.Picture of 'digits-idx3-ubyte.gz'>
    """
    given = options(as_=as_, scale=scale, tolerate=tolerate, byte_order=byte_order, void_as=void_as)
    return Picture(path, [*limits(memory, time, output), *given], storage_options)


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
    storage_options=None,
):
    """Writes a seal: the digests of files and of their parts, so that ``check`` can detect later changes.

    Parameters:
        paths: one or more files or directories.
        out: the path of the seal. By default, ``ndbytes.seal`` in the directory, or ``FILE.seal`` next to the file.
        broken: also seals files with errors. By default, they are refused.
        depth: ``"structure"`` does not read the payload for the verdict.
        glob: one or more patterns for the files to include from directories.
        gitignore: skips hidden files, and files that .gitignore or .ignore excludes.
        unknown: what to do with files in unknown formats in directories: ``"error"``, ``"count"`` or ``"skip"``.
        memory, time, output: limits, as for ``open``.
        storage_options: options for object stores, as for ``open``.

    Raises:
        ValueError: if a file is broken, or cannot be read or written. The message comes from the tool.

    Example:
        >>> import ndbytes
        >>> ndbytes.seal("surface.ra")
        >>> ndbytes.check("surface.ra", sealed=True).ok
        True
    """
    walking = options(glob=glob, gitignore=gitignore, unknown=unknown)
    given = options(out=out, broken=broken, depth=depth)
    run("seal", *limits(memory, time, output), *walking, *given, "--", *paths_of(paths), storage_options=storage_options)


def explain(path, *, depth=None, memory=None, time=None, output=None, storage_options=None):
    """Explains every byte of a file.

    Parameters:
        path: a file, or a member of an archive: ``model.zip!Data``.
        depth: ``"structure"`` reads no payload.
        memory, time, output: limits, as for ``open``.
        storage_options: options for object stores, as for ``open``.

    Raises:
        ValueError: if the file cannot be read. Raised when the explanation is read, with the tool's message.

    Example:
        >>> import ndbytes
        >>> ndbytes.explain("surface.ra").fields[0]["offset"]
        0
    """
    return Explanation(path, [*limits(memory, time, output), *options(depth=depth)], storage_options)


def info(paths, *, digest=False, glob=None, gitignore=False, unknown=None, memory=None, time=None, output=None, storage_options=None):
    """Describes files. Returns a dictionary, or a list of dictionaries for several files.

    Parameters:
        paths: one or more files or directories.
        digest: adds the digest of the values, which requires reading the payload.
        glob: one or more patterns for the files to include from directories.
        gitignore: skips hidden files, and files that .gitignore or .ignore excludes.
        unknown: what to do with files in unknown formats in directories: ``"error"``, ``"count"`` or ``"skip"``.
        memory, time, output: limits, as for ``open``.
        storage_options: options for object stores, as for ``open``.

    Raises:
        ValueError: if a path cannot be read. The message comes from the tool.

    Example:
        >>> import ndbytes
        >>> ndbytes.info("surface.ra")["format"]
        'rawarray'
    """
    given = options(digest=digest, glob=glob, gitignore=gitignore, unknown=unknown)
    arguments = [*limits(memory, time, output), *given, "--", *paths_of(paths)]
    found = documents("info", "--json", *arguments, accepted=(0, 1), storage_options=storage_options)
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
    storage_options=None,
):
    """Compares two files, or the files of two directories, by structure and values.

    Parameters:
        old, new: two files in any format, or two directories. A file may end with a slice in NumPy's syntax. Bytes, open files,
            arrays and tables from ``open`` and NumPy arrays are also accepted.
        atol: the absolute tolerance, in the unit of the values.
        rtol: the tolerance as a fraction of the larger number.
        ulp: the tolerance in units in the last place.
        bits: also compares the bits of NaNs.
        values_only, structure_only: compare only one of the two.
        ignore: patterns of fields to ignore, such as ``chunks[*].header.*``.
        key: the column that aligns the rows of tables.
        sort: ``"abs"`` lists the largest differences first.
        picture: the PNG or SVG file for a drawing of both arrays and their difference.
        force: replaces an existing file in a known format.
        all: lists all differences.
        most: the maximum number of differences to list, by default 10.
        deny_new: counts files as different if the second one has a finding that the first one does not.
        glob: patterns for the files to compare in directories.
        gitignore: skips files that git ignores.
        unknown: what to do with files in unknown formats in directories.
        config: the contract whose tolerances apply if no tolerance is given, instead of ``.ndbytes.toml``.
        no_config: uses no contract.
        known_as: the path under which to look up the files in the contract.
        memory, time, output: limits, as for ``open``.
        storage_options: options for object stores, as for ``open``.

    Raises:
        ValueError: if a file cannot be read, or options contradict each other. The message comes from the tool.

    Example:
        >>> import ndbytes
        >>> ndbytes.diff("surface.ra", "surface.ra", atol=1e-6).equal
        True
    """
    tolerance = options(atol=atol, rtol=rtol, ulp=ulp, bits=bits)
    parts = options(values_only=values_only, structure_only=structure_only, ignore=ignore, key=key)
    listed = options(sort=sort, all=all, most=most, deny_new=deny_new)
    walking = options(glob=glob, gitignore=gitignore, unknown=unknown)
    contract = options(config=config, no_config=no_config, known_as=known_as)
    arguments = [*limits(memory, time, output), *tolerance, *parts, *listed, *walking, *contract]
    sources = [Source(old), Source(new)]
    arguments += ["--", *(source.path for source in sources)]
    drawn = options(picture=picture, force=force)
    status, document = run("diff", "--json", *drawn, *arguments, accepted=(0, 1), storage_options=storage_options)
    return Diff(json.loads(document), status == 0, arguments, storage_options, sources)


def rules():
    """Lists all rules that files are checked against, as dictionaries.

    Example:
        >>> import ndbytes
        >>> "idx/truncated-payload" in [rule["id"] for rule in ndbytes.rules()]
        True
    """
    return documents("rules", "--json")


def schema(format=None):
    """Lists the layouts of one format or of all formats: types, fields, codes and byte order.

    Parameters:
        format: the name of a format, such as ``"idx"``. By default, all are listed.

    Raises:
        ValueError: if there is no such format.

    Example:
        >>> import ndbytes
        >>> len(ndbytes.schema("idx"))
        1
    """
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
    void_as=None,
    compress=False,
    sheet=None,
    codec=None,
    columns=None,
    times=None,
    keys=None,
    sparse=None,
    nulls=None,
    tz=None,
    layout=None,
    memory=None,
    time=None,
    output=None,
    storage_options=None,
):
    """Converts one file, or several to one.

    A value or type that the target cannot hold is an error, or is changed with ``lossy``. Metadata that it cannot hold is
    left out with a ``FileWarning``, or refused with ``strict``.

    Parameters:
        sources: one or more files. Several are joined.
        out: the new file, which is written atomically.
        to: the format of the output file. By default, its name determines it.
        from_: ``"csv"`` or ``"jsonl"``, for text files without such an extension.
        lossy: changes values and types that the target cannot hold.
        strict: refuses to leave out metadata.
        force: replaces an existing file in a known format.
        tolerate: names of rules that may be violated, as for ``open``.
        byte_order: the byte order of IDX elements, as for ``open``.
        void_as: the type as which to read items of raw bytes, as for ``open``.
        compress: deflates the entries of ``.npz``.
        sheet: rows and columns for a PNG of the first items, such as ``"4x10"``.
        codec: the codec of Zarr chunks.
        columns: the columns of a table to convert, in this order.
        times: the unit of times, as for ``Table.with_options``. ``"auto"`` selects
            microseconds if all times are whole microseconds, otherwise nanoseconds.
        keys, sparse: the form of keys and of sparse vectors, as for ``Table.with_options``.
        nulls, tz: what missing values and times with a zone become, as for ``write_idv``.
        layout: the columns that arrays become: ``"tensors"``, or ``"huggingface"`` for images and labels.
        memory, time, output: limits, as for ``open``.
        storage_options: options for object stores, as for ``open``.

    Raises:
        ValueError: if a file is broken, the target cannot hold the values, or the file exists. The message comes from the tool.

    Example:
        >>> import ndbytes
        >>> ndbytes.convert("digits-idx3-ubyte.gz", "digits.npy")
    """
    reading = options(from_=from_, tolerate=tolerate, byte_order=byte_order, void_as=void_as)
    writing = options(to=to, lossy=lossy, strict=strict, force=force, compress=compress, sheet=sheet, codec=codec)
    names = None if columns is None else ",".join(columns)
    tables = options(columns=names, times=times, keys=keys, sparse=sparse, nulls=nulls, tz=tz, layout=layout)
    arguments = [*limits(memory, time, output), *reading, *writing, *tables, "--", *paths_of(sources), out]
    run("convert", *arguments, storage_options=storage_options)


def merge(base, ours, theirs, out, *, conflicts=None, force=False, memory=None, time=None, output=None, storage_options=None):
    """Merges two edited versions of a file. Rows are matched by content; rows that both sides changed are merged by item or cell.

    Parameters:
        base: the version from which both were edited.
        ours, theirs: the two edited versions.
        out: the merged file. Nothing is written if there is a conflict.
        conflicts: how to resolve values that both sides changed differently.
        force: replaces an existing file in a known format.
        memory, time, output: limits, as for ``open``.
        storage_options: options for object stores, as for ``open``.

    Raises:
        ValueError: if there are conflicts, or a file cannot be read. The message comes from the tool.

    Example:
        >>> import ndbytes
        >>> ndbytes.merge("surface.ra", "surface.ra", "surface.ra", "merged.ra")
    """
    given = options(out=out, conflicts=conflicts, force=force)
    run("merge", *limits(memory, time, output), *given, "--", base, ours, theirs, storage_options=storage_options)


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
    """Makes test files: set one of ``valid``, ``broken``, ``mutate`` and ``seeds``.

    Parameters:
        out: a new or empty directory; for ``seeds``, a zip archive.
        valid: makes files that violate no rule.
        broken: makes files that violate the rule with this name and no other.
        mutate: makes mutants, which are files with changed fields.
        seeds: makes a small corpus of valid files with every feature.
        format: the kinds of files, separated by commas.
        from_: your own files, to mutate or to break.
        seed: a number. The same seed produces the same files.
        count: the number of files per kind.
        profile: the profile that valid files satisfy, as for ``check``.
        size: the maximum length of a file, in bytes.
        repair: which lengths and checksums to recompute after a mutation.
        only: patterns for the fields to change.
        recipes: writes a recipe next to each file.
        manifest: writes a list of the files.
        memory, time, output: limits, as for ``open``.

    Raises:
        ValueError: if the rule or format is unknown, or the directory is not empty. The message comes from the tool.

    Example:
        >>> import ndbytes
        >>> ndbytes.forge("forged", broken="idx/truncated-payload", seed=7)
    """
    kind = options(valid=valid, broken=broken, mutate=mutate, seeds=seeds)
    of = options(format=format, from_=from_, seed=seed, count=count, profile=profile, size=size)
    how = options(repair=repair, only=only, recipes=recipes, manifest=manifest)
    # What follows `--` is a command. With a folder before it, no name looks like an option.
    run("forge", *limits(memory, time, output), *kind, *of, *how, os.path.join(os.curdir, os.fsdecode(out)))


def fix(
    paths,
    *,
    out=None,
    dry_run=False,
    all=False,
    drop=False,
    force=False,
    byte_order=None,
    glob=None,
    gitignore=False,
    unknown=None,
    memory=None,
    time=None,
    output=None,
    storage_options=None,
):
    """Writes repaired copies of broken files into a directory, and returns one dictionary per file.

    The original files are not changed. A dictionary says what was changed and what was dropped, as ``ndbytes fix --json``
    prints it. A file that cannot be read or written has the outcome ``"failed"`` and a message in ``error``; the others are
    still repaired.

    Parameters:
        paths: one or more files or directories.
        out: the directory for the copies.
        dry_run: writes nothing.
        all: also copies files without errors.
        drop: also drops data, if that repairs the file.
        force: replaces files in the directory.
        byte_order: ``"little"`` swaps elements that seem to be in the wrong byte order.
        glob: one or more patterns for the files to include from directories.
        gitignore: skips hidden files, and files that .gitignore or .ignore excludes.
        unknown: what to do with files in unknown formats in directories: ``"error"``, ``"count"`` or ``"skip"``.
        memory, time, output: limits, as for ``open``.
        storage_options: options for object stores, as for ``open``.

    Raises:
        ValueError: if neither ``out`` nor ``dry_run`` is given, or options contradict each other. The message comes from the tool.

    Example:
        >>> import ndbytes
        >>> (plan,) = ndbytes.fix("interrupted-idx3-ubyte", dry_run=True)
        >>> plan["outcome"]
        'repaired'
    """
    if out is None and not dry_run:
        raise ValueError("`out` names the folder for the copies; `dry_run` writes none")
    walking = options(glob=glob, gitignore=gitignore, unknown=unknown)
    given = options(out=out, dry_run=dry_run, all=all, drop=drop, force=force, byte_order=byte_order)
    arguments = [*limits(memory, time, output), *walking, *given, "--", *paths_of(paths)]
    return documents("fix", "--json", *arguments, accepted=(0, 1), tells_failures=True, storage_options=storage_options)
