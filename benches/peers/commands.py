"""Commands that go through all values, as whole processes, beside Python programs that do the same: start, imports and files included.
The files are in the page cache."""

import os
import shutil
import sys
from pathlib import Path

import blosc2
import numpy as np

from data import temperatures
from measure import THREADS, Row, Sample, compare, launched

#: A file system in memory, where nobody waits for a disk.
MEMORY = Path("/dev/shm/peers-bench-commands")
#: 512 MiB of float32, 3 million lines of text, and the members of an `.npz`.
SHAPE, ROWS, MEMBERS = (8192, 16384), 3_000_000, 8

#: What each peer runs: its arguments are the files of the row and, as the last one, the number of threads.
NUMPY = """
import sys, numpy as np
a = np.load(sys.argv[1], mmap_mode="r")
"""
FIVE = "print(a.min(), a.max(), a.mean(dtype='f8'), a.std(dtype='f8'), np.isnan(a).sum(), np.histogram(a, 32)[0])\n"
BLOSC2 = """
import sys, numpy as np, blosc2
stored = blosc2.open(sys.argv[1], mode="r", dparams=blosc2.DParams(nthreads=int(sys.argv[-1])))
"""
ARROW = """
import sys, pyarrow as pa, pyarrow.parquet as pq
pa.set_cpu_count(int(sys.argv[-1]))
threads = int(sys.argv[-1]) > 1
"""
PEERS = {
    "stats": ("NumPy, five questions", NUMPY + FIVE),
    "stats-b2nd": ("python-blosc2 and NumPy", BLOSC2 + "a = stored[...]\n" + FIVE),
    "show": ("NumPy, the mean of 512 stripes", NUMPY + "print(a.reshape(512, -1).mean(axis=1, dtype='f8'))"),
    "diff": ("NumPy, `!=`", NUMPY + "print((a != np.load(sys.argv[2], mmap_mode='r')).sum())"),
    "diff-atol": ("NumPy, `abs(a - b) > atol`", NUMPY + "print((np.abs(a - np.load(sys.argv[2], mmap_mode='r')) > 1e-6).sum())"),
    "csv-parquet": (
        "pyarrow",
        ARROW
        + "import pyarrow.csv as csv\n"
        + "pq.write_table(csv.read_csv(sys.argv[1], csv.ReadOptions(use_threads=threads)), sys.argv[2], compression='zstd')",
    ),
    "jsonl-parquet": (
        "pyarrow",
        ARROW
        + "import pyarrow.json as json\n"
        + "pq.write_table(json.read_json(sys.argv[1], json.ReadOptions(use_threads=threads)), sys.argv[2], compression='zstd')",
    ),
    "parquet-idv": ("pyarrow, reading alone", ARROW + "pq.read_table(sys.argv[1], use_threads=threads)"),
    "b2nd-npy": ("python-blosc2, `np.save`", BLOSC2 + "np.save(sys.argv[2], stored[...])"),
    "npy-b2nd": (
        "python-blosc2",
        "import sys, numpy as np, blosc2\n"
        "cparams = blosc2.CParams(codec=blosc2.Codec.ZSTD, clevel=5, nthreads=int(sys.argv[-1]))\n"
        "blosc2.asarray(np.load(sys.argv[1]), urlpath=sys.argv[2], mode='w', cparams=cparams)",
    ),
    "npy-zarr": (
        "zarr",
        "import sys, numpy as np, zarr\n"
        "zarr.config.set({'threading.max_workers': int(sys.argv[-1])})\n"
        "a = np.load(sys.argv[1], mmap_mode='r')\n"
        "with zarr.storage.ZipStore(sys.argv[2], mode='w') as store:\n"
        "    zarr.create_array(store, data=a)",
    ),
    "check-b2nd": ("python-blosc2, decoding all", BLOSC2 + "stored[...]"),
    "check-npz": ("NumPy, loading all", "import sys, numpy as np\nwith np.load(sys.argv[1]) as a:\n    [a[name] for name in a.files]"),
    "seal": ("`hashlib`, SHA-256", "import sys, hashlib\nprint(hashlib.file_digest(open(sys.argv[1], 'rb'), 'sha256').hexdigest())"),
}


def made(path, make):
    """A file of the folder, made once: a run that is interrupted leaves none that is incomplete."""
    if not path.exists():
        part = path.with_name(f"part-{path.name}")
        make(part)
        part.rename(path)
    return path


def save_npz(path):
    rng = np.random.default_rng(11)
    # 16 MB a member, deflated: its values repeat, as labels and counts do.
    members = {f"m{number}": rng.integers(0, 99, 4_000_000, dtype="i4") for number in range(MEMBERS)}
    with open(path, "wb") as file:
        np.savez_compressed(file, **members)


def save_lines(path, line):
    rng = np.random.default_rng(13)
    with open(path, "w") as file:
        for start in range(0, ROWS, 100_000):
            numbers = rng.standard_normal(100_000).round(6)
            file.writelines(line(start + place, number) for place, number in enumerate(numbers))


def csv_line(place, number):
    return f"{place},{number},station {place % 1000}\n"


def json_line(place, number):
    return f'{{"id":{place},"value":{number},"station":"station {place % 1000}"}}\n'


def save_csv(path):
    save_lines(path, csv_line)
    text = path.read_text()
    path.write_text("id,value,station\n" + text)


def save_parquet(path, csv):
    import pyarrow.csv
    import pyarrow.parquet

    pyarrow.parquet.write_table(pyarrow.csv.read_csv(csv), path)


def floats():
    items = np.empty(SHAPE[0] * SHAPE[1], "f4")
    for place, degrees in temperatures(SHAPE):
        items[place] = degrees
    return items.reshape(SHAPE)


def save_npy(path, change=0):
    items = floats()
    items[SHAPE[0] // 2, 7] += change
    with open(path, "wb") as file:
        np.save(file, items)


def save_b2nd(path, npy):
    blosc2.asarray(np.load(npy), urlpath=str(path), mode="w", cparams=blosc2.CParams(codec=blosc2.Codec.ZSTD, clevel=5))


def files(data):
    folder = data / "commands"
    folder.mkdir(exist_ok=True)
    npy = made(folder / "a.npy", save_npy)
    csv = made(folder / "a.csv", save_csv)
    return {
        "npy": npy,
        "other": made(folder / "b.npy", lambda path: save_npy(path, 1)),
        "b2nd": made(folder / "a.b2nd", lambda path: save_b2nd(path, npy)),
        "npz": made(folder / "a.npz", save_npz),
        "csv": csv,
        "jsonl": made(folder / "a.jsonl", lambda path: save_lines(path, json_line)),
        "parquet": made(folder / "a.parquet", lambda path: save_parquet(path, csv)),
    }


def commands(files):
    """The work of each row: its name, the files that the peer is given, and the arguments of the tool."""

    def convert(source, extension):
        out = MEMORY / f"out.{extension}"
        return [files[source], MEMORY / f"peer.{extension}"], ["convert", "--force", files[source], out]

    npy, other = files["npy"], files["other"]
    return {
        "stats": ("`stats`, 512 MiB of f32", [npy], ["stats", npy]),
        "stats-b2nd": ("`stats`, the same in b2nd", [files["b2nd"]], ["stats", files["b2nd"]]),
        "show": ("`show --out`, the same", [npy], ["show", npy, "--force", "--out", MEMORY / "out.png"]),
        "diff": ("`diff`, one element differs", [npy, other], ["diff", "--quiet", npy, other]),
        "diff-atol": ("`diff --atol`, the same", [npy, other], ["diff", "--quiet", "--atol", "1e-6", npy, other]),
        "csv-parquet": ("CSV, 3 million rows, to Parquet", *convert("csv", "parquet")),
        "jsonl-parquet": ("JSON Lines, the same, to Parquet", *convert("jsonl", "parquet")),
        "parquet-idv": ("Parquet, the same, to IDV", *convert("parquet", "idv")),
        "b2nd-npy": ("b2nd, 512 MiB, to `.npy`", *convert("b2nd", "npy")),
        "npy-b2nd": ("`.npy`, 512 MiB, to b2nd", *convert("npy", "b2nd")),
        "npy-zarr": ("`.npy`, 512 MiB, to zarr.zip", *convert("npy", "zarr.zip")),
        "check-b2nd": ("`check`, b2nd, 512 MiB", [files["b2nd"]], ["check", files["b2nd"]]),
        "check-npz": ("`check`, `.npz`, 8 members of 16 MB", [files["npz"]], ["check", files["npz"]]),
        "seal": ("`seal`, 512 MiB", [npy], ["seal", npy, "--out", npy.with_name("out.seal")]),
    }


def process(command, allowed=(0,), environment=None):
    """A whole process as work: its time, and its memory at its peak."""

    def run():
        elapsed, _, peak = launched(command, allowed, environment)
        return Sample(elapsed, peak)

    return run


class Tool:
    """Runs the tool on as many threads as it is asked to use."""

    def __init__(self, tool, commands):
        self.tool, self.commands = tool, commands

    def runner(self, case, threads):
        *_, arguments = self.commands[case]
        # `diff` ends with 1, since the files differ.
        environment = os.environ | {"RAYON_NUM_THREADS": str(threads)}
        return process([self.tool, *arguments], (1,) if case.startswith("diff") else (0,), environment)


def section(data, _, arguments):
    MEMORY.mkdir(exist_ok=True)
    work = commands(files(data))
    rows = []
    for case, (title, given, _) in work.items():
        name, program = PEERS[case]

        def peer(threads):
            command = [sys.executable, "-c", program, *given, str(threads)]
            return {f"{name} on {threads}": process(command)}

        rounds = min(arguments.rounds, 5)
        rows.append(Row(title, case, by_threads={n: peer(n) for n in THREADS}, threads=THREADS, rounds=rounds))
    compare(arguments.chosen(rows), Tool(arguments.tool, work))
    shutil.rmtree(MEMORY)
