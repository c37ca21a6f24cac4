"""Folders: the package meets the files that the tool meets, and gives them the same verdicts."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import ndbytes

SAMPLES = Path(__file__).resolve().parents[3] / "samples"
GOOD = (SAMPLES / "surface.ra").read_bytes()


def listed(column):
    """The entries of the folder by path, from the list that the tests of tool and library read too: one of its columns."""
    lines = (SAMPLES.parent / "tests" / "walk.txt").read_text().splitlines()
    entries = [line.split("  ") for line in lines if not line.startswith("#")]
    return {entry[0]: entry[column] for entry in entries}


@pytest.fixture
def folder(tmp_path):
    """The folder of the list: ignored, hidden, foreign, linked, unreadable, misnamed and broken files."""
    broken = bytearray((SAMPLES / "temperatures.b2nd").read_bytes())
    place = len(broken) // 2
    broken[place : place + 64] = b"\xff" * 64
    for name, content in listed(1).items():
        path = tmp_path / "data" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if content.startswith("-> "):
            path.symlink_to(content[3:])
        else:
            path.write_bytes({"good": GOOD, "broken": bytes(broken)}.get(content, content.strip('"').encode()))
    return tmp_path / "data"


def by_tool(folder, *options):
    """The verdicts by path, what standard error says, and the exit status."""
    command = [sys.executable, "-m", "ndbytes", "check", "--json", *options, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True)
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    return {report["path"]: report["verdict"] for report in reports}, done.stderr, done.returncode


def by_preflight(result):
    """The same of a preflight, as far as it names files."""
    return {path: "error" for path in result.broken} | {path: "warning" for path in result.warned}


@pytest.mark.parametrize("gitignore", [False, True])
def test_package_and_tool_find_the_files_of_the_list(folder, gitignore):
    expected = listed(3 if gitignore else 2)

    def those(*verdicts):
        return {str(folder / path): verdict for path, verdict in expected.items() if verdict in verdicts}

    verdicts, said, status = by_tool(folder, *["--gitignore"] if gitignore else [])
    assert (verdicts, status) == (those("ok", "error"), 2)
    assert "1 .git, 2 links to directories" in said
    result = ndbytes.preflight(folder, gitignore=gitignore)
    assert by_preflight(result) == those("error")
    assert set(result.unreadable) == set(those("unreadable"))
    assert result.files == len(those("ok", "error", "unreadable")) and result.foreign == len(those("foreign"))
    assert (result.ok, result.passed["git"], result.passed["links"]) == (False, 1, 2)
    rows = ndbytes.check_batch([folder], "files", gitignore=gitignore)
    table = pytest.importorskip("pyarrow").table(rows).select(["path", "verdict"]).to_pylist()
    found = {row["path"]: row["verdict"] for row in table if row["path"] not in those("unreadable")}
    assert found == those("ok", "error")


def test_a_missing_path_is_an_error(tmp_path):
    gone = tmp_path / "gone"
    result = ndbytes.preflight(gone)
    assert not result and list(result.unreadable) == [str(gone)]
    assert not ndbytes.preflight([gone])
    assert by_tool(gone)[2] == 2
    with pytest.raises(FileNotFoundError):
        ndbytes.check(gone)


def test_a_preflight_of_nothing_is_not_ok(tmp_path):
    assert not ndbytes.preflight(tmp_path) and "nothing was checked" in str(ndbytes.preflight(tmp_path))
    assert not ndbytes.preflight([])
    (tmp_path / "notes.txt").write_text("notes")
    result = ndbytes.preflight(tmp_path)
    assert (result.ok, result.files, result.foreign) == (False, 0, 1)
    assert by_tool(tmp_path)[2] == 2


def test_what_is_named_is_judged_as_itself(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("notes")
    assert list(ndbytes.preflight(path).broken) == [str(path)]
    # A list has files of any format.
    assert ndbytes.preflight([path]).foreign == 1
    good = tmp_path / "a.ra"
    good.write_bytes(GOOD)
    assert ndbytes.preflight(good).ok and ndbytes.preflight([good, path]).ok


@pytest.mark.skipif(os.name != "posix" or os.getuid() == 0, reason="nothing is locked for this user")
def test_an_unreadable_folder_is_told(tmp_path):
    (tmp_path / "a.ra").write_bytes(GOOD)
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o000)
    result = ndbytes.preflight(tmp_path)
    locked.chmod(0o700)
    assert not result and list(result.unreadable) == [str(locked)]


@pytest.mark.skipif(sys.platform != "linux", reason="names are bytes")
def test_names_that_are_not_utf_8_are_met(tmp_path):
    name = os.fsdecode(b"\xff.npy")
    (tmp_path / name).write_bytes(b"notes")
    assert list(ndbytes.preflight(tmp_path).broken) == [str(tmp_path / name)]


@pytest.mark.parametrize("beside", [".ignore", ".gitignore", "embed.b2e", "deep/chunks.b2frame"])
def test_nothing_beside_a_file_hides_its_change(tmp_path, beside):
    data = tmp_path / "data"
    for name in ["a.ra", "deep/b.ra"]:
        (data / name).parent.mkdir(parents=True, exist_ok=True)
        (data / name).write_bytes(GOOD)
    ndbytes.seal(data)
    (data / ".git").mkdir()
    (data / beside).write_text("*")
    for name in ["a.ra", "deep/b.ra"]:
        (data / name).write_bytes(GOOD[:-1] + b"\x01")
    for gitignore in [False, True]:
        result = ndbytes.preflight(data, sealed=True, gitignore=gitignore)
        messages = [finding.message for report in result.broken.values() for finding in report.findings]
        assert sum("differs from its seal" in message for message in messages) == 2
    done = by_tool(data, "--gitignore", "--sealed")
    assert done[2] == 1


def test_an_archive_without_arrays_has_no_members(tmp_path):
    path = tmp_path / "x.npz"
    zipfile.ZipFile(path, "w").close()
    assert ndbytes.check(path).ok and len(ndbytes.open(path)) == 0
    assert ndbytes.check(path.read_bytes()).ok


def test_a_misnamed_file_is_refused(tmp_path):
    path = tmp_path / "x.npy"
    path.write_bytes(GOOD)
    assert [finding.rule for finding in ndbytes.check(path).findings] == ["misnamed"]
    with pytest.raises(ndbytes.InvalidError, match="misnamed"):
        ndbytes.open(path)
    assert ndbytes.open(GOOD).shape == (4, 6)


def test_a_preflight_says_what_it_did_not_look_at(tmp_path):
    (tmp_path / "a.ra").write_bytes(GOOD)
    assert "payloads were not read" in str(ndbytes.preflight(tmp_path, depth="structure"))
    assert "payloads" not in str(ndbytes.preflight(tmp_path))


def test_what_cannot_be_read_is_counted_apart_from_what_is_broken(tmp_path):
    path = str(tmp_path / "absent")
    result = ndbytes.preflight(path)
    assert (bool(result), result.broken, list(result.unreadable)) == (False, {}, [path])
    assert str(result).endswith("\n1 files, 0 of them broken, 0 with warnings, 1 that cannot be read")
