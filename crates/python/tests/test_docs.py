"""The pages: their examples run, and the reference is that of the stubs."""

import ast
import os
import re
import shutil
import subprocess
import sys
import textwrap

import pytest
import stubs
from checkers import CHECKERS
from conftest import ROOT, SAMPLES
from stubs import STUBS

REFERENCE = ROOT / "docs" / "src" / "python-reference.md"
PAGES = [ROOT / "crates" / "python" / "README.md", *sorted((ROOT / "docs" / "src").glob("python*.md"))]


@pytest.mark.parametrize("page", [page for page in PAGES if page != REFERENCE], ids=lambda page: page.name)
def test_examples_of_a_page_run(page, tmp_path, monkeypatch, capsys):
    for sample in SAMPLES.iterdir():
        shutil.copy(sample, tmp_path)
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)
    assert blocks
    names = {}
    for block in blocks:
        exec(compile(block, page.name, "exec"), names)


@pytest.mark.parametrize("engine", ["spark", "ray", "distributed"])
def test_the_recipe_of_an_engine_runs(engine, monkeypatch):
    """In a process of its own: engines start threads, processes and servers."""
    pytest.importorskip({"spark": "pyspark"}.get(engine, engine))
    if engine == "spark" and shutil.which("java") is None:
        pytest.skip("Spark needs Java")
    page = (ROOT / "docs" / "src" / "python-preflight.md").read_text()
    (recipe,) = re.findall(rf"^```python,{engine}\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    # Functions of a script reach other processes by value. Processes of Dask begin by running it again.
    body = textwrap.indent(recipe + "assert found['rule'].to_pylist() == ['idx/truncated-payload'], found\n", "    ")
    files = sorted(str(path) for path in SAMPLES.iterdir())
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    script = f"files = {files!r}\nif __name__ == '__main__':\n{body}"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]


def test_the_notebook_runs(tmp_path):
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    for sample in SAMPLES.iterdir():
        shutil.copy(sample, tmp_path)
    notebook = nbformat.read(ROOT / "docs" / "src" / "notebook.ipynb", as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "outputs are not kept"
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(tmp_path)}}).execute()
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert "<iframe" in cells[3].outputs[0]["data"]["text/html"]
    assert "idx/truncated-payload" in cells[5].outputs[0]["text"]
    assert "chunks[1]" in cells[-1].outputs[0]["data"]["text/plain"]


def shown(function, owner=""):
    """The head of a function, as it is called."""
    function = ast.parse(ast.unparse(function)).body[0]
    function.decorator_list, function.body = [], [ast.Expr(ast.Constant(...))]
    head = ast.unparse(function).removesuffix("\n    ...").removeprefix("def ").removesuffix(":")
    head = head.replace("(self, /, ", "(").replace("(self, ", "(").replace("(self)", "()").replace(", /", "")
    return f"{owner}{head}"


def reference():
    """The reference, out of the stubs."""
    lines = ["# The package", "", "Every name of `ndbytes`.", ""]
    for node in ast.parse(STUBS.read_text()).body:
        name = getattr(node, "name", "_")
        if name.startswith("_"):
            continue
        lines += [f"## {name}", ""]
        if isinstance(node, ast.FunctionDef):
            lines += ["```python", shown(node), "```", "", *paragraphs(node), ""]
            continue
        lines += [*paragraphs(node), ""]
        rows = []
        for member in node.body:
            if isinstance(member, ast.FunctionDef) and ast.get_docstring(member):
                is_property = any(getattr(it, "id", None) == "property" for it in member.decorator_list)
                returns = ast.unparse(member.returns)
                head = f"{member.name}: {returns}" if is_property else shown(member)
                rows += [f"* `{head}`  ", *(f"  {line}".rstrip() for line in paragraphs(member))]
            elif isinstance(member, ast.AnnAssign):
                rows += [f"* `{ast.unparse(member)}`"]
        lines += [*rows, ""]
    text = "\n".join(lines)
    return re.sub(r"\n{3,}", "\n\n", text).rstrip() + "\n"


def paragraphs(node):
    """A docstring as Markdown: parameters and exceptions are lists, examples are code."""
    lines, code = [], False
    section, item = None, None
    for line in textwrap.dedent(ast.get_docstring(node) or "").splitlines():
        if line in ("Parameters:", "Raises:", "Example:"):
            section, item = line, None
            lines += [line, "", *["```pycon"] * (line == "Example:")]
            code = code or line == "Example:"
        elif section == "Example:":
            lines.append(line.removeprefix("    "))
        elif section and (found := re.fullmatch(r" {4}([\w, ]+): (.*)", line)):
            names = ", ".join(f"`{name}`" for name in found[1].split(", "))
            lines.append(f"* {names}: {found[2]}".replace("``", "`"))
        elif section and line:
            lines.append("  " + line.strip().replace("``", "`"))
        else:
            lines.append(line.replace("``", "`"))
    return [*lines, *["```"] * code]


def test_the_stubs_have_the_documentation_of_the_module_and_the_types_of_the_tool():
    if os.environ.get("UPDATE_GENERATED"):
        STUBS.write_text(stubs.written())
    assert STUBS.read_text() == stubs.written(), "UPDATE_GENERATED=1 writes them anew"


def test_the_reference_is_that_of_the_stubs():
    if os.environ.get("UPDATE_GENERATED"):
        REFERENCE.write_text(reference())
    assert REFERENCE.read_text() == reference(), "UPDATE_GENERATED=1 writes it anew"


@pytest.mark.parametrize("checker", CHECKERS)
@pytest.mark.parametrize("page", [page for page in PAGES if page != REFERENCE], ids=lambda page: page.name)
def test_examples_of_a_page_pass_type_checkers(page, checker, tmp_path):
    blocks = re.findall(r"^```python\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)
    script = tmp_path / "example.py"
    script.write_text("\n".join(blocks))
    status, out = checker(script, tmp_path)
    assert status == 0, out[-4000:]
