"""What a type checker finds: wrong names and values of options, before anything runs."""

import subprocess
import sys

import pytest

WRONG = {
    "a name that is no option": 'ndbytes.diff("a", "b", atoll=1e-6)',
    "a value that no option has": 'ndbytes.show("a", as_="pie")',
    "a unit that no table has": 'ndbytes.open_table("a").with_options(times="ms")',
    "a depth that no check has": 'ndbytes.check("a", depth="deep")',
    "a version of the tool that is no conflict": 'ndbytes.merge("a", "b", "c", "d", conflicts="ask")',
    "a limit that is text": 'ndbytes.open("a", memory="1G")',
    "an array that is a table": 'ndbytes.open_array("a").select(["b"])',
    "a word of another protocol": "ndbytes.open_array('a').__dlpack__(streams=1)",
    "an option that no lazy frame has": 'ndbytes.polars.scan_idv("a", time="us")',
    "a callback that takes nothing": 'ndbytes.preflight("a", progress=lambda: None)',
    "a tolerance that is text": 'ndbytes.pytest.assert_same("a", "b", atol="1")',
}

RIGHT = """
with ndbytes.open_array(b"") as array:
    shape: tuple[int, ...] = array.shape
with ndbytes.open_table("a") as table:
    rows: int = len(table)
found: ndbytes.Diff = ndbytes.diff(b"a", "b", atol=1e-6, sort="abs")
equal: bool = found.equal
broken: dict[str, ndbytes.Report] = ndbytes.preflight("a", progress=lambda result: None).broken
"""


def checked(tmp_path, text):
    script = tmp_path / "script.py"
    script.write_text(f"import ndbytes\nimport ndbytes.polars\nimport ndbytes.pytest\n{text}\n")
    options = ["--strict", "--ignore-missing-imports", f"--cache-dir={tmp_path}"]
    done = subprocess.run([sys.executable, "-m", "mypy", *options, script], capture_output=True, text=True, timeout=300)
    return done.stdout


def test_a_type_checker_takes_right_options(tmp_path):
    assert checked(tmp_path, RIGHT).startswith("Success")


def test_a_type_checker_finds_wrong_options(tmp_path):
    out = checked(tmp_path, "\n".join(WRONG.values()))
    assert [what for line, what in enumerate(WRONG, 4) if f"script.py:{line}: error:" not in out] == [], out


@pytest.mark.parametrize("module", ["polars", "preflight", "pytest"])
def test_a_module_with_types_of_its_own_passes_mypy_strict(module, tmp_path):
    out = checked(tmp_path, f"import ndbytes.{module}")
    assert out.startswith("Success")
