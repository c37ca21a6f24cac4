"""The package does what the tool does: its functions have the tool's options."""

import inspect
import re

import ndbytes
import pytest
from tool import help_of, options_of

#: The functions that do what a command does.
FUNCTIONS = {
    "info": [ndbytes.info],
    "check": [ndbytes.check, ndbytes.check_batch, ndbytes.preflight],
    "fix": [ndbytes.fix],
    "seal": [ndbytes.seal],
    "explain": [ndbytes.explain],
    "cat": [ndbytes.open],
    "show": [ndbytes.show, ndbytes.Picture.save],
    "stats": [ndbytes.stats],
    "diff": [ndbytes.diff],
    "convert": [ndbytes.convert],
    "merge": [ndbytes.merge],
    "forge": [ndbytes.forge],
    "rules": [ndbytes.rules],
    "schema": [ndbytes.schema],
}

#: The parameters for limits, which are short in Python, and for the options of stores, which are a dictionary.
LIMITS = {"memory": "max-memory", "time": "max-time", "output": "max-output", "storage_options": "store-option"}

#: The commands that no function stands for, with the reason.
NO_FUNCTION = {
    "git": "it configures git",
    "help": "`help()` is Python's",
}

#: The options that no function has, with what Python has instead.
OTHERWISE = {
    "color": "what is printed has no colours",
    "store-option": "`storage_options` are those of functions that read",
    "quiet": "`warnings` hides them",
    "help": "`help()` is Python's",
    "json": "functions return dictionaries",
    "html": "`Explanation` and `Diff` have a page",
    "markdown": "the book has these pages",
    "ksy": "an export that is made once",
    "hexpat": "an export that is made once",
    "git-driver": "git gives it",
    "exit-zero": "an exit status is the shell's",
    "diff git-range": "the Action asks for it",
    "diff out": "`Diff` has a page",
    "check format": "`Report.findings` are objects",
    "check summary": "`Preflight` counts",
    "check list": "`Report.verdict` says so",
    "check baseline": "findings are compared in Python",
    "check update-baseline": "findings are compared in Python",
    "check deny-warnings": "`Report.verdict` says so",
    "check out": "`check_batch` returns a table",
    "check force": "`check_batch` writes nothing",
    "check since": "rows of an earlier table are chosen in Python",
    "check glob": "paths are chosen in Python",
    "check unknown": "`Preflight.foreign` counts them",
    "check files-from": "`check_batch` takes a list",
    "check max-findings": "`Report.findings` has all",
    "check null": "`check_batch` takes a list",
    "convert out-dir": "`convert` takes one file after the other in a loop",
    "convert files-from": "`convert` takes a list",
    "convert null": "`convert` takes a list",
    "explain force": "`Explanation` writes nothing",
    "cat head": "arrays and tables are indexed",
    "cat tail": "arrays and tables are indexed",
    "cat item": "arrays and tables are indexed",
    "cat all": "arrays and tables are indexed",
    "cat columns": "`Table.select` chooses columns",
    "cat images": "`show` draws them",
    "show graphics": "a notebook shows pictures",
    "stats glob": "paths are chosen in Python",
    "stats gitignore": "paths are chosen in Python",
    "stats unknown": "paths are chosen in Python",
    "forge replay": "it is for the command line of a fuzzer",
    "forge minimise": "it is for the command line of a fuzzer",
    "forge dictionary": "it is for the command line of a fuzzer",
    "forge in-place": "it is for the command line of a fuzzer",
}


def parameters_of(command):
    """The parameters of the functions that do what a command does, by the tool's names."""
    for function in FUNCTIONS[command]:
        for name in inspect.signature(function).parameters:
            yield LIMITS.get(name, name.rstrip("_").replace("_", "-"))


def test_every_command_has_a_function_or_a_reason():
    commands = re.findall(r"^  ([a-z]+) ", help_of().partition("Commands:")[2].partition("Global options:")[0], re.MULTILINE)
    assert sorted(commands) == sorted([*FUNCTIONS, *NO_FUNCTION])


@pytest.mark.parametrize("command", FUNCTIONS)
def test_every_option_is_a_parameter_or_has_a_reason(command):
    others = {name for name in options_of(command) if name in OTHERWISE or f"{command} {name}" in OTHERWISE}
    limits = {"max-memory", "max-time", "max-output"} if command in ("rules", "schema") else set()
    assert set(options_of(command)) - others - limits - set(parameters_of(command)) == set()


def test_no_reason_is_left_over():
    for reason in OTHERWISE:
        command, _, option = reason.rpartition(" ")
        having = [name for name in ([command] if command else FUNCTIONS) if option in options_of(name)]
        assert having, reason
        assert not command or option not in set(parameters_of(command)), reason
