"""The options of the tool's commands, out of their help."""

import re
from dataclasses import dataclass

from ndbytes._ndbytes import run_captured


@dataclass
class Option:
    """An option of a command."""

    #: True if it has a value.
    has_value: bool
    #: The values that it may have, or none if they are not listed.
    choices: tuple[str, ...]


def help_of(*command):
    status, out, err = run_captured(["ndbytes", *command, "--help"])
    assert (status, err) == (0, "")
    return out.decode()


def options_of(command):
    """The options of a command by their long names."""
    text = help_of(command)
    heads = list(re.finditer(r"^ +(?:-\w, )?--([a-z-]+)( <|\[?=?<|)", text, re.MULTILINE))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    found = {}
    for head, end in zip(heads, ends):
        block = text[head.start() : end]
        listed = re.search(r"\[possible values: ([^\]]*)\]", block)
        names = listed[1].split(",") if listed else re.findall(r"^ +- ([a-z0-9-]+):", block, re.MULTILINE)
        found[head[1]] = Option(bool(head[2]), tuple(name.strip() for name in names))
    return found
