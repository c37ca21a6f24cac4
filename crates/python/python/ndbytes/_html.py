"""HTML of bounded size for notebooks. Everything that comes from a file or its name is escaped, and there are no scripts."""

from __future__ import annotations

import json
import os
from base64 import b64encode
from html import escape

#: The maximum characters of a text, findings of a report, files of a preflight, and the size of a table.
LONGEST, FINDINGS, FILES, ROWS, COLUMNS, CELL = 300, 20, 20, 10, 12, 60

#: The colours of verdicts, which are readable on white and on black.
COLOURS = {"ok": "#1a7f37", "warning": "#9a6700", "unforeseen": "#6e7781", "error": "#cf222e"}


def text(value, most=LONGEST):
    """Returns a value as HTML text. Characters that are invisible, or affect the text around them, are shown as escapes."""
    words = str(value)
    cut = "…" if len(words) > most else ""
    shown = "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in words[:most])
    return escape(shown + cut)


def number(value):
    """Returns a number with its digits in groups of three."""
    return f"{value:,}" if isinstance(value, int) else f"{value:.6g}" if isinstance(value, float) else text(value, CELL)


def card(title, verdict, *parts):
    """Returns a box with a title, a verdict if there is one, and parts below."""
    badge = ""
    if verdict is not None:
        word, colour = verdict
        badge = f' <span style="background: {colour}; color: #fff; padding: 0 .5em; border-radius: .3em">{text(word)}</span>'
    inside = "".join(f"<div>{part}</div>" for part in parts if part)
    style = "border: 1px solid #8888; border-radius: .4em; padding: .5em .8em; display: inline-block; max-width: 100%"
    return f'<div style="{style}"><div><strong>{title}</strong>{badge}</div>{inside}</div>'


def grid(heads, rows):
    """Returns a table. Heads and cells are already HTML."""
    head = "".join(f'<th scope="col" style="text-align: left">{cell}</th>' for cell in heads)
    body = "".join("<tr>" + "".join(f'<td style="text-align: left">{cell}</td>' for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def more(left, of):
    """Returns the number of items that are not shown."""
    return f"<em>{left:,} more {of} are not shown</em>" if left > 0 else ""


def array(array):
    """A small picture, the type, the shape and the range."""
    if array.closed:
        return card("Array", None, "closed")
    about = f"{text(array.format)}, shape {text(array.shape)}, type <code>{text(array.dtype)}</code>"
    if array._is_remote():
        return card("Array", None, about, "<em>it is read by ranges, so that no picture is drawn by itself</em>")
    part, png, no_picture, statistics, no_statistics = array._thumbnail()
    shown = f"<em>shown: <code>array[{text(part)}]</code></em>" if part else ""
    if png is None:
        drawn = f"<em>{text(no_picture)}</em>"
    else:
        drawn = f'<img alt="picture of the array" src="data:image/png;base64,{b64encode(png).decode()}">'
    return card("Array", None, about, shown, drawn, _range(statistics, no_statistics))


def _range(statistics, reason):
    if statistics is None:
        return f"<em>{text(reason)}</em>"
    series = json.loads(statistics)["series"][:COLUMNS]
    rows = []
    for one in series:
        name = [text(one["name"], CELL)] if len(series) > 1 else []
        values = [one.get("min"), one.get("max"), one.get("mean"), one.get("nan")]
        rows.append(name + ["–" if value is None else number(value) for value in values])
    heads = ["part"] * (len(series) > 1) + ["min", "max", "mean", "NaN"]
    return grid(heads, rows)


def table(table):
    """The first rows of the first columns."""
    if table.closed:
        return card("Table", None, "closed")
    names, rows = table.columns, len(table)
    shown = table._cells(ROWS, COLUMNS, CELL)
    heads = [f"{text(name, CELL)}<br><small>{text(kind, CELL)}</small>" for name, kind, _, _ in shown]
    lines = []
    for place in range(min(rows, ROWS)):
        lines.append([text(cells[place], CELL) if cells else "?" for _, _, cells, _ in shown])
    reasons = "".join(f"<div><em>{text(name, CELL)}: {text(why)}</em></div>" for name, _, _, why in shown if why)
    about = f"{rows:,} rows, {len(names):,} columns"
    left = more(len(names) - len(shown), "columns")
    return card("Table", None, about, grid(heads, lines), reasons, more(rows - len(lines), "rows"), left)


def archive(archive):
    """The first members."""
    if archive.closed:
        return card("Archive", None, "closed")
    members = archive._members(FILES)
    rows = [[text(name), text(kind or "–"), f"{length:,}"] for name, kind, length in members]
    left = more(len(archive) - len(rows), "members")
    return card("Archive", None, f"{len(archive):,} members", grid(["member", "format", "bytes"], rows), left)


def finding(finding):
    """The violation, its position, and advice."""
    where = f"bytes {finding.offset:,} to {finding.offset + finding.length:,}"
    if finding.field:
        where = f"<code>{text(finding.field)}</code>, {where}"
    if finding.member is not None:
        where = f"{text(finding.member)}, {where}"
    pair = ""
    if finding.expected is not None or finding.found is not None:
        pair = f"expected {text(finding.expected or '–')}, found {text(finding.found or '–')}"
    title = f"<code>{text(finding.rule)}</code>"
    return card(title, _verdict(finding.severity), text(finding.message), where, pair, text(finding.help or ""))


def report(report):
    """The verdict and the findings."""
    about = f"{text(report.format or 'no known format')}, {report.size:,} bytes"
    found = report.findings
    rows = [[text(one.severity), f"<code>{text(one.rule)}</code>", *_about(one)] for one in found[:FINDINGS]]
    heads = ["", "rule", "field", "message", "help"]
    shown = grid(heads, rows) if rows else ""
    return card("Report", _verdict(report.verdict), about, shown, more(len(found) - len(rows), "findings"))


def preflight(result):
    """The counts, and the files that are not ok."""
    counts = f"{result.files:,} files, {result.size:,} bytes, {result.seconds:.1f} s"
    rows = []
    for verdict, reports in [("error", result.broken), ("warning", result.warned), ("unforeseen", result.unforeseen)]:
        for path, one in reports.items():
            if len(rows) == FILES:
                break
            first = one.findings[0] if one.findings else None
            what = [] if first is None else [f"<code>{text(first.rule)}</code>", *_about(first)]
            rows.append([text(verdict), text(path), *(what or ["", "", "", ""])])
    for path, reason in result.unreadable.items():
        if len(rows) == FILES:
            break
        rows.append(["unreadable", text(path), "", "", text(reason), ""])
    bad = len(result.broken) + len(result.warned) + len(result.unforeseen) + len(result.unreadable)
    shown = grid(["", "file", "rule", "field", "message", "help"], rows) if rows else ""
    words = ["structure alone"] * (result.depth == "structure")
    words += [f"skipped: {count:,} {text(kind)}" for kind, count in result.passed.items()]
    words += [f"{result.foreign:,} of formats that ndbytes does not know"] * bool(result.foreign)
    ok = ("ok", COLOURS["ok"]) if result.ok else ("not ok", COLOURS["error"])
    return card("Preflight", ok, counts, "; ".join(words), shown, more(bad - len(rows), "files"))


def diff(diff):
    """The verdict, what was compared, and the largest differences."""
    names = " → ".join(text(os.path.basename(str(diff[side]["path"]))) for side in "ab")
    colour = COLOURS["ok"] if diff.equal else COLOURS["error"]
    parts, values = [], diff.get("values")
    if values:
        counts = [f"{values[kind]:,} {word}" for kind, word in VALUES if values.get(kind) is not None]
        parts.append(", ".join(counts))
        parts += [text(note) for note in values.get("notes", [])[:FINDINGS]]
        boxes = values.get("regions") or []
        if boxes:
            shown = ", ".join(text(_box(box), CELL) for box in boxes[:FINDINGS])
            parts.append(f"all differences lie in {shown}" if len(boxes) <= FINDINGS else f"differences lie in {shown}, …")
        rows = [[text(_index(one)), text(one.get("a"), CELL), text(one.get("b"), CELL)] for one in values["first"][:ROWS]]
        if rows:
            parts.append(grid(["where", "first file", "second file"], rows))
    new = diff["findings"]["new"][:FINDINGS] if diff.get("findings") else []
    parts += [f"new: <code>{text(one['rule'])}</code> {text(one['message'])}" for one in new]
    return card(f"Diff {names}", (diff["verdict"], colour), *parts)


#: The counts of a comparison, with their words.
VALUES = [("compared", "values compared"), ("different", "differ"), ("within", "differ within the tolerance")]


def _verdict(word):
    return word, COLOURS.get(word, COLOURS["unforeseen"])


def _about(finding):
    return [f"<code>{text(finding.field)}</code>", text(finding.message), text(finding.help or "")]


def _index(one):
    return one.get("index", one.get("row", ""))


def _box(box):
    start, end = box
    return "[" + ", ".join(f"{low}:{high}" for low, high in zip(start, end)) + "]"
