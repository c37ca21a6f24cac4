"""Validates pyarrow tables before they are used.

pyarrow does not validate what it reads from a file. Arrow's C interface does not state the length of a buffer, so a recipient of a
table cannot validate it either.
"""


def validated(table):
    """Returns ``table``, or a reader that validates each of its batches.

    Raises ``ValueError`` (pyarrow's ``ArrowInvalid``) if offsets, views, keys or texts are invalid. Tables of other packages are
    returned unchanged, because these packages created the buffers themselves.
    """
    if type(table).__module__.partition(".")[0] != "pyarrow":
        return table
    if hasattr(table, "validate"):
        table.validate(full=True)
        return table
    if hasattr(table, "read_next_batch"):
        return type(table).from_batches(table.schema, _each_validated(table))
    return table


def _each_validated(reader):
    for batch in reader:
        batch.validate(full=True)
        yield batch
