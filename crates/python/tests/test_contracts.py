"""Contracts: what ``check``, ``preflight`` and ``check_batch`` say of them is what the tool says."""

import io
import json

import ndbytes
import numpy as np
import pyarrow
import pytest
from ndbytes._ndbytes import run_captured

CONTRACT = '[files."*-labels-idx1-ubyte"]\nrange = [0, 9]\n\n[files."*.bin"]\ntype = "u1"\n'


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".ndbytes.toml").write_text(CONTRACT)
    ndbytes.save("good-labels-idx1-ubyte", np.array([0, 9], "u1"), format="idx")
    ndbytes.save("bad-labels-idx1-ubyte", np.array([0, 10], "u1"), format="idx")
    (tmp_path / "x.bin").write_text("text")
    return tmp_path


def told_by_the_tool(*arguments):
    _, out, _ = run_captured(["ndbytes", "check", "--json", *map(str, arguments)])
    lines = map(json.loads, out.splitlines())
    return {line["path"]: [it["rule"] for it in line["findings"]] for line in lines if line.get("findings")}


def test_check_reads_the_contract_of_the_working_folder(folder):
    report = ndbytes.check("bad-labels-idx1-ubyte")
    assert [finding.rule for finding in report] == ["contract/range"] and not report.ok
    assert report[0].help == "required by line 2 of .ndbytes.toml"
    assert ndbytes.check("good-labels-idx1-ubyte").ok
    assert ndbytes.check("bad-labels-idx1-ubyte", no_config=True).ok
    assert ndbytes.check("bad-labels-idx1-ubyte", depth="structure").ok


def test_another_contract_is_named_by_its_path(folder):
    (folder / "other.toml").write_text('[files."*"]\ntype = "f4"\n')
    assert [it.rule for it in ndbytes.check("good-labels-idx1-ubyte", config="other.toml")] == ["contract/type"]
    assert not ndbytes.preflight(folder, config=b"other.toml").ok
    batches = ndbytes.check_batch(["good-labels-idx1-ubyte"], config=folder / "other.toml")
    assert pyarrow.table(batches)["rule"].to_pylist() == ["contract/type"]


def test_many_files_are_judged_as_the_tool_judges_them(folder):
    told = told_by_the_tool(folder)
    result = ndbytes.preflight(folder)
    assert {path: [it.rule for it in report] for path, report in result.broken.items()} == told
    assert told == {
        str(folder / "bad-labels-idx1-ubyte"): ["contract/range"],
        str(folder / "x.bin"): ["unknown-format"],
    }
    table = pyarrow.table(ndbytes.check_batch(["bad-labels-idx1-ubyte", "good-labels-idx1-ubyte"]))
    assert table["rule"].to_pylist() == ["contract/range"]
    assert ndbytes.preflight(".", no_config=True).ok


def test_a_contract_that_is_not_valid_is_refused_with_its_line(folder):
    (folder / ".ndbytes.toml").write_text("[files.a]\nkind = 1\n")
    for check in [ndbytes.check, ndbytes.preflight, lambda path: ndbytes.check_batch([path])]:
        with pytest.raises(ValueError, match=r"\.ndbytes\.toml: line 2: unknown field `kind`"):
            check("good-labels-idx1-ubyte")


def test_bytes_and_streams_have_no_contract(folder):
    content = (folder / "bad-labels-idx1-ubyte").read_bytes()
    for source in [content, io.BytesIO(content)]:
        assert ndbytes.check(source).ok
        with pytest.raises(ValueError, match="opened by its path has a contract"):
            ndbytes.check(source, config=".ndbytes.toml")
