"""Reads, strictly checks, explains, writes and converts files of arrays and tables.

IDX (MNIST), RawArray, b2nd (Blosc2) and .npy hold arrays, IDV (ML.NET) holds tables.
"""

from collections.abc import Callable, ItemsView, Iterable, Iterator, Mapping, Sequence, ValuesView
from os import PathLike
from typing import Any, Literal, NoReturn, Self, SupportsIndex, final, overload

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

_Path = str | bytes | PathLike[str] | PathLike[bytes]
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
    tolerate: str | Sequence[str] | None = None,
    byte_order: _ByteOrder | None = None,
    mmap: bool = True,
    storage_options: dict[str, Any] | None = None,
) -> Array | Table | Archive:
    """Opens a file of any format: its content says which.

    A violation of severity warning is read, and a ``FileWarning`` says so.

    Parameters:
        source: a path, bytes, a file that is open in binary mode, a file of fsspec, or an address with ``://``. Bytes are the
            content of a file. A path may lead into an archive: ``model.zip!Data``. Of addresses, ``https://``, ``s3://``, ``gs://`` and
            ``az://`` need no other package.
        memory: bytes that the file may take beyond its own length, by default 1 GiB.
        time: seconds that the work on it may take, from its opening on, by default without a bound.
        output: bytes that may be made of it, by default 64 GiB.
        tolerate: the name of a rule that may be broken, or several. No value becomes another by it.
        byte_order: ``"big"`` or ``"little"``, the order of the elements of IDX. A file does not record another one.
        mmap: ``False`` reads the whole file into memory, so that no other program can change it meanwhile.
        storage_options: options of the store of an address, such as ``{"aws_region": "eu-west-1"}``. They go before the
            variables of the environment. fsspec's names, such as ``key`` and ``endpoint_url``, serve as well.

    Raises:
        InvalidError: if the file breaks a rule of severity error.
        LimitError, TimeoutError: if it takes more memory or time than that.
        OSError: if it cannot be read.
        ValueError: if an argument has no such value.

    Example:
        >>> import ndbytes
        >>> ndbytes.open("digits-idx3-ubyte.gz").shape
        (10, 28, 28)
    """

def open_array(
    source: Any,
    *,
    memory: int | None = None,
    time: float | None = None,
    output: int | None = None,
    tolerate: str | Sequence[str] | None = None,
    byte_order: _ByteOrder | None = None,
    mmap: bool = True,
    storage_options: dict[str, Any] | None = None,
) -> Array:
    """Opens a file that holds an array.

    Parameters:
        source: a path, bytes, an open file, a file of fsspec, or an address, as for ``open``.
        memory, time, output: limits, as for ``open``.
        tolerate, byte_order, mmap, storage_options: as for ``open``.

    Raises:
        TypeError: if the file holds something else.
        InvalidError, LimitError, TimeoutError, OSError: as for ``open``.

    Example:
        >>> import ndbytes
        >>> with ndbytes.open_array("surface.ra") as opened:
        ...     length = len(opened)
    """

def open_table(
    source: Any,
    *,
    memory: int | None = None,
    time: float | None = None,
    output: int | None = None,
    tolerate: str | Sequence[str] | None = None,
    byte_order: _ByteOrder | None = None,
    mmap: bool = True,
    storage_options: dict[str, Any] | None = None,
) -> Table:
    """Opens a file that holds a table.

    Parameters:
        source: a path, bytes, an open file, a file of fsspec, or an address, as for ``open``.
        memory, time, output: limits, as for ``open``.
        tolerate, byte_order, mmap, storage_options: as for ``open``.

    Raises:
        TypeError: if the file holds something else.
        InvalidError, LimitError, TimeoutError, OSError: as for ``open``.

    Example:
        >>> import ndbytes
        >>> with ndbytes.open_table("trees.idv") as opened:
        ...     length = len(opened)
    """

def open_archive(
    source: Any,
    *,
    memory: int | None = None,
    time: float | None = None,
    output: int | None = None,
    tolerate: str | Sequence[str] | None = None,
    byte_order: _ByteOrder | None = None,
    mmap: bool = True,
    storage_options: dict[str, Any] | None = None,
) -> Archive:
    """Opens a file that holds an archive or a store.

    Parameters:
        source: a path, bytes, an open file, a file of fsspec, or an address, as for ``open``.
        memory, time, output: limits, as for ``open``.
        tolerate, byte_order, mmap, storage_options: as for ``open``.

    Raises:
        TypeError: if the file holds something else.
        InvalidError, LimitError, TimeoutError, OSError: as for ``open``.

    Example:
        >>> import ndbytes
        >>> with ndbytes.open_archive("model.zip") as opened:
        ...     length = len(opened)
    """

@final
class Array:
    """An array of a file. It is read when it is indexed, or when NumPy takes it.

    ``numpy.asarray(array)`` is a view of the file for IDX, RawArray and .npy, in any byte order. The elements of b2nd are
    decoded. ``with`` closes it.

    Example:
        >>> import ndbytes
        >>> field = ndbytes.open_array("temperatures.b2nd")
        >>> field.shape, field[0, :2].tolist()
        ((168, 6), [90, 115])
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
        """The type of the elements. Of types that NumPy does not have, it is that of their parts or of raw bytes."""

    @property
    def format(self) -> str:
        """The format: ``idx``, ``rawarray``, ``b2nd`` or ``npy``."""

    @property
    def is_fortran(self) -> bool:
        """True if the first axis varies fastest."""

    @property
    def chunks(self) -> tuple[int, ...] | None:
        """The elements of a chunk along each axis, or ``None`` if the format has no chunks."""

    @property
    def blocks(self) -> tuple[int, ...] | None:
        """The elements of a block along each axis, or ``None`` if the format has no blocks."""

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

    def close(self) -> None:
        """Closes the array: it reads nothing any more, and its methods raise ``ValueError``. A second call does nothing.

        Views by NumPy, and what else was made of the array, stay valid. The file is let go when they are gone.

        Example:
            >>> import ndbytes
            >>> with ndbytes.open_array("surface.ra") as array:
            ...     low = array[...].min()
        """

    @property
    def closed(self) -> bool:
        """True after ``close``, or after the ``with`` block."""

    def __enter__(self) -> Self: ...
    def __exit__(self, *_exception: object) -> None: ...
    def _repr_html_(self) -> str: ...
    def stats(self) -> dict[str, Any]:
        """Gathers the statistics of all elements: see ``ndbytes.stats``.

        Raises:
            InvalidError: if a chunk is broken.

        Example:
            >>> import ndbytes
            >>> ndbytes.open_array("temperatures.b2nd").stats()["series"][0]["min"]
            90
        """

    def __len__(self) -> int: ...
    def __getitem__(self, key: Any, /) -> Any:
        """Indexes as NumPy does. Integers, slices, ``...`` and ``None`` read only what they select; for lists and masks a
        b2nd array is decoded whole."""

    def __lt__(self, other: Any, /) -> Any: ...
    def __le__(self, other: Any, /) -> Any: ...
    def __gt__(self, other: Any, /) -> Any: ...
    def __ge__(self, other: Any, /) -> Any: ...
    def __eq__(self, other: object, /) -> Any: ...
    def __ne__(self, other: object, /) -> Any: ...
    def __hash__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __contains__(self, value: Any, /) -> bool: ...
    def __add__(self, other: Any, /) -> Any: ...
    def __radd__(self, other: Any, /) -> Any: ...
    def __sub__(self, other: Any, /) -> Any: ...
    def __rsub__(self, other: Any, /) -> Any: ...
    def __mul__(self, other: Any, /) -> Any: ...
    def __rmul__(self, other: Any, /) -> Any: ...
    def __matmul__(self, other: Any, /) -> Any: ...
    def __rmatmul__(self, other: Any, /) -> Any: ...
    def __truediv__(self, other: Any, /) -> Any: ...
    def __rtruediv__(self, other: Any, /) -> Any: ...
    def __floordiv__(self, other: Any, /) -> Any: ...
    def __rfloordiv__(self, other: Any, /) -> Any: ...
    def __mod__(self, other: Any, /) -> Any: ...
    def __rmod__(self, other: Any, /) -> Any: ...
    def __divmod__(self, other: Any, /) -> Any: ...
    def __rdivmod__(self, other: Any, /) -> Any: ...
    def __pow__(self, other: Any, /) -> Any: ...
    def __rpow__(self, other: Any, /) -> Any: ...
    def __lshift__(self, other: Any, /) -> Any: ...
    def __rlshift__(self, other: Any, /) -> Any: ...
    def __rshift__(self, other: Any, /) -> Any: ...
    def __rrshift__(self, other: Any, /) -> Any: ...
    def __and__(self, other: Any, /) -> Any: ...
    def __rand__(self, other: Any, /) -> Any: ...
    def __xor__(self, other: Any, /) -> Any: ...
    def __rxor__(self, other: Any, /) -> Any: ...
    def __or__(self, other: Any, /) -> Any: ...
    def __ror__(self, other: Any, /) -> Any: ...
    def __neg__(self) -> Any: ...
    def __pos__(self) -> Any: ...
    def __abs__(self) -> Any: ...
    def __invert__(self) -> Any: ...
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]: ...
    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...
    def __buffer__(self, flags: int, /) -> memoryview: ...
    def __release_buffer__(self, buffer: memoryview, /) -> None: ...

@final
class Table:
    """A table of a file. pyarrow, polars, pandas and duckdb take it as it is, by Arrow's C stream. ``with`` closes it.

    Example:
        >>> import ndbytes
        >>> trees = ndbytes.open_table("trees.idv")
        >>> len(trees), trees["Name"].read()[0]
        (4, 'pine')
    """

    @property
    def columns(self) -> list[str]:
        """The names of the columns that can be read and are not hidden, or of those that were selected."""

    @property
    def format(self) -> str:
        """The format: ``IDV``."""

    @property
    def version(self) -> str:
        """The version of the format, as ML.NET counts them."""

    @property
    def warnings(self) -> list[Finding]:
        """Findings that did not prevent reading."""

    @property
    def tolerated(self) -> list[Finding]:
        """The errors that were tolerated, because ``open`` was told to."""

    def close(self) -> None:
        """Closes the table: it reads nothing any more, and its methods raise ``ValueError``. A second call does nothing.

        Columns, selections and streams that were made of it stay valid. The file is let go when they are gone.

        Example:
            >>> import ndbytes
            >>> with ndbytes.open_table("trees.idv") as table:
            ...     rows = len(table)
        """

    @property
    def closed(self) -> bool:
        """True after ``close``, or after the ``with`` block."""

    def __enter__(self) -> Self: ...
    def __exit__(self, *_exception: object) -> None: ...
    def _repr_html_(self) -> str: ...
    def keys(self) -> list[str]:
        """Lists the names of the columns.

        Example:
            >>> import ndbytes
            >>> ndbytes.open_table("trees.idv").keys()[0]
            'Name'
        """

    def to_pandas(self) -> Any:
        """Makes a ``pandas.DataFrame`` of it, by ``from_arrow``. ``pandas.DataFrame(table)`` itself raises ``TypeError``.

        Raises:
            ImportError: if pandas is not installed.

        Example:
            >>> import ndbytes
            >>> ndbytes.open_table("trees.idv").to_pandas().shape[0]
            4
        """

    def to_polars(self) -> Any:
        """Makes a ``polars.DataFrame`` of it.

        Raises:
            ImportError: if polars is not installed.

        Example:
            >>> import ndbytes
            >>> ndbytes.open_table("trees.idv").to_polars().height
            4
        """

    def to_arrow(self) -> Any:
        """Makes a ``pyarrow.Table`` of it.

        Raises:
            ImportError: if pyarrow is not installed.

        Example:
            >>> import ndbytes
            >>> ndbytes.open_table("trees.idv").to_arrow().num_rows
            4
        """

    def stats(self) -> dict[str, Any]:
        """Gathers the statistics of the columns: see ``ndbytes.stats``.

        Raises:
            InvalidError: if a block is broken.

        Example:
            >>> import ndbytes
            >>> ndbytes.open_table("trees.idv").stats()["series"][0]["name"]
            'Name'
        """

    def select(self, columns: Sequence[str]) -> Table:
        """Gives the same table with some columns. Only they are read.

        Parameters:
            columns: their names, in the order that is wanted.

        Raises:
            KeyError: if there is no such column.

        Example:
            >>> import ndbytes
            >>> ndbytes.open_table("trees.idv").select(["Name"]).columns
            ['Name']
        """

    def with_options(
        self,
        *,
        times: Literal["us", "us-floor", "ns", "ticks"] | None = None,
        keys: Literal["dictionary", "text", "raw"] | None = None,
        sparse: Literal["dense", "struct"] | None = None,
        text: Literal["strict", "lossy"] | None = None,
        rows: int | None = None,
    ) -> Table:
        """Gives the same table with another way to Arrow.

        Parameters:
            times: ``"us"`` are microseconds, and refuses a part of one. ``"us-floor"`` rounds down, ``"ns"`` are nanoseconds, and
                ``"ticks"`` are integers of 100 ns.
            keys: ``"dictionary"``, ``"text"`` for the texts of their categories, or ``"raw"`` for the numbers that are stored.
            sparse: ``"dense"``, or ``"struct"`` for what is stored.
            text: ``"strict"`` refuses half a character, and ``"lossy"`` writes U+FFFD.
            rows: the number of rows of a batch.

        Raises:
            ValueError: if an argument has no such value.

        Example:
            >>> import ndbytes
            >>> ticks = ndbytes.open_table("trees.idv").with_options(times="ticks")
        """

    def rows(self, start: int, stop: int) -> Batches:
        """Gives some of the rows, as batches for Arrow.

        Parameters:
            start: the first row.
            stop: the row after the last one.

        Raises:
            ValueError: if the columns have no form in Arrow.

        Example:
            >>> import ndbytes, pyarrow
            >>> pyarrow.table(ndbytes.open_table("trees.idv").rows(0, 2)).num_rows
            2
        """

    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, key: str, /) -> Column: ...
    @overload
    def __getitem__(self, key: list[str], /) -> Table: ...
    def __contains__(self, key: str, /) -> bool: ...
    def __iter__(self) -> NoReturn:
        """Raises ``TypeError``: a table is neither a sequence of rows nor one of columns."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...
    def __arrow_c_schema__(self) -> Any: ...

@final
class Column:
    """A column of a table: ``table["Name"]``.

    Example:
        >>> import ndbytes
        >>> ndbytes.open_table("trees.idv")["Name"].type
        'String'
    """

    @property
    def name(self) -> str:
        """The name."""

    @property
    def type(self) -> str | None:
        """The type, in the words of ML.NET, or ``None`` if it is unknown."""

    @property
    def slot_names(self) -> list[str] | None:
        """The names of the slots of vectors, or ``None`` if they have none."""

    @property
    def categories(self) -> NDArray[Any] | None:
        """The values of the categories that keys stand for: key 1 is the first, key 0 is missing."""

    def read(self, start: int = 0, stop: int | None = None) -> NDArray[Any]:
        """Reads the values of all rows, or of some: one axis, and a second one for vectors.

        Times are ``M8[100ns]``, durations ``m8[100ns]``, texts objects.

        Parameters:
            start: the first row.
            stop: the row after the last one, by default that of the table.

        Raises:
            TypeError: for values that NumPy has no array of. Arrow has them.
            ValueError: for missing values and for vectors of different lengths. Arrow has them.
            InvalidError: if a block is broken.

        Example:
            >>> import ndbytes
            >>> ndbytes.open_table("trees.idv")["Name"].read(0, 2).tolist()
            ['pine', 'fir']
        """

    def __len__(self) -> int: ...
    def __getitem__(self, key: SupportsIndex | slice, /) -> Any: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]: ...

@final
class Batches:
    """Batches that are handed over once, by Arrow's C stream.

    Example:
        >>> import ndbytes, pyarrow
        >>> batches = ndbytes.check_batch(["surface.ra"], "files")
        >>> pyarrow.table(batches).num_rows
        1
    """

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...
    def __arrow_c_schema__(self) -> Any: ...

@final
class Archive:
    """A zip archive, or a store of b2nd arrays: a mapping from the names of its members to arrays and tables.

    Members are read when they are requested. ``with`` closes it.

    Example:
        >>> import ndbytes
        >>> for name, member in ndbytes.open_archive("model.zip").items():
        ...     kind = type(member).__name__
    """

    def close(self) -> None:
        """Closes the archive: it reads nothing any more, and its methods raise ``ValueError``. A second call does nothing.

        Members that were opened stay open.

        Example:
            >>> import ndbytes
            >>> with ndbytes.open_archive("model.zip") as archive:
            ...     names = list(archive)
        """

    @property
    def closed(self) -> bool:
        """True after ``close``, or after the ``with`` block."""

    def __enter__(self) -> Self: ...
    def __exit__(self, *_exception: object) -> None: ...
    def _repr_html_(self) -> str: ...
    def keys(self) -> list[str]:
        """Lists the names of the members, in the order of the archive.

        Example:
            >>> import ndbytes
            >>> ndbytes.open_archive("model.zip").keys()
            ['numbers.npy']
        """

    def values(self) -> ValuesView[Array | Table]:
        """Views the members, each of which is opened when it is its turn.

        Example:
            >>> import ndbytes
            >>> for member in ndbytes.open_archive("model.zip").values():
            ...     length = len(member)
        """

    def items(self) -> ItemsView[str, Array | Table]:
        """Views the names with their members.

        Example:
            >>> import ndbytes
            >>> dict(ndbytes.open_archive("model.zip").items())["numbers.npy"].shape
            (2,)
        """

    def get(self, name: str, default: Any = None) -> Any:
        """Opens a member.

        Parameters:
            name: its name.
            default: the value for a name that is no member's.

        Raises:
            InvalidError: if the member breaks a rule.

        Example:
            >>> import ndbytes
            >>> ndbytes.open_archive("model.zip").get("weights", "none")
            'none'
        """

    def __len__(self) -> int: ...
    def __contains__(self, key: str, /) -> bool: ...
    def __iter__(self) -> Iterator[str]: ...
    def __getitem__(self, key: str, /) -> Array | Table: ...

@final
class Finding:
    """One violation of one rule. It can be pickled.

    Example:
        >>> import ndbytes
        >>> finding = ndbytes.check("interrupted-idx3-ubyte")[0]
        >>> finding.rule, finding.severity
        ('idx/truncated-payload', 'error')
    """

    def __new__(cls, attributes: Mapping[str, Any], text: str) -> Finding: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, Any]:
        """Gives all attributes by their names, as JSON can hold them.

        Example:
            >>> import ndbytes
            >>> ndbytes.check("interrupted-idx3-ubyte")[0].to_dict()["offset"]
            2468
        """

    @property
    def rule(self) -> str:
        """The name of the rule, such as ``idx/trailing-bytes``."""

    @property
    def severity(self) -> str:
        """The severity: ``error``, ``warning``, or ``unforeseen`` where profile ``reference`` gives no verdict."""

    @property
    def field(self) -> str:
        """The field that breaks it, such as ``dims[0]``. It is empty if that is the file as a whole."""

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
        """The reaction of the format's reference reader: ``accepts``, ``refuses``, ``unforeseen``, or ``None``."""

class InvalidError(ValueError):
    """A file breaks a rule of its format. ``finding`` says which one, and where.

    The other attributes are those of the finding: ``rule``, ``severity``, ``field``, ``space``, ``offset``, ``length``,
    ``message``, ``expected``, ``found``, ``help``, ``member`` and ``reference``. ``path`` is the path or the address that was
    opened, or ``None`` for bytes and streams.
    """

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
    path: str | None

class FileWarning(UserWarning):
    """Something about a file that did not prevent what was asked for."""

    finding: Finding | None
    def __init__(self, message: str, finding: Finding | None = None) -> None: ...

class LimitError(MemoryError):
    """A file takes more memory than it was granted: see ``memory`` of ``open``.

    ``path`` is the path or the address that was opened, or ``None`` for bytes and streams.
    """

    path: str | None

@final
class Report:
    """The result of ``check``. It is true if there is no error, and a sequence of its findings.

    Example:
        >>> import ndbytes
        >>> for finding in ndbytes.check("interrupted-idx3-ubyte"):
        ...     place = (finding.field, finding.offset)
    """

    def __new__(
        cls, format: str | None, size: int, verdict: str, findings: Sequence[Finding], is_foreign: bool
    ) -> Report: ...
    @property
    def format(self) -> str | None:
        """The format, or ``None`` if it is unknown or an archive."""

    @property
    def size(self) -> int:
        """The length of the file in bytes."""

    @property
    def verdict(self) -> str:
        """The verdict: ``ok``, ``warning``, ``unforeseen`` or ``error``."""

    @property
    def ok(self) -> bool:
        """True if there is no error."""

    @property
    def is_foreign(self) -> bool:
        """True if the file is of no format that ndbytes knows."""

    @property
    def findings(self) -> list[Finding]:
        """The findings, in the order of the checks."""

    def _repr_html_(self) -> str: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, key: SupportsIndex, /) -> Finding: ...
    @overload
    def __getitem__(self, key: slice, /) -> list[Finding]: ...
    def to_dict(self) -> dict[str, Any]:
        """Gives all attributes by their names, as JSON can hold them.

        Example:
            >>> import ndbytes
            >>> ndbytes.check("surface.ra").to_dict()["verdict"]
            'ok'
        """

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
    config: _Path | None = None,
    no_config: bool = False,
    storage_options: dict[str, Any] | None = None,
) -> Report:
    """Checks a file against all rules of its format.

    Parameters:
        source: what ``open`` takes: a path, bytes, an open file, a file of fsspec, or an address.
        depth: ``"payload"`` checks everything, ``"structure"`` reads no payload.
        profile: ``"strict"``, or ``"reference"``, which weighs findings as the format's reference reader would.
        memory, time, output: limits, as for ``open``. A limit that is exceeded is a finding.
        sealed: a seal that the file is compared with; ``True`` is the one beside it. What changed breaks the rule ``changed``.
        config: the contract that says what files have to be, in place of ``.ndbytes.toml`` of the working folder. Files that are
            given by their path are judged by it.
        no_config: uses no contract.
        storage_options: as for ``open``.

    Raises:
        OSError: if the file cannot be read. Flaws of its content are findings.
        ValueError: if an argument has no such value, or the contract is not valid.

    Example:
        >>> import ndbytes
        >>> report = ndbytes.check("interrupted-idx3-ubyte")
        >>> report.ok, report[0].rule
        (False, 'idx/truncated-payload')
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
    config: _Path | None = None,
    no_config: bool = False,
    storage_options: dict[str, Any] | None = None,
) -> Batches:
    """Checks many files, and gives one table about them: a row a finding, a file, or a column of every table.

    A file that cannot be read is a row too. It is made for engines that hand out lists of paths: Spark, Dask, Ray.

    Parameters:
        paths: files and folders. A folder stands for the files of known formats below it, also one of a store:
            ``s3://bucket/lake/``.
        table: ``"findings"``, ``"files"`` or ``"columns"``.
        depth, profile: as for ``check``.
        memory, time, output: limits for each file, as for ``open``.
        digest: adds digests to the table of files.
        gitignore: skips hidden files, and what .gitignore and the like name.
        config, no_config: as for ``check``.
        storage_options: as for ``open``, for paths that are addresses.

    Raises:
        ValueError: if an argument has no such value, a path is no Unicode, or the contract is not valid.

    Example:
        >>> import ndbytes, pyarrow
        >>> batches = ndbytes.check_batch(["interrupted-idx3-ubyte"])
        >>> pyarrow.table(batches)["rule"].to_pylist()
        ['idx/truncated-payload']
    """

def explain(
    path: _Path,
    *,
    depth: _Depth | None = None,
    memory: int | None = None,
    time: float | None = None,
    output: int | None = None,
    storage_options: dict[str, Any] | None = None,
) -> Explanation:
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

class Explanation:
    """The meaning of every byte of a file: see ``explain``. In a notebook it shows itself as a page; ``str`` gives text.

    Example:
        >>> import ndbytes
        >>> explanation = ndbytes.explain("surface.ra")
        >>> explanation.fields[0]["path"]
        'magic'
    """

    path: str
    def __init__(
        self, path: _Path, options: Iterable[str] = (), storage_options: dict[str, Any] | None = None
    ) -> None: ...
    def _repr_html_(self) -> str: ...
    @property
    def fields(self) -> list[dict[str, Any]]:
        """The fields: dictionaries with path, space, offset and length in bytes, type and meaning."""

    @property
    def html(self) -> str:
        """The page, as text."""

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
    storage_options: dict[str, Any] | None = None,
) -> dict[str, Any] | list[dict[str, Any]]:
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
    storage_options: dict[str, Any] | None = None,
) -> Diff:
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

class Diff(dict[str, Any]):
    """The differences between two files: a dictionary as ``ndbytes diff --json`` prints it. ``str`` gives the report.

    In a notebook it shows itself as a card with the verdict. ``html`` is the page with both files side by side.

    Example:
        >>> import ndbytes
        >>> found = ndbytes.diff("digits-idx3-ubyte.gz", "interrupted-idx3-ubyte")
        >>> found.equal, found["verdict"]
        (False, 'incomplete')
    """

    def __init__(
        self,
        document: Mapping[str, Any],
        equal: bool,
        arguments: Iterable[_Path],
        storage_options: dict[str, Any] | None = None,
    ) -> None: ...
    def _repr_html_(self) -> str: ...
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
    tolerate: str | Sequence[str] | None = None,
    byte_order: _ByteOrder | None = None,
    storage_options: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Gathers the statistics of values, as ``ndbytes stats --json`` prints them: extremes, mean, deviation, NaNs, a histogram.

    Parameters:
        source: what ``open`` takes, an ``Array`` or a ``Table``, or an array of NumPy, such as a slice.
        memory, time, output: limits, as for ``open``. What is open has those of its opening.
        tolerate, byte_order, storage_options: as for ``open``.

    Raises:
        ValueError: for an archive, which has no values of its own.
        InvalidError, LimitError, TimeoutError, OSError: as for ``open``.

    Example:
        >>> import ndbytes
        >>> ndbytes.stats("temperatures.b2nd")["series"][0]["max"]
        372
    """

def rules() -> list[dict[str, Any]]:
    """Lists all rules that files are checked against, as dictionaries.

    Example:
        >>> import ndbytes
        >>> "idx/truncated-payload" in [rule["id"] for rule in ndbytes.rules()]
        True
    """

def show(
    path: _Path,
    *,
    as_: Literal["image", "sheet", "heat", "line", "histogram"] | None = None,
    scale: Literal["linear", "rank"] | None = None,
    tolerate: str | Sequence[str] | None = None,
    byte_order: _ByteOrder | None = None,
    memory: int | None = None,
    time: float | None = None,
    output: int | None = None,
    storage_options: dict[str, Any] | None = None,
) -> Picture:
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

class Picture:
    """A picture of an array: see ``show``. In a notebook it shows itself; ``str`` gives it in characters.

    Example:
        >>> import ndbytes
        >>> picture = ndbytes.show("temperatures.b2nd")
        >>> picture.png[1:4]
        b'PNG'
    """

    path: str
    def __init__(
        self, path: _Path, options: Iterable[str] = (), storage_options: dict[str, Any] | None = None
    ) -> None: ...
    def _repr_png_(self) -> bytes: ...
    def save(self, out: _Path, *, force: bool = False) -> None:
        """Writes the picture to a file.

        Parameters:
            out: the path of the file. It ends with ``.png`` or ``.svg``.
            force: replaces a file of a format that ndbytes knows.

        Raises:
            ValueError: if the array cannot be drawn, or the file cannot be written.

        Example:
            >>> import ndbytes
            >>> ndbytes.show("temperatures.b2nd").save("temperatures.svg")
        """

    @property
    def png(self) -> bytes:
        """The bytes of a PNG file."""

    @property
    def svg(self) -> str:
        """The text of an SVG file."""

def schema(format: str | None = None) -> list[dict[str, Any]]:
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

def convert(
    sources: _Path | Sequence[_Path],
    out: _Path,
    *,
    to: str | None = None,
    from_: Literal["csv", "jsonl"] | None = None,
    lossy: bool = False,
    strict: bool = False,
    force: bool = False,
    tolerate: str | Sequence[str] | None = None,
    byte_order: _ByteOrder | None = None,
    compress: bool = False,
    sheet: str | None = None,
    codec: Literal["zstd", "gzip", "blosc", "none"] | None = None,
    columns: Sequence[str] | None = None,
    times: Literal["us", "us-floor", "ns", "ticks", "auto"] | None = None,
    keys: Literal["dictionary", "text", "raw"] | None = None,
    sparse: Literal["dense", "struct"] | None = None,
    nulls: Literal["error", "nan", "default"] | None = None,
    tz: Literal["offset", "utc"] | None = None,
    layout: Literal["tensors", "huggingface"] | None = None,
    memory: int | None = None,
    time: float | None = None,
    output: int | None = None,
    storage_options: dict[str, Any] | None = None,
) -> None:
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
    storage_options: dict[str, Any] | None = None,
) -> None:
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
    """Writes an array to a file that appears whole or not at all.

    Parameters:
        path: the path of the file.
        array: anything that NumPy makes an array of.
        format: ``"idx"``, ``"idx.gz"``, ``"ra"``, ``"b2nd"`` or ``"npy"``. By default the name of the file says it.
        chunks, blocks: elements along each axis, for b2nd.
        codec: the compression of b2nd, such as ``"zstd"``.
        level: the effort of the compression, from 0 to 9.
        filters: what goes before the compression, such as ``["shuffle"]``.
        attrs: the attributes of b2nd, which msgpack can hold.
        memory, time, output: limits, as for ``open``. ``output`` has no default: all is written.

    Raises:
        ValueError: if the format cannot hold the array.
        TypeError: if the type is no type of NumPy's.
        OSError: if the file cannot be written.

    Example:
        >>> import ndbytes
        >>> ndbytes.save("numbers.npy", [1.5, 2.5])
    """

def write_idv(
    path: _Path,
    table: Any,
    *,
    nulls: Literal["error", "nan", "default"] = "error",
    tz: Literal["offset", "utc"] = "offset",
    memory: int | None = None,
    time: float | None = None,
    output: int | None = None,
) -> int:
    """Writes a table to an IDV file that appears whole or not at all, and returns the number of rows.

    Parameters:
        path: the path of the file.
        table: anything that has Arrow's C stream: a table of pyarrow, polars or ndbytes.
        nulls: what missing values become: ``"error"``, ``"nan"`` or ``"default"``. IDV has NaN and the missing key alone.
        tz: what times with a zone become: ``"offset"`` is the clock of the zone, ``"utc"`` one of UTC.
        memory, time, output: limits, as for ``save``.

    Raises:
        ValueError: if IDV cannot hold a value.
        TypeError: if the table has no C stream.
        OSError: if the file cannot be written.

    Example:
        >>> import ndbytes
        >>> ndbytes.write_idv("again.idv", ndbytes.open_table("trees.idv"))
        4
    """

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
    storage_options: dict[str, Any] | None = None,
) -> None:
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

def fix(
    paths: _Path | Sequence[_Path],
    *,
    out: _Path | None = None,
    dry_run: bool = False,
    all: bool = False,
    drop: bool = False,
    force: bool = False,
    byte_order: Literal["little"] | None = None,
    glob: str | Sequence[str] | None = None,
    gitignore: bool = False,
    unknown: _Unknown | None = None,
    memory: int | None = None,
    time: float | None = None,
    output: int | None = None,
    storage_options: dict[str, Any] | None = None,
) -> list[dict[str, Any]]:
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
