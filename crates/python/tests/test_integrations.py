"""Other packages, each with the real one. What is not installed is skipped by name."""

import pickle

import ndbytes
import numpy as np
import pytest
from conftest import SAMPLES

FIELD = SAMPLES / "temperatures.b2nd"


@pytest.fixture
def trees():
    return ndbytes.open(SAMPLES / "trees.idv")


def names(trees):
    return trees["Name"].read().tolist()


def test_polars_takes_tables(trees):
    polars = pytest.importorskip("polars")
    assert polars.DataFrame(trees)["Name"].to_list() == names(trees)


def test_polars_scans_only_the_columns_that_it_takes(trees):
    polars = pytest.importorskip("polars")
    from ndbytes.polars import scan_idv

    frame = scan_idv(SAMPLES / "trees.idv")
    chosen = frame.filter(polars.col("Evergreen")).select("Name").collect()
    assert chosen["Name"].to_list() == [name for name, green in zip(names(trees), trees["Evergreen"].read()) if green]
    assert frame.head(2).collect().height == 2
    assert frame.collect_schema().names() == trees.columns


def test_pandas_takes_tables(trees):
    pytest.importorskip("pyarrow")
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame.from_arrow(trees)
    assert frame["Name"].tolist() == names(trees) and frame.columns.tolist() == trees.columns
    pandas.testing.assert_frame_equal(trees.to_pandas(), frame)
    # It takes no stream: it would take the names of the columns for the values.
    for take in [pandas.DataFrame, list, iter]:
        with pytest.raises(TypeError, match="to_pandas"):
            take(trees)
    assert dict(trees).keys() == set(trees.columns)


def test_duckdb_takes_tables(trees):
    duckdb = pytest.importorskip("duckdb")
    assert trees.columns  # duckdb reads the variable
    rows = duckdb.sql("SELECT Name FROM trees").fetchall()
    assert [name for (name,) in rows] == names(trees)
    assert duckdb.sql("SELECT count(*) FROM trees").fetchall() == [(4,)]


def test_xarray_opens_arrays_lazily():
    xarray = pytest.importorskip("xarray")
    with xarray.open_dataset(FIELD, engine="ndbytes") as data:
        assert data["temperatures"].shape == (168, 6) and data["temperatures"].attrs == {"unit": "0.1 °C"}
        assert (data["temperatures"][10:20, ::2].values == np.asarray(ndbytes.open(FIELD))[10:20, ::2]).all()
    with xarray.open_dataset(FIELD) as data:
        assert "temperatures" in data


def test_xarray_takes_chunks_with_dask():
    xarray = pytest.importorskip("xarray")
    pytest.importorskip("dask")
    with xarray.open_dataset(FIELD, engine="ndbytes", chunks={}) as data:
        assert data["temperatures"].chunks[0] == (72, 72, 24)
        assert int(data["temperatures"].sum()) == int(np.asarray(ndbytes.open(FIELD)).sum())


@pytest.mark.parametrize("scheduler", ["threads", "processes"])
def test_dask_reads_by_chunks(scheduler):
    dask = pytest.importorskip("dask.array")
    array = ndbytes.open(FIELD)
    lazy = dask.from_array(array, chunks=array.chunks)
    assert int(lazy.sum().compute(scheduler=scheduler)) == int(np.asarray(array).sum())


def test_dask_distributed_checks_files():
    distributed = pytest.importorskip("distributed")
    with distributed.Client(n_workers=2, threads_per_worker=1, dashboard_address=None) as client:
        paths = [str(path) for path in sorted(SAMPLES.iterdir())]
        futures = client.map(lambda path: ndbytes.check(path).verdict, paths)
        assert client.gather(futures).count("error") == 1


def test_fsspec_files_are_read_by_ranges():
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    memory.pipe("/field.b2nd", FIELD.read_bytes())
    asked = []
    original = memory.cat_ranges
    memory.cat_ranges = lambda paths, starts, ends, **rest: asked.append(len(paths)) or original(paths, starts, ends, **rest)
    try:
        array = ndbytes.open(fsspec.open("memory://field.b2nd"))
        assert (array[3] == np.asarray(ndbytes.open(FIELD))[3]).all()
    finally:
        del memory.cat_ranges
    assert asked
    assert ndbytes.open("memory://field.b2nd").shape == (168, 6)
    with pytest.raises(FileNotFoundError):
        ndbytes.open("memory://none")


def test_blosc2_reads_what_is_saved(tmp_path):
    blosc2 = pytest.importorskip("blosc2")
    values = np.random.default_rng(1).normal(size=(40, 50))
    ndbytes.save(tmp_path / "a.b2nd", values, attrs={"unit": "K"})
    read = blosc2.open(str(tmp_path / "a.b2nd"))
    assert (read[:] == values).all() and read.schunk.vlmeta["unit"] == "K"


def test_blosc2_slices_are_the_same(tmp_path):
    blosc2 = pytest.importorskip("blosc2")
    rng = np.random.default_rng(2)
    for shape in [(7,), (30, 40), (5, 6, 7, 8)]:
        values = rng.integers(0, 1000, size=shape)
        path = tmp_path / f"{len(shape)}.b2nd"
        theirs = blosc2.asarray(values, urlpath=str(path), mode="w")
        ours = ndbytes.open(path)
        for _ in range(200):
            bounds = [sorted(rng.integers(0, extent + 1, 2)) for extent in shape]
            key = tuple(slice(low, high) for low, high in bounds)
            assert (ours[key] == theirs[key]).all()


def test_torch_loads_with_workers():
    torch = pytest.importorskip("torch")

    class Rows(torch.utils.data.Dataset):
        def __init__(self, array):
            self.array = array

        def __len__(self):
            return len(self.array)

        def __getitem__(self, place):
            return torch.as_tensor(self.array[place].astype("int64"))

    loader = torch.utils.data.DataLoader(Rows(ndbytes.open(FIELD)), batch_size=16, num_workers=2)
    assert sum(int(batch.sum()) for batch in loader) == int(np.asarray(ndbytes.open(FIELD)).sum())


def test_bfloat16_that_numpy_saves_as_raw_bytes_is_read_by_name(tmp_path):
    types = pytest.importorskip("ml_dtypes")
    values = np.array([1.5, -2, 0], dtype=types.bfloat16)
    np.save(tmp_path / "raw.npy", values)
    assert ndbytes.open(tmp_path / "raw.npy").dtype == "V2"
    array = ndbytes.open_array(tmp_path / "raw.npy", void_as="bfloat16")
    assert array.dtype == types.bfloat16 and array[...].tolist() == values.tolist()
    assert pickle.loads(pickle.dumps(array))[0] == 1.5
    assert ndbytes.stats(tmp_path / "raw.npy", void_as="bfloat16")["series"][0]["max"] == 1.5
    assert "<svg" in ndbytes.show(tmp_path / "raw.npy", void_as="bfloat16").svg
    ndbytes.convert(tmp_path / "raw.npy", tmp_path / "raw.ra", void_as="bfloat16")
    assert ndbytes.open(tmp_path / "raw.ra").dtype == types.bfloat16
    with pytest.raises(ValueError, match="`void_as` cannot be \"float8_e4m3\""):
        ndbytes.open(tmp_path / "raw.npy", void_as="float8_e4m3")


def test_bfloat16_is_that_of_ml_dtypes(tmp_path):
    types = pytest.importorskip("ml_dtypes")
    values = np.array([1.5, -2, 0], dtype=types.bfloat16)
    ndbytes.save(tmp_path / "a.ra", values)
    array = ndbytes.open(tmp_path / "a.ra")
    assert array.dtype == values.dtype and (np.asarray(array) == values).all()


def test_polars_filters_before_it_reads_other_columns(tmp_path):
    polars = pytest.importorskip("polars")
    pyarrow = pytest.importorskip("pyarrow")
    from ndbytes.polars import scan_idv

    rng = np.random.default_rng(3)
    table = pyarrow.table({"id": np.arange(100_000), "x": rng.normal(size=100_000), "y": rng.normal(size=100_000)})
    ndbytes.write_idv(tmp_path / "a.idv", table)
    expected, frame = polars.DataFrame(table), scan_idv(tmp_path / "a.idv")
    id, x = polars.col("id"), polars.col("x")
    for predicate in [id < 10, (id > 70_000) & (x > 0), x > 100, (id % 2 == 0) | (x < -1), polars.lit(True), ~(id == 5)]:
        for columns in [["y"], ["x", "id"], ["id", "x", "y"]]:
            found = frame.filter(predicate).select(columns).collect()
            assert found.equals(expected.filter(predicate).select(columns)), (str(predicate), columns)


def test_arrays_are_tables_of_tensors_for_arrow():
    pyarrow = pytest.importorskip("pyarrow")
    digits = ndbytes.open(SAMPLES / "digits-idx3-ubyte.gz")
    column = pyarrow.table(digits)["values"].combine_chunks()
    assert (column.to_numpy_ndarray() == np.asarray(digits)).all()
    assert pyarrow.table(ndbytes.open(SAMPLES / "digits-idx1-ubyte"))["values"].to_pylist() == list(range(10))


def test_tables_of_python_blosc2_are_tables(tmp_path):
    blosc2 = pytest.importorskip("blosc2")
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({"id": [1, 2, 3], "name": ["a", None, "ö"], "x": [0.5, None, -1.0]})
    blosc2.CTable.from_arrow(table.schema, table.to_batches(), urlpath=str(tmp_path / "t.b2z")).close()
    assert pyarrow.table(ndbytes.open(tmp_path / "t.b2z")).to_pylist() == table.to_pylist()
    np.savez(tmp_path / "a.npz", a=np.ones(3))
    with pytest.raises(ValueError, match="not a table of python-blosc2"):
        pyarrow.table(ndbytes.open(tmp_path / "a.npz"))


def test_xarray_names_axes_as_attributes_do(tmp_path):
    xarray = pytest.importorskip("xarray")
    values = np.arange(20.0).reshape(4, 5)
    ndbytes.save(tmp_path / "a.b2nd", values, attrs={"_ARRAY_DIMENSIONS": ["time", "x"], "unit": "K"})
    with xarray.open_dataset(tmp_path / "a.b2nd") as data:
        assert data["a"].dims == ("time", "x") and data["a"].attrs == {"unit": "K"}
        assert data["a"].sel(x=slice(1, 3)).shape == (4, 2)
    blosc2 = pytest.importorskip("blosc2")
    blosc2.asarray(values, urlpath=str(tmp_path / "m.b2nd"), mode="w", meta={"dimension_names": ["lat", "lon"]})
    with xarray.open_dataset(tmp_path / "m.b2nd") as data:
        assert data["m"].dims == ("lat", "lon")
    # Names that are not those of all axes are attributes.
    ndbytes.save(tmp_path / "b.b2nd", values, attrs={"dims": ["one"]})
    with xarray.open_dataset(tmp_path / "b.b2nd", dims=["p", "q"]) as data:
        assert data["b"].dims == ("p", "q") and data["b"].attrs == {"dims": ["one"]}


def test_xarray_opens_archives_as_data_sets_and_trees(tmp_path):
    xarray = pytest.importorskip("xarray")
    np.savez(tmp_path / "a.npz", a=np.zeros((3, 4)), b=np.ones(3), c=np.arange(4))
    with xarray.open_dataset(tmp_path / "a.npz") as data:
        assert data["a"].dims == ("dim_0", "dim_1") and data["b"].dims == ("dim_0",) and data["c"].dims == ("dim_1",)
    with xarray.open_dataset(tmp_path / "a.npz", dims={"a": ("t", "x"), "b": ("t",), "c": ("x",)}) as data:
        assert dict(data.sizes) == {"t": 3, "x": 4}
    blosc2 = pytest.importorskip("blosc2")
    store = blosc2.TreeStore(str(tmp_path / "s.b2z"), mode="w")
    store["/g/x"], store["/g/h/y"], store["/z"] = np.arange(10.0), np.arange(6).reshape(2, 3), np.ones(3)
    store.close()
    tree = xarray.open_datatree(tmp_path / "s.b2z", engine="ndbytes")
    assert set(tree.groups) == {"/", "/g", "/g/h"}
    assert tree["/g/h/y"].values.tolist() == [[0, 1, 2], [3, 4, 5]]
    with xarray.open_dataset(tmp_path / "s.b2z", group="g", engine="ndbytes") as data:
        assert data["x"].values.tolist() == list(range(10))
    with pytest.raises(ValueError, match="no group 'q'"):
        xarray.open_dataset(tmp_path / "s.b2z", group="q", engine="ndbytes")


def _mean(data):
    return float(data["a"][1:].mean())


def test_xarray_is_lazy_in_two_workers(tmp_path):
    xarray = pytest.importorskip("xarray")
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    values = np.arange(200.0).reshape(20, 10)
    ndbytes.save(tmp_path / "a.b2nd", values, attrs={"dims": ["time", "x"]})
    np.savez(tmp_path / "b.npz", a=values)
    for name in ["a.b2nd", "b.npz"]:
        data = xarray.open_dataset(tmp_path / name)
        with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
            assert list(pool.map(_mean, [data] * 4)) == [values[1:].mean()] * 4
