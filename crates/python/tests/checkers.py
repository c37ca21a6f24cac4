"""Type checkers, in their strict modes."""

import json
import subprocess
import sys


def run(*command):
    """Runs a module of Python, and gives its status and its lines."""
    done = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout


def mypy(script, folder):
    # Other packages need not have types.
    return run("mypy", "--strict", "--ignore-missing-imports", f"--cache-dir={folder}", script)


def pyright(script, folder):
    # Other packages need not have types, and an import may be all that is tried.
    others = {"reportMissingTypeStubs": False, "reportUnusedImport": False}
    settings = {"include": [script.name], "typeCheckingMode": "strict", **others}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    return run("pyright", "--pythonpath", sys.executable, "-p", folder)


#: Each takes a script and its folder, which is empty otherwise, and gives its status and its lines.
CHECKERS = [mypy, pyright]
