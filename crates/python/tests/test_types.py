"""What a type checker finds: wrong names and values of options, before anything runs."""

import re
import sys
from importlib.util import find_spec

import pytest
from checkers import CHECKERS, mypy, run

#: The modules that have no stub.
MODULES = ["everybyte", "polars", "preflight", "pytest", "xarray"]

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


def checked(checker, tmp_path, text):
    script = tmp_path / "script.py"
    script.write_text(f"import ndbytes\nimport ndbytes.polars\nimport ndbytes.pytest\n{text}\n")
    return checker(script, tmp_path)


@pytest.mark.parametrize("checker", CHECKERS)
def test_a_type_checker_takes_right_options(checker, tmp_path):
    status, out = checked(checker, tmp_path, RIGHT)
    assert status == 0, out


@pytest.mark.parametrize("checker", CHECKERS)
def test_a_type_checker_finds_wrong_options(checker, tmp_path):
    _, out = checked(checker, tmp_path, "\n".join(WRONG.values()))
    wrong = {int(line) for line in re.findall(r"script\.py:(\d+):.* error: ", out)}
    assert [what for line, what in enumerate(WRONG, 4) if line not in wrong] == [], out


@pytest.mark.parametrize("module", MODULES)
def test_a_module_with_types_of_its_own_passes_mypy_strict(module, tmp_path):
    status, out = checked(mypy, tmp_path, f"import ndbytes.{module}")
    assert status == 0, out


def test_modules_with_types_of_their_own_pass_pyright():
    """By themselves: pyright looks for no errors in what a script imports."""
    status, out = run("pyright", "--pythonpath", sys.executable, *(find_spec(f"ndbytes.{it}").origin for it in MODULES))
    assert status == 0, out
