"""Files of a format that another program makes and reads, for the examples of everybyte.

Usage: run.py make FORMAT FOLDER COUNT    makes files, and prints what the program reads in each
       run.py read FORMAT FOLDER          prints the names of the files that the program takes
       run.py find FORMAT COUNT           files of this machine, and what the program reads in each
       run.py kaitai COMPILED FORMAT FILE...   prints what a parser of Kaitai Struct reads in each file
       run.py tiny FOLDER                 the frozen files of everybyte/tests/engine/examples/files
"""

import contextlib
import enum
import importlib
import inspect
import io
import json
import math
import resource
import signal
import sys
import warnings
from pathlib import Path

from kaitaistruct import KaitaiStream, KaitaiStruct

FORMATS = ["msgpack", "elf", "nifti", "pcap", "safetensors", "gguf", "flac", "fits", "sqlite", "png"]

# The processor time that a file may take.
SECONDS = 20


def give_up(*_):
    raise TimeoutError


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
        # A program that goes on and on does not take the file.
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
        try:
            with contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet):
                program.read(path)
        except Exception:
            continue
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        print(path.name)


def tiny(folder):
    for name in FORMATS:
        program = module(name)
        program.tiny(Path(folder) / f"{name}.{program.SUFFIX}")


def kaitai(compiled, name, *files):
    sys.path.insert(0, compiled)
    parser = getattr(importlib.import_module(name), name.title())
    # Parameters stand for expressions that a definition cannot say; nobody can give them.
    further = len(inspect.signature(parser.__init__).parameters) - 4
    for path in files:
        with KaitaiStream(open(path, "rb")) as stream:
            structure = parser(*[0] * further, stream)
            error = None
            try:
                structure._read()
            except Exception as problem:
                error = repr(problem)
            values = {}
            collect(structure, (), values)
            print(json.dumps({"error": error, "values": values}))


def collect(structure, indices, values):
    """The numbers of a structure, by the indices and the last name of their paths."""
    instances = [name for name, member in vars(type(structure)).items() if isinstance(member, property)]
    for name in [*structure._debug, *instances]:
        value = getattr(structure, name, None)
        many = value if isinstance(value, list) else [value]
        for index, one in enumerate(many):
            around = (*indices, str(index)) if isinstance(value, list) else indices
            if isinstance(one, KaitaiStruct):
                collect(one, around, values)
                # A number in digits is the instance of a type that has its text.
                number = getattr(one, "value", None) if "text" in one._debug else None
                if isinstance(number, int):
                    values.setdefault(" ".join((*around, name)), []).append(number)
            elif isinstance(one, enum.Enum):
                values.setdefault(" ".join((*around, name)), []).append(one.value)
            elif isinstance(one, bytes) and not any(one):
                # A map shows zeros as the number.
                values.setdefault(" ".join((*around, name)), []).append(0)
            elif isinstance(one, (int, float)) and not (isinstance(one, float) and not math.isfinite(one)):
                values.setdefault(" ".join((*around, name)), []).append(one)


warnings.simplefilter("ignore")
signal.signal(signal.SIGVTALRM, give_up)
# What a broken file asks for is refused.
resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
{"kaitai": kaitai, "make": make, "find": find, "read": read, "tiny": tiny}[sys.argv[1]](*sys.argv[2:])
