"""The backend for xarray: ``xarray.open_dataset("x.b2nd", engine="ndbytes")``, also without ``engine``."""

from __future__ import annotations

import os

from xarray import Dataset, Variable
from xarray.backends import BackendArray, BackendEntrypoint
from xarray.core import indexing

from ._ndbytes import Array, open as _open

ENDINGS = (".b2nd", ".ra", ".idx", ".idx.gz", "-ubyte", "-ubyte.gz")


class LazyArray(BackendArray):
    """An array that is read when it is indexed."""

    def __init__(self, array):
        self.array = array
        self.shape = array.shape
        self.dtype = array.dtype

    def __getitem__(self, key):
        return indexing.explicit_indexing_adapter(
            key, self.shape, indexing.IndexingSupport.BASIC, self.array.__getitem__
        )


class Backend(BackendEntrypoint):
    """Opens an array as a data set of one variable, which has the name of the file."""

    description = "IDX, RawArray, b2nd and .npy files"
    url = "https://github.com/ndbytes/ndbytes"
    open_dataset_parameters = ("filename_or_obj", "drop_variables", "name", "dims")

    def open_dataset(self, filename_or_obj, *, drop_variables=None, name=None, dims=None):
        array = _open(filename_or_obj)
        if not isinstance(array, Array):
            raise ValueError(f"{filename_or_obj} holds no single array")
        if name is None:
            path = os.fspath(filename_or_obj) if isinstance(filename_or_obj, (str, os.PathLike)) else "array"
            name = os.path.basename(path).split(".")[0]
        if dims is None:
            dims = [f"dim_{axis}" for axis in range(array.ndim)]
        encoding = {}
        if array.chunks is not None:
            encoding["preferred_chunks"] = dict(zip(dims, array.chunks))
        lazy = indexing.LazilyIndexedArray(LazyArray(array))
        variable = Variable(dims, lazy, attrs=array.attrs, encoding=encoding)
        variables = {} if drop_variables and name in drop_variables else {name: variable}
        return Dataset(variables)

    def guess_can_open(self, filename_or_obj):
        try:
            name = os.fspath(filename_or_obj)
        except TypeError:
            return False
        return str(name).lower().endswith(ENDINGS)
