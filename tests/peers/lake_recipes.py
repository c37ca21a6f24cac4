"""Runs the recipes of a page word for word, and compares what they print with what `ndbytes check --json` says.

lake_recipes.py TOOL PAGE CORPUS
"""

import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import duckdb
import pandas
import polars
import pyarrow
import pyarrow.parquet
from tool import Tool, expect

# The folder that the page speaks of.
FOLDER = "/data"


def lake(corpus):
    """Files of an hour ago, in the folder of the page. Others of them than NumPy's are named in no recipe."""
    then = time.time() - 3600
    for path in sorted((corpus / "npy").rglob("*.npy")) + sorted((corpus / "idv").rglob("*.idv")):
        name = "-".join(path.relative_to(corpus).parts)
        # A table is among the arrays, under a name that the recipe finds.
        copy = Path("data") / (name if name.endswith(".npy") else name + ".npy")
        shutil.copyfile(path, copy)
        os.utime(copy, (then, then))


def shell(recipe, binary):
    """Runs lines of a shell. That files have findings is no failure."""
    commands = recipe.replace(FOLDER, "data")
    path = f"{Path(binary).resolve().parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(["sh", "-c", commands], env=os.environ | {"PATH": path}, capture_output=True, check=False)
    expect(f"the status of {recipe!r}", done.returncode in (0, 1), True)
    expect(f"the words of {recipe!r}", done.stderr.decode(), "")


def printed(recipe):
    """The objects that lines of Python print."""
    objects = []
    exec(recipe, {"print": objects.append})
    return objects


def rows(path):
    """The rows of a Parquet file or of an Arrow stream."""
    if path.endswith(".parquet"):
        return pyarrow.parquet.read_table(path)
    return pyarrow.ipc.open_stream(path).read_all()


def main(binary, page, corpus):
    page, corpus, binary = Path(page).read_text(), Path(corpus).resolve(), str(Path(binary).resolve())
    recipes = re.findall(r"^```(\w+)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    kinds = [kind for kind, _ in recipes]
    expect("the recipes", kinds, ["sh", "sh", "sh", "sql", "python", "python"])
    make, night, killed, sql, of_polars, of_pandas = [recipe for _, recipe in recipes]
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.mkdir("data")
        lake(corpus)
        shell(make, binary)
        listed = Path("list").read_bytes().decode().split("\0")[:-1]
        reports = Tool(binary).json_lines("check", "--json", *listed)
        findings = [finding for report in reports for finding in report["findings"]]
        expect("the files", len(reports), len(listed))
        expect("enough files", len(reports) > 300 and len(findings) > 300, True)

        counts = duckdb.sql(sql).fetchall()
        expect("the rules by DuckDB", dict(counts), dict(collections.Counter(it["rule"] for it in findings)))
        expect("their order", [count for _, count in counts], sorted((count for _, count in counts), reverse=True))
        [table] = printed(of_polars)
        expect("the type of Polars", type(table), polars.DataFrame)
        verdicts = collections.Counter((it["format"], it["verdict"]) for it in reports)
        expect("the verdicts by Polars", {(row[0], row[1]): row[2] for row in table.iter_rows()}, dict(verdicts))
        [table] = printed(of_pandas)
        expect("the type of pandas", type(table), pandas.DataFrame)
        refused = [it["path"] for it in reports if it["verdict"] == "error"]
        expect("the files that pandas shows", list(table["path"]), refused)
        expect("their errors", all(isinstance(error, str) for error in table["error"]), True)

        os.rename("files.parquet", "monday.parquet")
        shell(night, binary)
        expect("the rows of the next night", rows("tuesday.parquet").equals(rows("monday.parquet")), True)
        shell(killed, binary)
        expect("the rows after the run that was killed", rows("today.arrow").equals(rows("monday.parquet")), True)
        os.chdir("/")


if __name__ == "__main__":
    main(*sys.argv[1:])
