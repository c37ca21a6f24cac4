"""What all tests share: the files of the repository."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SAMPLES = ROOT / "samples"
CORPUS = ROOT / "tests" / "corpus"
FROZEN = ROOT / "tests" / "frozen"


def files(folder, *endings):
    """The files below a folder, those with one of the endings if there are any."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return [path for path in paths if not endings or path.name.endswith(endings)]


@pytest.fixture
def samples():
    return SAMPLES
