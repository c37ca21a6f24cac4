"""The backend for xarray: ``xarray.open_dataset("x.b2nd", engine="ndbytes")``, also without ``engine``.

An array is a dataset with one variable. An archive or store of arrays is a dataset with several, or a tree:
``xarray.open_datatree("store.b2z", engine="ndbytes")``. Values are read on demand.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from xarray import Dataset, DataTree, Variable
from xarray.backends import BackendArray, BackendEntrypoint
from xarray.core import indexing

from . import Archive, Array, open as _open

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

#: The endings of the names of files that hold arrays.
ARRAYS = (".b2nd", ".ra", ".idx", ".idx.gz", ".npy", "-ubyte", "-ubyte.gz")

#: The endings of the names of archives and stores of arrays.
ARCHIVES = (".npz", ".b2z", ".b2d")

#: The attributes that name the axes: those of Zarr and xarray, and other common names.
NAMES = ("_ARRAY_DIMENSIONS", "dimension_names", "dims")

#: The names of axes: of the only array, or by the names of variables.
_Dims = Sequence[Hashable] | Mapping[str, Sequence[Hashable]]


class LazyArray(BackendArray):
    """An array that is read when it is indexed. Another process reopens it."""

    def __init__(self, array: Array) -> None:
        self.array = array
        self.shape: tuple[int, ...] = array.shape
        self.dtype: numpy.dtype[Any] = array.dtype

    def __getitem__(self, key: indexing.ExplicitIndexer) -> NDArray[Any]:
        read = self.array.__getitem__
        made: NDArray[Any] = indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.BASIC, read)
        return made


class _Axes:
    """Names for unnamed axes: axes of the same length share a name, but no array has the same name twice."""

    def __init__(self) -> None:
        self._known: list[tuple[int, str]] = []

    def of(self, shape: Sequence[int]) -> list[Hashable]:
        names: list[Hashable] = []
        for length in shape:
            known = (name for of, name in self._known if of == length and name not in names)
            name = next(known, None)
            if name is None:
                name = f"dim_{len(self._known)}"
                self._known.append((length, name))
            names.append(name)
        return names


def _stated(array: Array, attributes: dict[str, Any]) -> list[Hashable] | None:
    """Returns the axis names in attributes or metalayers. They are removed from the attributes."""
    metalayers = array.meta
    for name in NAMES:
        found = attributes.get(name, metalayers.get(name))
        if not isinstance(found, (list, tuple)) or len(found) != array.ndim:
            continue
        if all(isinstance(axis, str) for axis in found) and len(set(found)) == len(found):
            attributes.pop(name, None)
            return list(found)
    return None


def _variable(array: Array, dims: Sequence[Hashable] | None, axes: Callable[[Sequence[int]], list[Hashable]]) -> Variable:
    attributes = dict(array.attrs)
    stated = _stated(array, attributes)
    names = list(dims) if dims is not None else stated if stated is not None else axes(array.shape)
    encoding: dict[str, Any] = {}
    if array.chunks is not None:
        encoding["preferred_chunks"] = dict(zip(names, array.chunks))
    return Variable(names, indexing.LazilyIndexedArray(LazyArray(array)), attrs=attributes, encoding=encoding)


def _name_of(given: Any) -> str:
    """Returns the name of the variable for a file."""
    path = os.fspath(given) if isinstance(given, (str, os.PathLike)) else "array"
    return os.path.basename(str(path)).split("!")[-1].split("/")[-1].split(".")[0]


def _members(archive: Archive) -> dict[str, dict[str, Array]]:
    """Returns the arrays of an archive: by the path of their group, and then by their name."""
    groups: dict[str, dict[str, Array]] = {"/": {}}
    for name in archive.keys():
        parts = name.replace("\\", "/").strip("/").split("/")
        if any(part.startswith("_") for part in parts):
            continue  # What python-blosc2 keeps beside the arrays: indexes, and the parts of tables.
        member = _array(archive, name)
        if member is not None:
            stem = parts[-1].rsplit(".", 1)[0] if "." in parts[-1] else parts[-1]
            groups.setdefault("/" + "/".join(parts[:-1]), {})[stem] = member
    return groups


def _array(archive: Archive, name: str) -> Array | None:
    """Returns a member, if it is an array; ``None`` for frames of other objects."""
    if name.endswith((".b2e", ".b2b", ".b2f")):
        return None
    member = archive[name]
    return member if isinstance(member, Array) else None


class Backend(BackendEntrypoint):
    """Opens an array as a dataset with one variable, and an archive or a store of arrays as one with several, or as a tree.

    The names of axes come from ``dims``, or from an attribute or a metalayer ``_ARRAY_DIMENSIONS``, ``dimension_names`` or
    ``dims``. By default, they are ``dim_0``, ``dim_1`` and so on.
    """

    description = "IDX, RawArray, b2nd and .npy files, archives and stores of them"
    url = "https://github.com/ndbytes/ndbytes"
    open_dataset_parameters = ("filename_or_obj", "drop_variables", "name", "dims", "group", "storage_options")
    supports_groups = True

    def open_dataset(
        self,
        filename_or_obj: Any,
        *,
        drop_variables: str | Iterable[str] | None = None,
        name: Hashable | None = None,
        dims: _Dims | None = None,
        group: str | None = None,
        storage_options: dict[str, Any] | None = None,
    ) -> Dataset:
        opened = _open(filename_or_obj, storage_options=storage_options)
        if isinstance(opened, Archive):
            groups, wanted = _members(opened), "/" + (group or "").strip("/")
            if wanted not in groups:
                raise ValueError(f"{filename_or_obj} has no group {group!r}: there are {', '.join(groups)}")
            return _dataset(groups[wanted], drop_variables, dims)
        if not isinstance(opened, Array):
            raise ValueError(f"{filename_or_obj} holds a table: `ndbytes.open` opens it")
        if group is not None:
            raise ValueError(f"{filename_or_obj} holds one array, and no groups")
        name = _name_of(filename_or_obj) if name is None else name
        return _dataset({str(name): opened}, drop_variables, dims)

    def open_groups_as_dict(
        self,
        filename_or_obj: Any,
        *,
        drop_variables: str | Iterable[str] | None = None,
        dims: Mapping[str, Sequence[Hashable]] | None = None,
        storage_options: dict[str, Any] | None = None,
    ) -> dict[str, Dataset]:
        opened = _open(filename_or_obj, storage_options=storage_options)
        if not isinstance(opened, Archive):
            of_file = self.open_dataset(
                filename_or_obj, drop_variables=drop_variables, dims=dims, storage_options=storage_options
            )
            return {"/": of_file}
        members = _members(opened)
        # In a tree, an axis of a group has the length of that of its parents.
        axes = _Axes()
        return {group: _dataset(arrays, drop_variables, dims, axes) for group, arrays in members.items()}

    def open_datatree(
        self,
        filename_or_obj: Any,
        *,
        drop_variables: str | Iterable[str] | None = None,
        dims: Mapping[str, Sequence[Hashable]] | None = None,
        storage_options: dict[str, Any] | None = None,
    ) -> DataTree:
        groups = self.open_groups_as_dict(
            filename_or_obj, drop_variables=drop_variables, dims=dims, storage_options=storage_options
        )
        return DataTree.from_dict(groups)

    def guess_can_open(self, filename_or_obj: Any) -> bool:
        try:
            name = os.fspath(filename_or_obj)
        except TypeError:
            return False
        return str(name).lower().rstrip("/").endswith(ARRAYS + ARCHIVES)


def _dataset(
    arrays: Mapping[str, Array],
    drop_variables: str | Iterable[str] | None,
    dims: _Dims | None,
    axes: _Axes | None = None,
) -> Dataset:
    """Returns a dataset of arrays, by name."""
    dropped = {drop_variables} if isinstance(drop_variables, str) else set(drop_variables or ())
    axes, variables = axes or _Axes(), {}
    if dims is not None and not isinstance(dims, Mapping) and len(arrays) != 1:
        raise ValueError("`dims` of several arrays are given by their names")
    for name, array in arrays.items():
        if name in dropped:
            continue
        named = dims.get(name) if isinstance(dims, Mapping) else dims
        variables[name] = _variable(array, named, axes.of)
    return Dataset(variables)
