"""What all tests share: the files of the repository."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SAMPLES = ROOT / "samples"
CORPUS = ROOT / "target" / "corpus"
FROZEN = ROOT / "tests" / "frozen"

# The files of the corpus are in the repository as recipes.
subprocess.run([ROOT / "tests" / "assemble.sh"], check=True)


def files(folder, *endings):
    """The files below a folder, those with one of the endings if there are any."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return [path for path in paths if not endings or path.name.endswith(endings)]


@pytest.fixture
def samples():
    return SAMPLES
