"""Reads, strictly checks, explains, writes and converts files of arrays and tables.

IDX (MNIST), RawArray, b2nd (Blosc2) and .npy hold arrays, IDV (ML.NET) holds tables.
"""

from collections.abc import Callable, ItemsView, Iterable, Iterator, Mapping, Sequence, ValuesView
from os import PathLike
from typing import Any, Literal, NoReturn, SupportsIndex, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .preflight import Preflight as Preflight
from .preflight import preflight as preflight

__all__ = [
    "Archive",
    "Array",
    "Batches",
    "Column",
    "Diff",
    "Explanation",
    "FileWarning",
    "Finding",
    "InvalidError",
    "LimitError",
    "Picture",
    "Preflight",
    "Report",
    "Table",
    "__version__",
    "check",
    "check_batch",
    "convert",
    "diff",
    "explain",
    "fix",
    "forge",
    "info",
    "merge",
    "open",
    "open_archive",
    "open_array",
    "open_table",
    "preflight",
    "rules",
    "save",
    "schema",
    "seal",
    "show",
    "stats",
    "write_idv",
]

__version__: str

_Path = str | PathLike[str]
_Depth = Literal["structure", "payload"]
_Profile = Literal["strict", "reference"]
_ByteOrder = Literal["big", "little"]
_Unknown = Literal["error", "count", "skip"]

def open(
    source: Any,
    *,
    memory: int | None = None,
    time: float | None = None,
    output: int | None = None,
    tolerate: Sequence[str] | None = None,
    byte_order: _ByteOrder | None = None,
    mmap: bool = True,
) -> Array | Table | Archive:
    """Opens a file of any format: its content says which.

    ``source`` is a path, bytes, a file that is open in binary mode, a file of fsspec, or an address with ``://`` (which takes
    the package fsspec). A path may lead into an archive: ``model.zip!Data``.

    ``memory`` is how many bytes the file may take beyond its own length, by default 1 GiB. ``time`` is how many seconds the work on
    it may take, from its opening on, by default without a bound: after them, what is open reads nothing any more. ``output`` is how
    many bytes may be made of it, by default 64 GiB. All functions of the package that read or write take these three. ``tolerate`` names rules that
    may be broken; no value becomes another by it. ``byte_order`` is that of the elements of IDX, if a writer left another one
    than the format's: a file does not record it. With ``mmap=False`` the whole file is
    read into memory, so that no other program can change it meanwhile.

    Raises ``InvalidError`` if the file breaks a rule, ``LimitError``, ``TimeoutError``, and ``OSError``. What breaks a rule of severity warning
    is read, and a ``FileWarning`` says so.
    """

def open_array(
    source: Any,
    *,
    memory: int | None = None,
    time: float | None = None,
    output: int | None = None,
    tolerate: Sequence[str] | None = None,
    byte_order: _ByteOrder | None = None,
    mmap: bool = True,
) -> Array:
    """Opens a file that holds an array. The options are those of ``open``.

    Raises ``TypeError`` if the file holds something else, and what ``open`` raises.
    """

def open_table(
    source: Any,
    *,
    memory: int | None = None,
    time: float | None = None,
    output: int | None = None,
    tolerate: Sequence[str] | None = None,
    byte_order: _ByteOrder | None = None,
    mmap: bool = True,
) -> Table:
    """Opens a file that holds a table. The options are those of ``open``.

    Raises ``TypeError`` if the file holds something else, and what ``open`` raises.
    """

def open_archive(
    source: Any,
    *,
    memory: int | None = None,
    time: float | None = None,
    output: int | None = None,
    tolerate: Sequence[str] | None = None,
    byte_order: _ByteOrder | None = None,
    mmap: bool = True,
) -> Archive:
    """Opens an archive or a store. The options are those of ``open``.

    Raises ``TypeError`` if the file holds something else, and what ``open`` raises.
    """

@final
class Array:
    """An array of a file. It is read when it is indexed, or when NumPy takes it.

    ``numpy.asarray(array)`` is a view of the file for IDX, RawArray and .npy, in any byte order. The elements of b2nd are
    decoded.
    """

    @property
    def shape(self) -> tuple[int, ...]:
        """The length of each axis."""

    @property
    def ndim(self) -> int:
        """The number of axes."""

    @property
    def size(self) -> int:
        """The number of elements."""

    @property
    def nbytes(self) -> int:
        """The bytes of all elements, decoded."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the elements. What NumPy does not have becomes parts or raw bytes; bfloat16 is that of ml_dtypes if that is there."""

    @property
    def format(self) -> str:
        """The format: ``idx``, ``rawarray``, ``b2nd`` or ``npy``."""

    @property
    def is_fortran(self) -> bool:
        """True if the first axis varies fastest."""

    @property
    def chunks(self) -> tuple[int, ...] | None:
        """The elements of a chunk along each axis; ``None`` if the format has no chunks."""

    @property
    def blocks(self) -> tuple[int, ...] | None:
        """The elements of a block along each axis; ``None`` if the format has no blocks."""

    @property
    def attrs(self) -> dict[str, Any]:
        """The attributes of b2nd."""

    @property
    def meta(self) -> dict[str, Any]:
        """The metalayers of b2nd, but for its own."""

    @property
    def warnings(self) -> list[Finding]:
        """Findings that did not prevent reading."""

    @property
    def tolerated(self) -> list[Finding]:
        """The errors that were tolerated, because ``open`` was told to."""

    def stats(self) -> dict[str, Any]:
        """The statistics of all elements: see ``ndbytes.stats``."""

    def __len__(self) -> int: ...
    def __getitem__(self, key: Any, /) -> Any:
        """Indexes as NumPy does. Integers, slices, ``...`` and ``None`` read only what they select; for lists and masks a
        b2nd array is decoded whole."""

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]: ...
    def __dlpack__(self, **options: Any) -> Any: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...
    def __release_buffer__(self, buffer: memoryview, /) -> None: ...

@final
class Table:
    """A table of a file. pyarrow, polars, pandas and duckdb take it as it is, by Arrow's C stream."""

    @property
    def columns(self) -> list[str]:
        """The names of the columns that can be read and are not hidden, or of those that were selected."""

    @property
    def format(self) -> str:
        """``IDV``."""

    @property
    def version(self) -> str:
        """The version of the format, as ML.NET counts them."""

    @property
    def warnings(self) -> list[Finding]:
        """Findings that did not prevent reading."""

    @property
    def tolerated(self) -> list[Finding]:
        """The errors that were tolerated, because ``open`` was told to."""

    def keys(self) -> list[str]:
        """The names of the columns."""

    def to_pandas(self) -> Any:
        """The table as a ``pandas.DataFrame``, by ``from_arrow``. ``pandas.DataFrame(table)`` raises ``TypeError``: that
        function takes nothing by Arrow's C stream."""

    def stats(self) -> dict[str, Any]:
        """The statistics of the columns: see ``ndbytes.stats``."""

    def select(self, columns: Sequence[str]) -> Table:
        """The same table with these columns, in this order. Only they are read."""

    def with_options(
        self,
        *,
        times: Literal["us", "us-floor", "ns", "ticks"] | None = None,
        keys: Literal["dictionary", "text", "raw"] | None = None,
        sparse: Literal["dense", "struct"] | None = None,
        text: Literal["strict", "lossy"] | None = None,
        rows: int | None = None,
    ) -> Table:
        """The same table with another way to Arrow.

        ``times`` are microseconds (a time that is no whole number of them is an error, or is rounded down), nanoseconds, or
        the ticks of 100 ns as integers. ``keys`` are dictionaries, the texts of their categories, or the numbers that are
        stored. ``sparse`` vectors become dense, or structs of what is stored. ``text`` with half a character is an error, or gets
        U+FFFD. ``rows`` is how many rows a batch has.
        """

    def rows(self, start: int, stop: int) -> Batches:
        """The rows from ``start`` to before ``stop``."""

    def __len__(self) -> int: ...
    def __getitem__(self, key: str, /) -> Column: ...
    def __contains__(self, key: str, /) -> bool: ...
    def __iter__(self) -> NoReturn:
        """Raises ``TypeError``: a table is neither a sequence of rows nor one of columns."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...
    def __arrow_c_schema__(self) -> Any: ...

@final
class Column:
    """A column of a table."""

    @property
    def name(self) -> str:
        """The name."""

    @property
    def type(self) -> str | None:
        """The type, in the words of ML.NET; ``None`` if it is unknown."""

    @property
    def slot_names(self) -> list[str] | None:
        """The names of the slots of vectors."""

    @property
    def categories(self) -> NDArray[Any] | None:
        """The values of the categories that keys stand for: key 1 is the first, key 0 is missing."""

    def read(self, start: int = 0, stop: int | None = None) -> NDArray[Any]:
        """The values of all rows, or of some: one axis, and a second one for vectors. Times are ``M8[100ns]``, durations
        ``m8[100ns]``, texts objects.

        Raises ``TypeError`` for values that NumPy has no array of, and ``ValueError`` for missing values and for vectors of different
        lengths: Arrow has them.
        """

    def __len__(self) -> int: ...
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]: ...

@final
class Batches:
    """Batches that are handed over once, by Arrow's C stream."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...
    def __arrow_c_schema__(self) -> Any: ...

@final
class Archive:
    """A zip archive, or a store of b2nd arrays: a mapping from the names of its members to arrays and tables."""

    def keys(self) -> list[str]: ...
    def values(self) -> ValuesView[Array | Table]: ...
    def items(self) -> ItemsView[str, Array | Table]: ...
    def get(self, name: str, default: Any = None) -> Any: ...
    def __len__(self) -> int: ...
    def __contains__(self, key: str, /) -> bool: ...
    def __iter__(self) -> Iterator[str]: ...
    def __getitem__(self, key: str, /) -> Array | Table: ...

@final
class Finding:
    """One violation of one rule. It can be pickled, and ``to_dict`` gives what JSON can hold."""

    def __new__(cls, attributes: Mapping[str, Any], text: str) -> Finding: ...
    def to_dict(self) -> dict[str, Any]:
        """All attributes by their names, with the member."""

    @property
    def rule(self) -> str:
        """The name of the rule, such as ``idx/trailing-bytes``."""

    @property
    def severity(self) -> str:
        """``error`` or ``warning``; ``unforeseen`` where profile ``reference`` gives no verdict."""

    @property
    def field(self) -> str:
        """The field that breaks it, such as ``dims[0]``; empty if it is the file as a whole."""

    @property
    def space(self) -> int:
        """The space that ``offset`` counts in: 0 is the file, others are what blocks of it decompress to."""

    @property
    def offset(self) -> int:
        """The first byte concerned."""

    @property
    def length(self) -> int:
        """The number of bytes concerned."""

    @property
    def message(self) -> str:
        """A description of the violation."""

    @property
    def expected(self) -> str | None:
        """The value that is required."""

    @property
    def found(self) -> str | None:
        """The value in the file."""

    @property
    def help(self) -> str | None:
        """The consequence, or advice."""

    @property
    def member(self) -> str | None:
        """The member of an archive that it is about."""

    @property
    def reference(self) -> str | None:
        """What the format's reference reader does: ``accepts``, ``refuses`` or ``unforeseen``; ``None`` if it is not concerned."""

class InvalidError(ValueError):
    """A file breaks a rule of its format. The attributes are those of its finding."""

    finding: Finding
    rule: str
    severity: str
    field: str
    space: int
    offset: int
    length: int
    message: str
    expected: str | None
    found: str | None
    help: str | None
    member: str | None
    reference: str | None

class FileWarning(UserWarning):
    """Something about a file that did not prevent what was requested: a finding of severity warning, or what was left out.
    ``finding`` is that finding if it is about one. ``warnings.filterwarnings`` hides or raises such warnings."""

    finding: Finding | None
    def __init__(self, message: str, finding: Finding | None = None) -> None: ...

class LimitError(MemoryError):
    """A file takes more memory than it was granted: see ``memory`` of ``open``."""

@final
class Report:
    """The result of a check. It is true if there is no error."""

    @property
    def format(self) -> str | None:
        """The format, or ``None`` if it is unknown or an archive."""

    @property
    def size(self) -> int:
        """The bytes of the file."""

    @property
    def verdict(self) -> str:
        """``ok``, ``warning``, ``unforeseen`` or ``error``."""

    @property
    def ok(self) -> bool:
        """True if there is no error."""

    @property
    def is_foreign(self) -> bool:
        """True if the file is of no format that ndbytes knows."""

    @property
    def findings(self) -> list[Finding]:
        """The findings, in the order of the checks."""

    def __len__(self) -> int: ...
    def __getitem__(self, key: SupportsIndex, /) -> Finding: ...
    def __bool__(self) -> bool: ...

def check(
    source: Any,
    *,
    depth: _Depth = "payload",
    profile: _Profile = "strict",
    memory: int | None = None,
    time: float | None = None,
    output: int | None = None,
    sealed: bool | _Path | None = None,
) -> Report:
    """Checks a file against all rules of its format.

    ``depth="structure"`` reads no payload. ``profile="reference"`` weighs findings as the format's reference reader would.
    ``sealed`` names a seal that the file is compared with; ``True`` is the one beside it. What changed breaks the rule
    ``changed``.
    """

def check_batch(
    paths: Sequence[_Path],
    table: Literal["findings", "files", "columns"] = "findings",
    *,
    depth: _Depth = "payload",
    profile: _Profile = "strict",
    memory: int | None = None,
    time: float | None = None,
    output: int | None = None,
    digest: bool = False,
    gitignore: bool = False,
) -> Batches:
    """Checks many files, and gives one table about them: a row per finding, per file, or per column of every table. A file
    that cannot be read is a row too. A folder stands for the files of known formats below it, as for ``preflight``. Made for engines that hand out lists of paths: Spark, Dask, Ray."""

def explain(
    path: _Path,
    *,
    depth: _Depth | None = None,
    memory: int | None = None,
    time: float | None = None,
    output: int | None = None,
) -> Explanation:
    """Explains every byte of a file. ``depth="structure"`` reads no payload."""

class Explanation:
    """What every byte of a file is for. In a notebook it shows itself as a page; ``str`` gives text."""

    path: str
    def __init__(self, path: _Path, options: Iterable[str] = ()) -> None: ...
    @property
    def fields(self) -> list[dict[str, Any]]:
        """The fields: dictionaries with path, space, offset, length, type and meaning."""

    @property
    def html(self) -> str:
        """The page."""

def info(
    paths: _Path | Sequence[_Path],
    *,
    digest: bool = False,
    glob: str | Sequence[str] | None = None,
    gitignore: bool = False,
    unknown: _Unknown | None = None,
    memory: int | None = None,
    time: float | None = None,
    output: int | None = None,
) -> dict[str, Any] | list[dict[str, Any]]:
    """What a file holds: a dictionary, or a list of them for several files. The payload is not read, unless ``digest`` asks for the
    digest of the values. ``glob``, ``gitignore`` and ``unknown`` say which files of folders count, as the tool's options do."""

def diff(
    old: _Path,
    new: _Path,
    *,
    atol: float | None = None,
    rtol: float | None = None,
    ulp: int | None = None,
    bits: bool = False,
    values_only: bool = False,
    structure_only: bool = False,
    ignore: str | Sequence[str] | None = None,
    key: str | None = None,
    sort: Literal["index", "abs"] | None = None,
    picture: _Path | None = None,
    force: bool = False,
    all: bool = False,
    most: int | None = None,
    deny_new: bool = False,
    glob: str | Sequence[str] | None = None,
    gitignore: bool = False,
    unknown: _Unknown | None = None,
    config: _Path | None = None,
    no_config: bool = False,
    known_as: _Path | None = None,
    memory: int | None = None,
    time: float | None = None,
    output: int | None = None,
) -> Diff:
    """The differences between two files, in structure and in values, or between the files of two folders.

    ``atol``, ``rtol`` and ``ulp`` are tolerances: absolute, as a fraction of the larger number, and in units in the last place.
    ``bits`` compares the bits of NaNs, too. ``values_only`` and ``structure_only`` compare a part. ``ignore`` has patterns of fields,
    such as ``chunks[*].header.*``. ``key`` names the column by whose values the rows of tables are aligned. ``most`` is the number
    of differences that are listed, by default 10, and ``all`` lists all. ``sort="abs"`` lists the largest first. ``picture`` names a PNG or
    SVG file, in which two arrays and their difference are drawn; ``force`` replaces a file there. With ``deny_new``, files are not equal if the second one
    has a finding that the first one does not have.

    Of two folders, the dictionary has an entry for each file. ``glob``, ``gitignore`` and ``unknown`` say which files of folders count, as
    the tool's options do.

    Without ``atol``, ``rtol`` and ``ulp``, the tolerance of the contract counts, which is ``.ndbytes.toml`` as for the tool. ``config`` names
    another contract, and ``no_config`` uses none. ``known_as`` is the path under which the contract knows the files.
    """

class Diff(dict[str, Any]):
    """The differences between two files: a dictionary as ``ndbytes diff --json`` prints it. ``str`` gives the report. In a
    notebook it shows itself as a page."""

    def __init__(self, document: Mapping[str, Any], equal: bool, arguments: Iterable[_Path]) -> None: ...
    @property
    def equal(self) -> bool:
        """True if nothing differs beyond the tolerance."""

    @property
    def html(self) -> str:
        """The page, which shows both files side by side."""

def stats(
    source: Any,
    *,
    memory: int | None = None,
    time: float | None = None,
    output: int | None = None,
    tolerate: Sequence[str] | None = None,
    byte_order: _ByteOrder | None = None,
) -> dict[str, Any]:
    """The statistics of values, as ``ndbytes stats --json`` prints them: extremes, mean, deviation, what is missing, a histogram.

    ``source`` is anything that ``open`` takes, an ``Array`` or a ``Table``, or an array of NumPy, such as a slice:
    ``ndbytes.stats(array[6:12])``. The options are those of ``open``. An ``Array`` or a ``Table`` takes none: it has the limits of its
    opening.
    """

def rules() -> list[dict[str, Any]]:
    """All rules that files are checked against."""

def show(
    path: _Path,
    *,
    as_: Literal["image", "sheet", "heat", "line", "histogram"] | None = None,
    scale: Literal["linear", "rank"] | None = None,
    tolerate: Sequence[str] | None = None,
    byte_order: _ByteOrder | None = None,
    memory: int | None = None,
    time: float | None = None,
    output: int | None = None,
) -> Picture:
    """Draws an array: images, sheets of images, planes as heat maps, lists as lines. The shape and the type choose the picture, and
    ``as_`` another one. A path may end with a slice in NumPy's syntax: ``volume.b2nd[12]``. With ``scale="rank"``, numbers of a
    heat map become colours by their rank."""

class Picture:
    """A picture of an array. In a notebook it shows itself; ``str`` gives it in characters."""

    path: str
    def __init__(self, path: _Path, options: Iterable[str] = ()) -> None: ...
    def save(self, out: _Path, *, force: bool = False) -> None:
        """Writes the picture to a file: ``out`` ends with ``.png`` or ``.svg``. ``force`` replaces a file of a known format."""

    @property
    def png(self) -> bytes:
        """The bytes of a PNG file."""

    @property
    def svg(self) -> str:
        """The text of an SVG file."""

def schema(format: str | None = None) -> list[dict[str, Any]]:
    """The layouts of a format, or of all: types, fields, codes and the order of bytes."""

def convert(
    sources: _Path | Sequence[_Path],
    out: _Path,
    *,
    to: str | None = None,
    from_: Literal["csv", "jsonl"] | None = None,
    lossy: bool = False,
    strict: bool = False,
    force: bool = False,
    tolerate: Sequence[str] | None = None,
    byte_order: _ByteOrder | None = None,
    compress: bool = False,
    sheet: str | None = None,
    columns: Sequence[str] | None = None,
    times: Literal["us", "us-floor", "ns", "ticks", "auto"] | None = None,
    keys: Literal["dictionary", "text", "raw"] | None = None,
    sparse: Literal["dense", "struct"] | None = None,
    nulls: Literal["error", "nan", "default"] | None = None,
    memory: int | None = None,
    time: float | None = None,
    output: int | None = None,
) -> None:
    """Converts one file, or several to one: the ending of ``out`` says to what. Values that the target cannot hold are refused by
    name, or dropped with ``lossy``. Metadata that it cannot hold is left out with a :class:`FileWarning`, or refused with
    ``strict``.

    ``tolerate`` and ``byte_order`` are those of ``open``. ``from_`` says that text is CSV or JSON Lines. ``compress`` deflates the
    entries of ``.npz``, and ``sheet`` makes a PNG of the first items, such as ``"4x10"``. ``columns`` chooses columns of a table, and
    ``times`` to ``nulls`` how its values are represented, as for ``Table.with_options`` and ``write_idv``.
    """

def merge(
    base: _Path,
    ours: _Path,
    theirs: _Path,
    out: _Path,
    *,
    conflicts: Literal["ours", "theirs", "base"] | None = None,
    force: bool = False,
    memory: int | None = None,
    time: float | None = None,
    output: int | None = None,
) -> None:
    """Merges what two people made of one file: rows by their content, items and cells of rows that both changed one by one.

    Raises ``ValueError`` with the list of conflicts, where both changed the same in different ways, unless ``conflicts`` says which
    version counts there. Nothing is written then.
    """

def forge(
    out: _Path,
    *,
    valid: bool = False,
    broken: str | None = None,
    mutate: bool = False,
    seeds: bool = False,
    format: str | None = None,
    from_: _Path | Sequence[_Path] | None = None,
    seed: int | None = None,
    count: int | None = None,
    profile: _Profile | None = None,
    size: int | None = None,
    repair: str | None = None,
    only: str | None = None,
    recipes: bool = False,
    manifest: bool = False,
    memory: int | None = None,
    time: float | None = None,
    output: int | None = None,
) -> None:
    """Makes files on purpose, in the folder ``out``, which is empty or absent; ``seeds`` makes a zip archive.

    One of four says what: ``valid`` files, files that break the rule ``broken`` and no other, with ``mutate`` mutants along the
    fields, or ``seeds``: a small corpus of valid files with every feature. ``format`` chooses the kinds, ``from_`` files of
    your own that are mutated or broken. The same ``seed`` gives the same files. ``count`` is the number of files of a kind.
    ``size`` bounds their length. ``repair`` says which lengths and sums follow a mutation, and ``only`` which fields change.
    """

def save(
    path: _Path,
    array: ArrayLike,
    *,
    format: Literal["idx", "idx.gz", "ra", "b2nd", "npy"] | None = None,
    chunks: Sequence[int] | None = None,
    blocks: Sequence[int] | None = None,
    codec: Literal["blosclz", "lz4", "lz4hc", "zlib", "zstd"] | None = None,
    level: int | None = None,
    filters: Sequence[Literal["shuffle", "bitshuffle", "delta", "bytedelta"]] | None = None,
    attrs: Mapping[str, Any] | None = None,
    memory: int | None = None,
    time: float | None = None,
    output: int | None = None,
) -> None:
    """Writes an array to a file that appears whole or not at all. ``format`` is chosen by the file extension if it is not given.
    ``chunks`` to ``attrs`` are of b2nd. ``output`` has no default: all is written."""

def write_idv(
    path: _Path,
    table: Any,
    *,
    nulls: Literal["error", "nan", "default"] = "error",
    memory: int | None = None,
    time: float | None = None,
    output: int | None = None,
) -> int:
    """Writes a table, from anything that has Arrow's C stream, to an IDV file that appears whole or not at all, and returns the
    number of rows. IDV has no missing values but NaN and the missing key: ``nulls`` says what others become."""

def seal(
    paths: _Path | Sequence[_Path],
    out: _Path | None = None,
    *,
    broken: bool = False,
    depth: _Depth | None = None,
    glob: str | Sequence[str] | None = None,
    gitignore: bool = False,
    unknown: _Unknown | None = None,
    memory: int | None = None,
    time: float | None = None,
    output: int | None = None,
) -> None:
    """Writes a seal: the digests of files and of their parts, by which ``check`` and ``preflight`` find every byte that changes
    later. The seal of a folder is the file ``ndbytes.seal`` in it, that of a file is ``FILE.seal``, unless ``out`` names
    another. Files with errors are refused, or sealed as they are with ``broken``."""

def fix(
    paths: _Path | Sequence[_Path],
    *,
    out: _Path | None = None,
    dry_run: bool = False,
    all: bool = False,
    force: bool = False,
    byte_order: Literal["little"] | None = None,
    glob: str | Sequence[str] | None = None,
    gitignore: bool = False,
    unknown: _Unknown | None = None,
    memory: int | None = None,
    time: float | None = None,
    output: int | None = None,
) -> list[dict[str, Any]]:
    """Writes repaired copies of broken files into the folder ``out``, and returns what was changed and what was dropped, a
    dictionary a file, as ``ndbytes fix --json`` prints it. The files themselves stay as they are.

    ``dry_run`` writes nothing. ``all`` writes files without errors too. ``force`` replaces files in the folder.
    ``byte_order`` is the order of elements that look swapped. A file that cannot be read or written has the outcome
    ``"failed"`` and its sentence in ``error``: the other files are mended all the same."""
