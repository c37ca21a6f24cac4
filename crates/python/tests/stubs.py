"""The stubs, as they follow from what is documented and from the options of the tool.

Names, heads and types stand in ``__init__.pyi``. All else in it is written here: a docstring is that of the module, so that
``help()`` and an editor show one text. The type of an option is what the help of the tool's command says: a flag, or a choice
of values.
"""

import ast
import inspect
import textwrap
from pathlib import Path

import ndbytes
from test_parity import FUNCTIONS, LIMITS
from tool import options_of

STUBS = Path(__file__).resolve().parents[1] / "python" / "ndbytes" / "__init__.pyi"

#: Values that options of the tool have, and Python's do not: a question needs a terminal.
NOT_HERE = {"merge conflicts": ["ask"]}


def doc_of(*names):
    """The documentation of a name of the module, or nothing. What Python writes about its own protocols does not count."""
    value = ndbytes
    for name in names:
        value = getattr(value, name, None)
    if names[-1].startswith("__"):
        return ""
    return inspect.cleandoc(getattr(value, "__doc__", None) or "")


def types_of_options(name):
    """The types of the parameters of a function that the help of the tool tells, as text."""
    function = getattr(ndbytes, name)
    commands = [command for command, functions in FUNCTIONS.items() if function in functions]
    found = {}
    for command in commands:
        for option, about in options_of(command).items():
            for parameter in inspect.signature(function).parameters:
                if LIMITS.get(parameter, parameter.rstrip("_").replace("_", "-")) != option:
                    continue
                if not about.has_value:
                    found[parameter] = "bool"
                elif about.choices:
                    left = [choice for choice in about.choices if choice not in NOT_HERE.get(f"{name} {parameter}", [])]
                    found[parameter] = f"Literal[{', '.join(map(repr, left))}]".replace("'", '"')
    return found


class Writer:
    """Writes the stubs anew: lines are taken over, docstrings and types are replaced."""

    def __init__(self, text):
        self.lines = text.splitlines()
        self.tree = ast.parse(text)
        self.replaced = []

    def written(self):
        self.aliases = {
            node.targets[0].id: ast.unparse(node.value) for node in self.tree.body if isinstance(node, ast.Assign)
        }
        self.document(self.tree.body, ())
        for start, end, lines in sorted(self.replaced, reverse=True):
            self.lines[start:end] = lines
        return "\n".join(self.lines) + "\n"

    def document(self, nodes, names):
        for node in nodes:
            if isinstance(node, ast.ClassDef):
                self.docstring(node, (*names, node.name))
                self.document(node.body, (*names, node.name))
            elif isinstance(node, ast.FunctionDef):
                self.docstring(node, (*names, node.name))
                if not names:
                    self.types(node)

    def docstring(self, node, names):
        doc, first = doc_of(*names), node.body[0]
        has_doc = isinstance(first, ast.Expr) and isinstance(getattr(first, "value", None), ast.Constant)
        if not doc or not has_doc:
            return
        indent = " " * (node.col_offset + 4)
        # A backslash of the text is one of the stub, too.
        lines = textwrap.indent('"""' + doc.replace("\\", "\\\\"), indent, str.strip).splitlines()
        if len(lines) == 1:
            lines[0] += '"""'
        else:
            lines.append(indent + '"""')
        if first.value.value is ...:
            # `def f(): ...` on one line, or `...` on its own.
            head = self.lines[first.lineno - 1][: first.col_offset].rstrip()
            lines = [head, *lines] if head else lines
            if isinstance(node, ast.FunctionDef):
                lines.append("")
        self.replaced.append((first.lineno - 1, first.end_lineno, lines))

    def types(self, node):
        wanted = types_of_options(node.name)
        for argument in [*node.args.args, *node.args.kwonlyargs]:
            if argument.arg not in wanted:
                continue
            note = argument.annotation
            given = self.aliases.get(ast.unparse(note), ast.unparse(note)).replace("'", '"')
            parts = [self.aliases.get(part.strip(), part.strip()).replace("'", '"') for part in given.split("|")]
            if _values(wanted[argument.arg]) in map(_values, parts):
                continue
            line = self.lines[note.lineno - 1]
            rest = "" if wanted[argument.arg] == "bool" or "None" not in given else " | None"
            line = line[: note.col_offset] + wanted[argument.arg] + rest + line[note.end_col_offset :]
            self.replaced.append((note.lineno - 1, note.lineno, [line]))


def _values(literal):
    """A type, with the values of a `Literal` in an order of their own."""
    if not literal.startswith("Literal["):
        return literal
    return "Literal", *sorted(ast.literal_eval(f"({literal[8:-1]},)"))


def written():
    """The text that the stubs have to have."""
    return Writer(STUBS.read_text()).written()
