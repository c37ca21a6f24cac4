"""Many random slices and many broken files. `NDBYTES_SCALE=20` takes 20 times as many: 10,000 slices and 20,000 mutants."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import ndbytes
import numpy as np
import pytest
from conftest import CORPUS, SAMPLES, files

SCALE = int(os.environ.get("NDBYTES_SCALE", "1"))
SLICES = 500 * SCALE
MUTANTS = 1000 * SCALE
READER = Path(__file__).with_name("read_hostile.py")
FORMATS = ["idx", "rawarray", "idv", "b2nd", "npy"]

#: Shape, chunks and blocks; chunks and blocks divide the shape, or do not.
GRIDS = [
    ((37,), (10,), (3,)),
    ((0,), (1,), (1,)),
    ((16, 24), (8, 8), (4, 2)),
    ((19, 23), (7, 11), (3, 4)),
    ((5, 1, 9), (2, 1, 4), (2, 1, 3)),
    ((6, 7, 5, 4), (4, 3, 5, 2), (2, 2, 3, 1)),
]
TYPES = ["i1", "<u2", "<i4", "<f8", "<c16", "S5", "?"]


def key_of(rng, shape):
    """A key of NumPy: sometimes out of range, of a step of zero, or of too many axes."""
    key = []
    for extent in shape[: rng.randint(0, len(shape))]:
        if rng.random() < 0.35:
            reach = extent + (1 if rng.random() < 0.1 else 0)
            key.append(rng.randrange(-reach, reach) if reach else 0)
        else:
            bounds = [None if rng.random() < 0.3 else rng.randint(-2 * extent - 1, 2 * extent + 1) for _ in range(2)]
            step = rng.choice([None, 1, 2, 3, 7, 1 << 40, -1, -2, -5, -(1 << 40)])
            key.append(slice(*bounds, 0 if rng.random() < 0.01 else step))
    if rng.random() < 0.02:
        key += [0] * (len(shape) + 1 - len(key))
    for extra, chance in [(..., 0.25), (None, 0.15), (None, 0.05), (..., 0.02)]:
        if rng.random() < chance:
            key.insert(rng.randint(0, len(key)), extra)
    return key[0] if len(key) == 1 and rng.random() < 0.5 else tuple(key)


def is_plain(key):
    """Whether python-blosc2 promises NumPy's answer: no new axes, no steps but forward."""
    parts = key if isinstance(key, tuple) else (key,)
    return all(part is not None and not (isinstance(part, slice) and part.step not in (None, 1)) for part in parts)


def answer(array, key):
    """Elements, type and shape; or the exception."""
    try:
        result = np.asarray(array[key])
    except (IndexError, ValueError) as error:
        return type(error)
    # NumPy gives a scalar or an array without axes, and a scalar of bytes is shorter than its array's elements.
    dtype = array.dtype if result.dtype.kind == "S" else result.dtype
    return result.astype(dtype).tobytes(), dtype, result.shape


def test_random_slices_are_those_of_numpy_and_blosc2(tmp_path):
    blosc2 = pytest.importorskip("blosc2")
    rng = random.Random(15)
    pairs = []
    for number, (shape, chunks, blocks) in enumerate(GRIDS):
        for letter in TYPES:
            numbers = np.random.default_rng(number).integers(0, 100, shape)
            whole = numbers.astype(letter)
            path = tmp_path / f"{number}-{letter.strip('<?')}.b2nd"
            theirs = blosc2.asarray(whole, chunks=chunks, blocks=blocks, urlpath=str(path), mode="w")
            pairs.append((ndbytes.open(path), theirs, whole))
    errors = compared = 0
    for _ in range(SLICES):
        ours, theirs, whole = rng.choice(pairs)
        key = key_of(rng, whole.shape)
        expected = answer(whole, key)
        assert answer(ours, key) == expected, (whole.shape, whole.dtype, key)
        if isinstance(expected, type):
            errors += 1
        elif is_plain(key) and whole.size:
            assert answer(theirs, key) == expected, (whole.shape, whole.dtype, key)
            compared += 1
    print(f"{SLICES} slices, {errors} refused by both, {compared} compared with python-blosc2")
    assert errors and compared


def read_hostile(folder):
    """Reads all files of a folder in a process of its own, and gives the counts of what came out."""
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", READER, folder], capture_output=True, text=True, timeout=60 + 60 * SCALE
    )
    assert done.returncode == 0, done.stderr[-3000:]
    print(done.stdout)
    return json.loads(done.stdout)


def forge(*options):
    subprocess.run([sys.executable, "-m", "ndbytes", "forge", *map(str, options)], check=True, capture_output=True)


@pytest.mark.parametrize("format", FORMATS)
def test_mutants_give_values_or_exceptions_of_files(format, tmp_path):
    forge("--mutate", "--format", format, "--seed", 15, "--count", MUTANTS // 10, tmp_path / "forged")
    counts = read_hostile(tmp_path / "forged")
    # Some files of b2nd are folders of files.
    assert counts["files"] >= MUTANTS // 10
    assert counts["strange"] == [] and counts["sound but refused"] == []


def test_mutants_of_corpus_and_samples_give_values_or_exceptions_of_files(tmp_path):
    seeds = [path for path in files(SAMPLES) + files(CORPUS) if is_seed(path)]
    each = -(-MUTANTS // 2 // len(seeds))
    made = 0
    for number, seed in enumerate(seeds):
        forge("--mutate", "--from", seed, "--seed", number, "--count", each, tmp_path / "forged" / str(number))
        made += each
    counts = read_hostile(tmp_path / "forged")
    assert counts["files"] >= made >= MUTANTS // 2
    assert counts["strange"] == [] and counts["sound but refused"] == []


def is_seed(path):
    """Whether the forge has fields of it: a sound file, and not compressed."""
    sound = path.parent == SAMPLES or "ok" in path.parts
    return sound and path.suffix not in (".toml", ".md", ".recipe", ".gz") and path.stat().st_size < 20_000


def test_bad_files_of_the_corpus_give_values_or_exceptions_of_files():
    for format in sorted(path for path in CORPUS.iterdir() if (path / "bad").is_dir()):
        counts = read_hostile(format / "bad")
        assert counts["files"] and counts["strange"] == [] and counts["sound but refused"] == []
