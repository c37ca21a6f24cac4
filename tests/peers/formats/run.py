"""Files of a format that another program makes and reads, for the examples of everybyte.

Usage: run.py make FORMAT FOLDER COUNT    makes files, and prints what the program reads in each
       run.py read FORMAT FOLDER          prints the names of the files that the program takes
       run.py find FORMAT COUNT           files of this machine, and what the program reads in each
       run.py tiny FOLDER                 the frozen files of crates/everybyte/tests/examples/files
"""

import contextlib
import importlib
import io
import json
import sys
import warnings
from pathlib import Path

FORMATS = ["msgpack", "elf", "nifti", "pcap", "safetensors", "gguf", "flac", "fits", "sqlite"]


def module(name):
    return importlib.import_module(f"{name}_files")


def told(program, path):
    print(json.dumps({"file": str(path), "values": program.read(path)}))


def make(name, folder, count):
    program = module(name)
    for number in range(int(count)):
        path = Path(folder) / f"{number}.{program.SUFFIX}"
        program.make(path, number)
        told(program, path)


def find(name, count):
    program = module(name)
    for path in program.find(int(count)):
        told(program, path)


def read(name, folder):
    program = module(name)
    for path in sorted(Path(folder).iterdir()):
        quiet = io.StringIO()
        try:
            with contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet):
                program.read(path)
        except Exception:
            continue
        print(path.name)


def tiny(folder):
    for name in FORMATS:
        program = module(name)
        program.tiny(Path(folder) / f"{name}.{program.SUFFIX}")


warnings.simplefilter("ignore")
{"make": make, "find": find, "read": read, "tiny": tiny}[sys.argv[1]](*sys.argv[2:])
