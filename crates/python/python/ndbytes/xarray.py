"""The backend for xarray: ``xarray.open_dataset("x.b2nd", engine="ndbytes")``, also without ``engine``."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from xarray import Dataset, Variable
from xarray.backends import BackendArray, BackendEntrypoint
from xarray.core import indexing

from . import Array, open as _open

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

ENDINGS = (".b2nd", ".ra", ".idx", ".idx.gz", "-ubyte", "-ubyte.gz")


class LazyArray(BackendArray):
    """An array that is read when it is indexed."""

    def __init__(self, array: Array) -> None:
        self.array = array
        self.shape: tuple[int, ...] = array.shape
        self.dtype: numpy.dtype[Any] = array.dtype

    def __getitem__(self, key: indexing.ExplicitIndexer) -> NDArray[Any]:
        read = self.array.__getitem__
        made: NDArray[Any] = indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.BASIC, read)
        return made


class Backend(BackendEntrypoint):
    """Opens an array as a data set of one variable, which has the name of the file."""

    description = "IDX, RawArray, b2nd and .npy files"
    url = "https://github.com/ndbytes/ndbytes"
    open_dataset_parameters = ("filename_or_obj", "drop_variables", "name", "dims")

    def open_dataset(
        self,
        filename_or_obj: Any,
        *,
        drop_variables: str | Iterable[str] | None = None,
        name: Hashable | None = None,
        dims: Sequence[Hashable] | None = None,
    ) -> Dataset:
        array = _open(filename_or_obj)
        if not isinstance(array, Array):
            raise ValueError(f"{filename_or_obj} holds no single array")
        if name is None:
            path = os.fspath(filename_or_obj) if isinstance(filename_or_obj, (str, os.PathLike)) else "array"
            name = os.path.basename(path).split(".")[0]
        if dims is None:
            dims = [f"dim_{axis}" for axis in range(array.ndim)]
        encoding: dict[str, Any] = {}
        if array.chunks is not None:
            encoding["preferred_chunks"] = dict(zip(dims, array.chunks))
        lazy = indexing.LazilyIndexedArray(LazyArray(array))
        variable = Variable(dims, lazy, attrs=array.attrs, encoding=encoding)
        dropped = [drop_variables] if isinstance(drop_variables, str) else list(drop_variables or ())
        variables = {} if name in dropped else {name: variable}
        return Dataset(variables)

    def guess_can_open(self, filename_or_obj: Any) -> bool:
        try:
            name = os.fspath(filename_or_obj)
        except TypeError:
            return False
        return str(name).lower().endswith(ENDINGS)
