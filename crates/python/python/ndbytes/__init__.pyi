"""Reads, strictly checks, explains, writes and converts files of arrays and tables.

IDX (MNIST), RawArray, b2nd (Blosc2), .npy, safetensors and GGUF hold arrays; IDV (ML.NET) holds tables.
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
    void_as: str | None = None,
    mmap: bool = True,
    storage_options: dict[str, Any] | None = None,
) -> Array | Table | Archive:
    """Opens a file of any format, which is detected by content.

    A violation with severity ``warning`` does not prevent reading: a ``FileWarning`` reports it.

    Parameters:
        source: a path, bytes, a file open in binary mode, an fsspec file, or a URL. Bytes are the content of a
            file. A path may point into an archive: ``model.zip!Data``. The schemes ``https://``, ``s3://``, ``gs://`` and ``az://``
            need no other package.
        memory: maximum memory in bytes beyond the length of the file, by default 1 GiB.
        time: maximum time in seconds from when the file is opened; by default unlimited.
        output: maximum output in bytes, by default 64 GiB.
        tolerate: one or more names of rules that may be violated. Values are not changed.
        byte_order: ``"big"`` or ``"little"``, the byte order of IDX elements, which a file does not record.
        void_as: the type for items of raw bytes such as ``|V2`` (ml_dtypes saves bfloat16 this way): ``"bfloat16"``, ``"f2"``, ``">u2"``.
        mmap: ``False`` reads the whole file into memory, so that other programs cannot change it while it is used.
        storage_options: options for an object store, such as ``{"aws_region": "eu-west-1"}``. They take precedence over
            environment variables. fsspec's names, such as ``key`` and ``endpoint_url``, also work.

    Raises:
        InvalidError: if the file violates a rule with severity ``error``.
        LimitError, TimeoutError: if it exceeds the limits.
        OSError: if it cannot be read.
        ValueError: if an argument has an invalid value.

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
    void_as: str | None = None,
    mmap: bool = True,
    storage_options: dict[str, Any] | None = None,
) -> Array:
    """Opens a file that holds an array.

    Parameters:
        source: a path, bytes, an open file, an fsspec file, or a URL, as for ``open``.
        memory, time, output: limits, as for ``open``.
        tolerate, byte_order, void_as, mmap, storage_options: as for ``open``.

    Raises:
        TypeError: if the file contains something else.
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
    void_as: str | None = None,
    mmap: bool = True,
    storage_options: dict[str, Any] | None = None,
) -> Table:
    """Opens a file that holds a table.

    Parameters:
        source: a path, bytes, an open file, an fsspec file, or a URL, as for ``open``.
        memory, time, output: limits, as for ``open``.
        tolerate, byte_order, void_as, mmap, storage_options: as for ``open``.

    Raises:
        TypeError: if the file contains something else.
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
    void_as: str | None = None,
    mmap: bool = True,
    storage_options: dict[str, Any] | None = None,
) -> Archive:
    """Opens a file that holds an archive or a store.

    Parameters:
        source: a path, bytes, an open file, an fsspec file, or a URL, as for ``open``.
        memory, time, output: limits, as for ``open``.
        tolerate, byte_order, void_as, mmap, storage_options: as for ``open``.

    Raises:
        TypeError: if the file contains something else.
        InvalidError, LimitError, TimeoutError, OSError: as for ``open``.

    Example:
        >>> import ndbytes
        >>> with ndbytes.open_archive("model.zip") as opened:
        ...     length = len(opened)
    """

@final
class Array:
    """An array in a file. It is read when you index it or convert it to NumPy.

    ``numpy.asarray(array)`` is a view of the file. Compressed elements, as in b2nd, are
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
        """The size of all decoded elements in bytes."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the elements. Types that NumPy does not support are shown as their parts, or as raw bytes."""

    @property
    def format(self) -> str:
        """The format: ``idx``, ``rawarray``, ``b2nd`` or ``npy``."""

    @property
    def is_fortran(self) -> bool:
        """True if the first axis varies fastest."""

    @property
    def chunks(self) -> tuple[int, ...] | None:
        """The length of a chunk along each axis, or ``None`` if the format has no chunks."""

    @property
    def blocks(self) -> tuple[int, ...] | None:
        """The length of a block along each axis, or ``None`` if the format has no blocks."""

    @property
    def attrs(self) -> dict[str, Any]:
        """The attributes of b2nd."""

    @property
    def meta(self) -> dict[str, Any]:
        """The metalayers of b2nd, except its own."""

    @property
    def warnings(self) -> list[Finding]:
        """Findings that did not prevent reading."""

    @property
    def tolerated(self) -> list[Finding]:
        """The errors that ``open`` tolerated at the caller's request."""

    def close(self) -> None:
        """Closes the array. Its methods then raise ``ValueError``. A second call does nothing.

        NumPy views and other objects made from the array stay valid. The file is closed when the last one is gone.

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
        """Computes the statistics of all elements: see ``ndbytes.stats``.

        Raises:
            InvalidError: if a chunk is broken.

        Example:
            >>> import ndbytes
            >>> ndbytes.open_array("temperatures.b2nd").stats()["series"][0]["min"]
            90
        """

    def __len__(self) -> int: ...
    def __getitem__(self, key: Any, /) -> Any:
        """Indexes as NumPy does. Integers, slices, ``...`` and ``None`` read only what they select; for lists and masks, a
        b2nd array is decoded completely."""

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
    """A table in a file. pyarrow, polars, pandas and duckdb accept it directly, through Arrow's C stream. ``with`` closes it.

    Example:
        >>> import ndbytes
        >>> trees = ndbytes.open_table("trees.idv")
        >>> len(trees), trees["Name"].read()[0]
        (4, 'pine')
    """

    @property
    def columns(self) -> list[str]:
        """The names of the selected columns; by default, of all columns that can be read and are not hidden."""

    @property
    def format(self) -> str:
        """The format: ``IDV``."""

    @property
    def version(self) -> str:
        """The version of the format, in ML.NET's numbering."""

    @property
    def warnings(self) -> list[Finding]:
        """Findings that did not prevent reading."""

    @property
    def tolerated(self) -> list[Finding]:
        """The errors that ``open`` tolerated at the caller's request."""

    def close(self) -> None:
        """Closes the table. Its methods then raise ``ValueError``. A second call does nothing.

        Columns, selections and streams made from the table stay valid. The file is closed when the last one is gone.

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
        """Converts the table to a ``pandas.DataFrame``, with ``from_arrow``. ``pandas.DataFrame(table)`` itself raises ``TypeError``.

        Raises:
            ImportError: if pandas is not installed.

        Example:
            >>> import ndbytes
            >>> ndbytes.open_table("trees.idv").to_pandas().shape[0]
            4
        """

    def to_polars(self) -> Any:
        """Converts the table to a ``polars.DataFrame``.

        Raises:
            ImportError: if polars is not installed.

        Example:
            >>> import ndbytes
            >>> ndbytes.open_table("trees.idv").to_polars().height
            4
        """

    def to_arrow(self) -> Any:
        """Converts the table to a ``pyarrow.Table``.

        Raises:
            ImportError: if pyarrow is not installed.

        Example:
            >>> import ndbytes
            >>> ndbytes.open_table("trees.idv").to_arrow().num_rows
            4
        """

    def stats(self) -> dict[str, Any]:
        """Computes the statistics of the columns: see ``ndbytes.stats``.

        Raises:
            InvalidError: if a block is broken.

        Example:
            >>> import ndbytes
            >>> ndbytes.open_table("trees.idv").stats()["series"][0]["name"]
            'Name'
        """

    def select(self, columns: Sequence[str]) -> Table:
        """Returns the table with only some columns. The others are not read.

        Parameters:
            columns: their names, in the desired order.

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
        """Returns the same table with other options for Arrow.

        Parameters:
            times: ``"us"`` means microseconds, and refuses fractions. ``"us-floor"`` rounds down, ``"ns"`` means nanoseconds, and
                ``"ticks"`` means integers of 100 ns.
            keys: ``"dictionary"``, ``"text"`` for the text of each category, or ``"raw"`` for the stored numbers.
            sparse: ``"dense"``, or ``"struct"`` for the stored slots.
            text: ``"strict"`` refuses unpaired surrogates, and ``"lossy"`` writes U+FFFD.
            rows: the number of rows per batch.

        Raises:
            ValueError: if an argument has an invalid value.

        Example:
            >>> import ndbytes
            >>> ticks = ndbytes.open_table("trees.idv").with_options(times="ticks")
        """

    def rows(self, start: int, stop: int) -> Batches:
        """Returns some of the rows, as Arrow batches.

        Parameters:
            start: the first row.
            stop: the row after the last one.

        Raises:
            ValueError: if Arrow cannot represent the columns.

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
        """The type in ML.NET's notation, or ``None`` if it is unknown."""

    @property
    def slot_names(self) -> list[str] | None:
        """The slot names of vectors, or ``None`` if they have none."""

    @property
    def categories(self) -> NDArray[Any] | None:
        """The values of the categories: key 1 is the first, key 0 is missing."""

    def read(self, start: int = 0, stop: int | None = None) -> NDArray[Any]:
        """Reads the values of all rows or some of them: one axis, and a second one for vectors.

        Times are ``M8[100ns]``, durations ``m8[100ns]``, and texts objects.

        Parameters:
            start: the first row.
            stop: the end row, exclusive; by default, the end of the table.

        Raises:
            TypeError: if NumPy has no array type for the values. Use Arrow.
            ValueError: for missing values and for vectors of different lengths. Use Arrow.
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
    """Batches that can be consumed once, through Arrow's C stream.

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
        """Closes the archive. Its methods then raise ``ValueError``. A second call does nothing.

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
        """Returns a view of the members. Each is opened when it is yielded.

        Example:
            >>> import ndbytes
            >>> for member in ndbytes.open_archive("model.zip").values():
            ...     length = len(member)
        """

    def items(self) -> ItemsView[str, Array | Table]:
        """Returns a view of the names and members.

        Example:
            >>> import ndbytes
            >>> dict(ndbytes.open_archive("model.zip").items())["numbers.npy"].shape
            (2,)
        """

    def get(self, name: str, default: Any = None) -> Any:
        """Opens a member.

        Parameters:
            name: its name.
            default: the value to return if no member has this name.

        Raises:
            InvalidError: if the member violates a rule.

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
    """A violation of a rule. It can be pickled.

    Example:
        >>> import ndbytes
        >>> finding = ndbytes.check("interrupted-idx3-ubyte")[0]
        >>> finding.rule, finding.severity
        ('idx/truncated-payload', 'error')
    """

    def __new__(cls, attributes: Mapping[str, Any], text: str) -> Finding: ...
    def _repr_html_(self) -> str: ...
    def to_dict(self) -> dict[str, Any]:
        """Returns all attributes as JSON-compatible values.

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
        """The severity: ``error``, ``warning``, or ``unforeseen`` if profile ``reference`` cannot predict the reader."""

    @property
    def field(self) -> str:
        """The field that violates the rule, such as ``dims[0]``. Empty for the whole file."""

    @property
    def space(self) -> int:
        """The space that ``offset`` refers to: 0 is the file, others are decompressed blocks."""

    @property
    def offset(self) -> int:
        """The first affected byte."""

    @property
    def length(self) -> int:
        """The number of affected bytes."""

    @property
    def message(self) -> str:
        """A description of the violation."""

    @property
    def expected(self) -> str | None:
        """The expected value."""

    @property
    def found(self) -> str | None:
        """The value in the file."""

    @property
    def help(self) -> str | None:
        """The consequence, or advice."""

    @property
    def member(self) -> str | None:
        """The archive member that the finding is about."""

    @property
    def reference(self) -> str | None:
        """What the format's reference reader does: ``accepts``, ``refuses``, ``unforeseen``, or ``None``."""

class InvalidError(ValueError):
    """A file violates a rule of its format. ``finding`` says which one, and where.

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
    """A problem with a file that did not prevent reading it."""

    finding: Finding | None
    def __init__(self, message: str, finding: Finding | None = None) -> None: ...

class LimitError(MemoryError):
    """A file exceeds the memory limit: see ``memory`` of ``open``.

    ``path`` is the path or the address that was opened, or ``None`` for bytes and streams.
    """

    path: str | None

@final
class Report:
    """The result of ``check``. It is true if there are no errors. It is also a sequence of its findings.

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
        """The format, or ``None`` for an archive or an unknown format."""

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
        """True if the format of the file is unknown."""

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
        """Returns all attributes as JSON-compatible values.

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
        source: what ``open`` accepts: a path, bytes, an open file, an fsspec file, or a URL. An ``Array`` or a ``Table`` is
            written to a file first.
        depth: ``"payload"`` checks everything, ``"structure"`` reads no payload.
        profile: ``"strict"``, or ``"reference"``, which predicts the format's reference reader.
        memory, time, output: limits, as for ``open``. An exceeded limit is a finding.
        sealed: a seal to compare the file with; ``True`` means the file's default seal. Changes violate the rule ``changed``.
        config: the contract to check, instead of the ``.ndbytes.toml`` that applies to the working directory. A contract
            applies only to files that are given by path.
        no_config: uses no contract.
        storage_options: as for ``open``.

    Raises:
        OSError: if the file cannot be read. Errors in its content are findings.
        ValueError: if an argument has an invalid value, or the contract is not valid.

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
    """Checks many files, and returns one table: one row per finding, per file, or per column of every table.

    A file that cannot be read also gets a row. Use this function in engines that distribute lists of paths: Spark, Dask, Ray.

    Parameters:
        paths: files and directories. For a directory, all files in known formats below it are checked, even in a store:
            ``s3://bucket/lake/``.
        table: ``"findings"``, ``"files"`` or ``"columns"``.
        depth, profile: as for ``check``.
        memory, time, output: limits for each file, as for ``open``.
        digest: adds digests to the table of files.
        gitignore: skips hidden files, and files that .gitignore or .ignore excludes.
        config, no_config: as for ``check``.
        storage_options: options for object stores, as for ``open``.

    Raises:
        ValueError: if an argument has an invalid value, a path is not Unicode, or the contract is not valid.

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
        storage_options: options for object stores, as for ``open``.

    Raises:
        ValueError: if the file cannot be read. Raised when the explanation is read, with the tool's message.

    Example:
        >>> import ndbytes
        >>> ndbytes.explain("surface.ra").fields[0]["offset"]
        0
    """

class Explanation:
    """The meaning of every byte of a file: see ``explain``. A notebook shows it as a page; ``str`` returns text.

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
        """The page as HTML."""

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

def diff(
    old: Any,
    new: Any,
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

class Diff(dict[str, Any]):
    """The differences between two files: a dictionary as ``ndbytes diff --json`` prints it. ``str`` returns the report.

    A notebook shows it as a card with the verdict. ``html`` is the page with both files side by side.

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
        sources: Iterable[Any] = (),
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
    void_as: str | None = None,
    storage_options: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Computes the statistics that ``ndbytes stats --json`` prints: range, mean, deviation, NaNs, a histogram.

    Parameters:
        source: what ``open`` accepts, an ``Array`` or a ``Table``, or a NumPy array, such as a slice.
        memory, time, output: limits, as for ``open``. An open object keeps the limits that it was opened with.
        tolerate, byte_order, void_as, storage_options: as for ``open``.

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
    path: Any,
    *,
    as_: Literal["image", "sheet", "heat", "line", "histogram"] | None = None,
    scale: Literal["linear", "rank"] | None = None,
    tolerate: str | Sequence[str] | None = None,
    byte_order: _ByteOrder | None = None,
    void_as: str | None = None,
    memory: int | None = None,
    time: float | None = None,
    output: int | None = None,
    storage_options: dict[str, Any] | None = None,
) -> Picture:
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

class Picture:
    """A picture of an array: see ``show``. A notebook shows it; ``str`` draws it with characters.

    Example:
        >>> import ndbytes
        >>> picture = ndbytes.show("temperatures.b2nd")
        >>> picture.png[1:4]
        b'PNG'
    """

    path: str
    def __init__(
        self, path: Any, options: Iterable[str] = (), storage_options: dict[str, Any] | None = None
    ) -> None: ...
    def _repr_png_(self) -> bytes: ...
    def save(self, out: _Path, *, force: bool = False) -> None:
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

    @property
    def png(self) -> bytes:
        """The bytes of a PNG file."""

    @property
    def svg(self) -> str:
        """The text of an SVG file."""

def schema(format: str | None = None) -> list[dict[str, Any]]:
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
    void_as: str | None = None,
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
    """Writes an array to a file atomically.

    Parameters:
        path: the path of the file.
        array: anything that NumPy can convert to an array.
        format: ``"idx"``, ``"idx.gz"``, ``"ra"``, ``"b2nd"`` or ``"npy"``. By default, the file name decides.
        chunks, blocks: elements per axis, for b2nd.
        codec: the codec for b2nd, such as ``"zstd"``.
        level: the compression level, from 0 to 9.
        filters: the filters before compression, such as ``["shuffle"]``.
        attrs: the attributes for b2nd; their values must have types that msgpack supports.
        memory, time, output: limits, as for ``open``. By default, ``output`` is unlimited: everything is written.

    Raises:
        ValueError: if the format cannot hold the array.
        TypeError: if the type is not a NumPy type.
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
    """Writes a table to an IDV file atomically, and returns the number of rows.

    Parameters:
        path: the path of the file.
        table: anything with an Arrow C stream: a table of pyarrow, polars or ndbytes.
        nulls: what missing values become: ``"error"``, ``"nan"`` or ``"default"``. IDV has only NaN and the missing key.
        tz: what times with a zone become: ``"offset"`` is local time with an offset, ``"utc"`` is UTC.
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
