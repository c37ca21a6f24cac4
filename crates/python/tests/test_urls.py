"""Addresses wherever a path is taken, and the options of their stores."""

import multiprocessing
import os
import pickle
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import ndbytes
import numpy as np
import pytest
from conftest import SAMPLES
from stores import serving


@pytest.fixture
def lake():
    files = {f"/bucket/lake/{path.name}": path.read_bytes() for path in SAMPLES.iterdir() if path.is_file()}
    with serving({**files, "/bucket/lake/notes.txt": b"notes"}) as server:
        yield server


FIELD = "s3://bucket/lake/temperatures.b2nd"


def first_row(array):
    return array[0].tolist()


def test_an_object_is_opened_with_options(lake):
    array = ndbytes.open(FIELD, storage_options=lake.options)
    assert first_row(array) == np.asarray(ndbytes.open(SAMPLES / "temperatures.b2nd"))[0].tolist()
    assert all(authorization for _, _, authorization in lake.requests)
    lake.requests.clear()
    ndbytes.open(FIELD, storage_options={"anon": True, "client_kwargs": {"endpoint_url": lake.url}})
    assert not any(authorization for _, _, authorization in lake.requests)


def test_a_file_on_a_web_server_needs_no_other_package(lake):
    array = ndbytes.open_array(f"{lake.url}/bucket/lake/surface.ra")
    assert array.shape == (4, 6) and len(lake.requests) == 2


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_what_was_opened_is_opened_again_in_other_processes(lake, start):
    if start not in multiprocessing.get_all_start_methods():
        pytest.skip(f"this system has no {start}")
    array = ndbytes.open(FIELD, storage_options=lake.options)
    # The parent has connections, which its children must not use.
    expected = first_row(array)
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(start)) as pool:
        assert list(pool.map(first_row, [array] * 4)) == [expected] * 4
    assert first_row(pickle.loads(pickle.dumps(array))) == expected


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_reads_on(lake):
    array = ndbytes.open(FIELD, storage_options=lake.options)
    expected = first_row(array)
    child = os.fork()
    if child == 0:
        os._exit(0 if array[10].shape == (6,) and first_row(array) == expected else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_functions_of_the_tool_take_addresses_and_options(lake, tmp_path):
    how = {"storage_options": lake.options}
    table = "s3://bucket/lake/trees.idv"
    assert ndbytes.info(table, **how)["table"]["rows"] == 4
    assert ndbytes.explain(table, **how).fields[0]["offset"] == 0
    assert ndbytes.diff(table, SAMPLES / "trees.idv", **how).equal
    assert ndbytes.stats(FIELD, **how)["series"][0]["max"] == 372
    assert ndbytes.show(FIELD, **how).png[1:4] == b"PNG"
    ndbytes.convert(FIELD, tmp_path / "field.npy", **how)
    assert np.load(tmp_path / "field.npy").shape == (168, 6)


def test_many_files_of_a_store_are_checked(lake):
    how = {"storage_options": lake.options}
    result = ndbytes.preflight("s3://bucket/lake/", **how)
    assert list(result.broken) == ["s3://bucket/lake/interrupted-idx3-ubyte"] and result.foreign == 1
    assert not ndbytes.check("s3://bucket/lake/interrupted-idx3-ubyte", **how).ok
    pyarrow = pytest.importorskip("pyarrow")
    rows = pyarrow.table(ndbytes.check_batch(["s3://bucket/lake/"], "files", **how)).to_pylist()
    assert {row["path"]: row["verdict"] for row in rows}[FIELD] == "ok"
    none = ndbytes.preflight("s3://bucket/none/", **how)
    assert not none.ok


def test_calls_with_other_options_do_not_mix():
    """Two stores have the same bucket, with different files in it."""
    files = [{"/bucket/x": (SAMPLES / name).read_bytes()} for name in ["temperatures.b2nd", "surface.ra"]]
    with serving(files[0]) as one, serving(files[1]) as other, ThreadPoolExecutor(8) as pool:
        stores = [one.options, other.options] * 8
        found = list(pool.map(lambda options: ndbytes.info("s3://bucket/x", storage_options=options)["format"], stores))
    assert found == ["b2nd", "rawarray"] * 8


def test_what_is_not_there_and_what_is_no_option_are_errors(lake):
    with pytest.raises(FileNotFoundError, match="no such file"):
        ndbytes.open("s3://bucket/none", storage_options=lake.options)
    with pytest.raises(ValueError, match="is not an option of S3"):
        ndbytes.open(FIELD, storage_options={"colour": "blue"})
    with pytest.raises(TypeError, match="a text or a boolean"):
        ndbytes.open(FIELD, storage_options={"region_name": 7})


def test_xarray_opens_an_object_lazily(lake):
    xarray = pytest.importorskip("xarray")
    with xarray.open_dataset(FIELD, engine="ndbytes", storage_options=lake.options) as data:
        assert data["temperatures"].shape == (168, 6)
        assert int(data["temperatures"][0, 0]) == 90


def test_polars_scans_an_object(lake):
    polars = pytest.importorskip("polars")
    from ndbytes.polars import scan_idv

    frame = scan_idv("s3://bucket/lake/trees.idv", storage_options=lake.options)
    assert frame.filter(polars.col("Name") == "pine").select("Name").collect().height == 1
