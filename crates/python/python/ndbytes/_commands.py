"""What the commands of the tool do, as functions. Their options have the names of the tool's."""

from __future__ import annotations

import json
import os

from ._results import Diff, Explanation, Picture
from ._tool import documents, limits, options, paths_of, run


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
    storage_options=None,
):
    """Draws an array: images, sheets of images, planes as heat maps, lists as lines. Shape and type choose the picture.

    Parameters:
        path: a file. It may end with a slice in NumPy's syntax: ``volume.b2nd[12]``.
        as_: another kind of picture than the shape and the type suggest.
        scale: how numbers of a heat map become colours: ``"rank"`` shows differences next to outliers.
        tolerate: names of rules that may be broken, as for ``open``.
        byte_order: the order of the elements of IDX, as for ``open``.
        memory, time, output: limits, as for ``open``.
        storage_options: options of the stores of addresses, as for ``open``.

    Raises:
        ValueError: with the sentence of the tool, as soon as the picture is requested: the file cannot be read, or is no array.

    Example:
        >>> import ndbytes
        >>> ndbytes.show("digits-idx3-ubyte.gz", as_="sheet")
        <ndbytes.Picture of 'digits-idx3-ubyte.gz'>
    """
    given = options(as_=as_, scale=scale, tolerate=tolerate, byte_order=byte_order)
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
    """Writes a seal: the digests of files and of their parts, by which ``check`` finds every byte that changes later.

    Parameters:
        paths: a file or a folder, or several.
        out: the file of the seal. By default that is ``ndbytes.seal`` in the folder, or ``FILE.seal`` beside the file.
        broken: seals files with errors as they are. Otherwise they are refused.
        depth: ``"structure"`` reads no payload for the verdict.
        glob: patterns of names that count in folders, one or several.
        gitignore: skips hidden files, and what .gitignore and the like name.
        unknown: what files of unknown formats in folders are: ``"error"``, ``"count"`` or ``"skip"``.
        memory, time, output: limits, as for ``open``.
        storage_options: options of the stores of addresses, as for ``open``.

    Raises:
        ValueError: with the sentence of the tool: a file is broken, or cannot be read or written.

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
        storage_options: options of the stores of addresses, as for ``open``.

    Raises:
        ValueError: with the sentence of the tool, as soon as the explanation is read: the file cannot be read.

    Example:
        >>> import ndbytes
        >>> ndbytes.explain("surface.ra").fields[0]["offset"]
        0
    """
    return Explanation(path, [*limits(memory, time, output), *options(depth=depth)], storage_options)


def info(paths, *, digest=False, glob=None, gitignore=False, unknown=None, memory=None, time=None, output=None, storage_options=None):
    """Describes files: a dictionary, or a list of them for several files.

    Parameters:
        paths: a file or a folder, or several.
        digest: adds the digest of the values. Only then the payload is read.
        glob: patterns of names that count in folders, one or several.
        gitignore: skips hidden files, and what .gitignore and the like name.
        unknown: what files of unknown formats in folders are: ``"error"``, ``"count"`` or ``"skip"``.
        memory, time, output: limits, as for ``open``.
        storage_options: options of the stores of addresses, as for ``open``.

    Raises:
        ValueError: with the sentence of the tool: a path cannot be read.

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
    """Compares two files, or the files of two folders, in structure and in values.

    Parameters:
        old, new: two files of any formats, or two folders. A file may end with a slice in NumPy's syntax.
        atol: the absolute tolerance, in the unit of the values.
        rtol: the tolerance as a fraction of the larger number.
        ulp: the tolerance in units in the last place.
        bits: compares the bits of NaNs, too.
        values_only, structure_only: compare one of the two.
        ignore: patterns of fields that are not compared, such as ``chunks[*].header.*``.
        key: the column by whose values the rows of tables are aligned.
        sort: ``"abs"`` lists the largest differences first.
        picture: a PNG or SVG file, in which two arrays and their difference are drawn.
        force: replaces a file of a known format there.
        all: lists all differences.
        most: the number of differences that are listed, by default 10.
        deny_new: files are not equal if the second one has a finding that the first one does not have.
        glob: patterns of the files of folders that are compared.
        gitignore: leaves out what git ignores in folders.
        unknown: what to do with files of folders that have no known format.
        config: the contract whose tolerances count where none is given, in place of ``.ndbytes.toml``.
        no_config: uses no contract.
        known_as: the path under which the contract knows the files.
        memory, time, output: limits, as for ``open``.
        storage_options: options of the stores of addresses, as for ``open``.

    Raises:
        ValueError: with the sentence of the tool: a file cannot be read, or options contradict each other.

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
    arguments = [*limits(memory, time, output), *tolerance, *parts, *listed, *walking, *contract, "--", old, new]
    drawn = options(picture=picture, force=force)
    status, document = run("diff", "--json", *drawn, *arguments, accepted=(0, 1), storage_options=storage_options)
    return Diff(json.loads(document), status == 0, arguments, storage_options)


def rules():
    """Lists all rules that files are checked against, as dictionaries.

    Example:
        >>> import ndbytes
        >>> "idx/truncated-payload" in [rule["id"] for rule in ndbytes.rules()]
        True
    """
    return documents("rules", "--json")


def schema(format=None):
    """Lists the layouts of a format, or of all: types, fields, codes and the order of bytes.

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

    Values that the target cannot hold are refused by name, or dropped with ``lossy``. Metadata that it cannot hold is left
    out with a ``FileWarning``, or refused with ``strict``.

    Parameters:
        sources: a file, or several that become one.
        out: the new file, which appears whole or not at all.
        to: the kind of the new file. By default its name says it.
        from_: ``"csv"`` or ``"jsonl"``, for text whose name does not say it.
        lossy: drops what the target cannot hold.
        strict: refuses to leave out metadata.
        force: replaces a file of a known format.
        tolerate: names of rules that may be broken, as for ``open``.
        byte_order: the order of the elements of IDX, as for ``open``.
        compress: deflates the entries of ``.npz``.
        sheet: lines and columns of a PNG of the first items, such as ``"4x10"``.
        codec: the codec of the chunks of Zarr.
        columns: the columns of a table that are converted, in this order.
        times: the unit of times, as for ``Table.with_options``. ``"auto"`` takes
            microseconds if all times are whole ones, else nanoseconds.
        keys, sparse: the form of keys and of sparse vectors, as for ``Table.with_options``.
        nulls, tz: what missing values and times with a zone become, as for ``write_idv``.
        layout: the columns that arrays become: ``"tensors"``, or ``"huggingface"`` for images and labels.
        memory, time, output: limits, as for ``open``.
        storage_options: options of the stores of addresses, as for ``open``.

    Raises:
        ValueError: with the sentence of the tool: a file is broken, the target cannot hold the values, or a file is there already.

    Example:
        >>> import ndbytes
        >>> ndbytes.convert("digits-idx3-ubyte.gz", "digits.npy")
    """
    reading = options(from_=from_, tolerate=tolerate, byte_order=byte_order)
    writing = options(to=to, lossy=lossy, strict=strict, force=force, compress=compress, sheet=sheet, codec=codec)
    names = None if columns is None else ",".join(columns)
    tables = options(columns=names, times=times, keys=keys, sparse=sparse, nulls=nulls, tz=tz, layout=layout)
    arguments = [*limits(memory, time, output), *reading, *writing, *tables, "--", *paths_of(sources), out]
    run("convert", *arguments, storage_options=storage_options)


def merge(base, ours, theirs, out, *, conflicts=None, force=False, memory=None, time=None, output=None, storage_options=None):
    """Merges what two people made of one file: rows by their content, items and cells of rows that both changed one by one.

    Parameters:
        base: the file from which both began.
        ours, theirs: the two files that were made of it.
        out: the merged file. Nothing is written if there is a conflict.
        conflicts: the version that counts where both changed the same in different ways.
        force: replaces a file of a known format.
        memory, time, output: limits, as for ``open``.
        storage_options: options of the stores of addresses, as for ``open``.

    Raises:
        ValueError: with the sentence of the tool: the list of conflicts, or why a file cannot be read.

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
    """Makes files on purpose: one of ``valid``, ``broken``, ``mutate`` and ``seeds`` says which.

    Parameters:
        out: a folder, which is empty or absent. For ``seeds`` it is a zip archive.
        valid: files that break no rule.
        broken: the name of a rule. The files break it, and no other.
        mutate: files that are changed along their fields.
        seeds: a small corpus of valid files with every feature.
        format: the kinds of files, separated by commas.
        from_: files of yours that are mutated or broken.
        seed: a number. The same seed gives the same files.
        count: the number of files of a kind.
        profile: the judgement that the files are made for, as for ``check``.
        size: the maximum length of a file, in bytes.
        repair: the lengths and sums that follow a mutation.
        only: patterns of the fields that change.
        recipes: writes how each file is made beside it.
        manifest: writes a list of the files.
        memory, time, output: limits, as for ``open``.

    Raises:
        ValueError: with the sentence of the tool: there is no such rule or format, or the folder is not empty.

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
    """Writes repaired copies of broken files into a folder, and returns a dictionary for each file.

    The files themselves stay as they are. A dictionary says what was changed and what was dropped, as ``ndbytes fix --json``
    prints it. A file that cannot be read or written has the outcome ``"failed"`` and its sentence in ``error``: the others are
    repaired all the same.

    Parameters:
        paths: a file or a folder, or several.
        out: the folder for the copies.
        dry_run: writes nothing.
        all: copies files without errors, too.
        drop: drops what is in a file beyond its last partial item, where that mends it.
        force: replaces files in the folder.
        byte_order: ``"little"`` swaps elements that look swapped.
        glob: patterns of names that count in folders, one or several.
        gitignore: skips hidden files, and what .gitignore and the like name.
        unknown: what files of unknown formats in folders are: ``"error"``, ``"count"`` or ``"skip"``.
        memory, time, output: limits, as for ``open``.
        storage_options: options of the stores of addresses, as for ``open``.

    Raises:
        ValueError: with the sentence of the tool: neither ``out`` nor ``dry_run`` is given, or options contradict each other.

    Example:
        >>> import ndbytes
        >>> (plan,) = ndbytes.fix("interrupted-idx3-ubyte", dry_run=True)
        >>> plan["outcome"]
        'mended'
    """
    if out is None and not dry_run:
        raise ValueError("`out` names the folder for the copies; `dry_run` writes none")
    walking = options(glob=glob, gitignore=gitignore, unknown=unknown)
    given = options(out=out, dry_run=dry_run, all=all, drop=drop, force=force, byte_order=byte_order)
    arguments = [*limits(memory, time, output), *walking, *given, "--", *paths_of(paths)]
    return documents("fix", "--json", *arguments, accepted=(0, 1), tells_failures=True, storage_options=storage_options)
