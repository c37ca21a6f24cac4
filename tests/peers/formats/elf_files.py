"""ELF by pyelftools 0.33: files of this machine, whether it takes them, and what it reads in them."""

import os
import subprocess
from pathlib import Path

from elftools.elf.elffile import ELFFile

SUFFIX = "elf"
# Those of the system: what others patch may leave bytes that belong to nothing.
FOLDERS = ["/usr/bin", "/usr/sbin", "/usr/libexec", *map(str, Path("/usr/lib").glob("*-linux-gnu"))]
MOST_BYTES = 1 << 20


def find(count):
    """Files of 64 bits, spread over the folders."""
    found = []
    for folder in FOLDERS:
        for path, _, names in os.walk(folder):
            found += [Path(path) / name for name in names]
    found = [path for path in sorted(found) if path.is_file() and not path.is_symlink() and is_elf(path)]
    return [found[place * len(found) // count] for place in range(count)]


def is_elf(path):
    if not os.access(path, os.R_OK) or path.stat().st_size > MOST_BYTES:
        return False
    with open(path, "rb") as file:
        return file.read(5) == b"\x7fELF\x02"


def tiny(path):
    """An object of GNU as 2.40: a function that returns 7."""
    source = b'.globl seven\n.type seven, @function\nseven:\n\tmov $7, %eax\n\tret\n.size seven, 6\n.section .note.GNU-stack\n'
    subprocess.run(["as", "-o", str(path), "-"], input=source, check=True)


def read(path):
    values = {}
    with open(path, "rb") as file:
        elf = ELFFile(file)
        values["entry"] = elf["e_entry"]
        for index, segment in enumerate(list(elf.iter_segments())[:64]):
            for name, field in [("offset", "p_offset"), ("address", "p_vaddr"), ("memory_size", "p_memsz")]:
                values[f"segments[{index}].{name}"] = segment[field]
        for index, section in enumerate(list(elf.iter_sections())[:64]):
            for name, field in [("offset", "sh_offset"), ("size", "sh_size"), ("alignment", "sh_addralign")]:
                values[f"sections[{index}].{name}"] = section[field]
            if section["sh_type"] in ("SHT_SYMTAB", "SHT_DYNSYM"):
                for place, symbol in zip(range(64), section.iter_symbols()):
                    path = f"contents[{index}].symbols[{place}]"
                    values[path + ".value"], values[path + ".size"] = symbol["st_value"], symbol["st_size"]
            if section["sh_type"] == "SHT_RELA":
                for place, relocation in zip(range(64), section.iter_relocations()):
                    values[f"contents[{index}].relocations[{place}].addend"] = relocation["r_addend"]
    return values
