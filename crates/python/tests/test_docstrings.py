"""What `help()` shows: every public name is documented, and the examples run."""

import doctest
import inspect
import re
import shutil
import zipfile

import ndbytes
import numpy as np
import pytest
from conftest import SAMPLES

#: Names that are no functions and no classes of this package's own.
DATA = {"__version__"}


def documented():
    """Every public class, function, method and property by its name."""
    for name in ndbytes.__all__:
        if name in DATA:
            continue
        value = getattr(ndbytes, name)
        yield name, value
        if inspect.isclass(value):
            for member, it in vars(value).items():
                # The fields of a dataclass are values.
                if not member.startswith("_") and (callable(it) or inspect.isdatadescriptor(it)):
                    yield f"{name}.{member}", it


NAMES = dict(documented())
#: What is called, and not only read.
CALLED = {
    name: value
    for name, value in NAMES.items()
    if not inspect.isclass(value) and not inspect.isdatadescriptor(value) and callable(value)
}


def parameters(value):
    signature = inspect.signature(value)
    return [name for name in signature.parameters if name not in ("self", "_exception")]


def section(doc, title):
    """The lines of a section of a docstring."""
    found = re.search(rf"^{title}:\n((?: .*\n|\n)*)", doc + "\n", re.MULTILINE)
    return found[1] if found else ""


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_is_documented(name):
    doc = inspect.getdoc(NAMES[name])
    assert doc and doc.splitlines()[0].endswith((".", ":")), doc


@pytest.mark.parametrize("name", CALLED)
def test_a_function_names_its_parameters_and_has_an_example(name):
    doc = inspect.getdoc(CALLED[name])
    told = re.findall(r"^    ([\w, ]+):", section(doc, "Parameters"), re.MULTILINE)
    assert sorted(", ".join(told).split(", ")) == sorted(parameters(CALLED[name]) or [""])
    assert ">>> " in section(doc, "Example")


@pytest.mark.parametrize("name", [name for name in CALLED if "." not in name and name != "rules"])
def test_a_function_says_what_it_raises(name):
    assert re.search(r"^    \w*Error", section(inspect.getdoc(CALLED[name]), "Raises"), re.MULTILINE)


@pytest.mark.parametrize("name", [name for name in NAMES if ">>> " in (inspect.getdoc(NAMES[name]) or "")])
def test_the_example_of_a_name_runs(name, tmp_path, monkeypatch):
    for sample in SAMPLES.iterdir():
        shutil.copy(sample, tmp_path)
    monkeypatch.chdir(tmp_path)
    np.save("numbers.npy", [1.5, 2.5])
    with zipfile.ZipFile("model.zip", "w") as archive:
        archive.write("numbers.npy")
    (tmp_path / "numbers.npy").unlink()
    example = doctest.DocTestParser().get_doctest(inspect.getdoc(NAMES[name]), {}, name, name, 0)
    words = []
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(example, out=words.append)
    assert not words, "".join(words)
