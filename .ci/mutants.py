#!/usr/bin/env python3
"""Mutants of the source: .ci/mutants.py [--one-in N] [--part K] [--names FILE] [--jobs J] [--longest SECONDS] [--asked SECONDS] [--list]
[--strict] SUBJECT…

cargo-mutants names the changes of the subjects' sources, such as `replace < with <= in f`. Every N-th is taken, from the K-th on: one
in 50, and another part each week. Or those are taken that FILE names. All of them are built at once, in a copy of the project. A
function has its body once more for each of its mutants, and a variable of the environment chooses one. So a mutant costs a run of
tests, and no build.

Each test runs alone first, without a mutant: which mutants it reaches, and how long it takes. A mutant is then tried by the tests
that reach it, the shortest first, until one fails. It is missed if none does. Tests that take more than SECONDS are not asked: 10,
if no other number is given. With --asked, the tests that are asked about a mutant take no more than SECONDS together. What nearly
all tests reach would take minutes otherwise, each time that it is missed.

Three kinds of mutants are counted as not tried: those that do not compile, or not beside the body as it is; those of functions that
the compiler evaluates; and those of constants.

The names of the missed are in target/mutants/missed.txt. They fail the script only with --strict: each is to be judged by a reader.
"""

import argparse
import hashlib
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate, groupby
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLACE = ROOT / "target/mutants"
TREE, TARGET = PLACE / "tree", PLACE / "target"
#: What did not compile in an earlier run, by name and source. Without it, each run would build twice.
REFUSED = PLACE / "refused.txt"

#: The tests of library and tool, as arguments that build them.
LIBRARY = "-p ndbytes -p ndbytes-testkit -p ndbytes-compare --lib --test library --test compare"
TOOL = "-p ndbytes-cli -p ndbytes-forge --test it --test forge --test convert --test snapshots"
#: What can be mutated: the package, its files, and the tests that are asked.
SUBJECTS = {
    "schemas": ("ndbytes-schemas", ["schemas/src/**"], [LIBRARY]),
    "codecs": ("ndbytes-codecs", ["crates/codecs/src/**"], ["-p ndbytes-codecs --lib --tests", LIBRARY]),
    "everybyte": ("everybyte", ["everybyte/src/**"], ["-p everybyte -p everybyte-tests --lib --test engine", LIBRARY, TOOL]),
    "forge": ("ndbytes-forge", ["crates/forge/src/**"], ["-p ndbytes-forge --lib", LIBRARY, TOOL]),
    "convert": ("ndbytes-convert", ["crates/convert/src/**"], ["-p ndbytes-convert --lib", TOOL]),
    "limits": ("ndbytes", ["src/bytes/limits.rs"], [LIBRARY, TOOL]),
    "judge": ("ndbytes", ["src/*/judge.rs", "src/*/judge/**", "src/*/judge_*.rs"], [LIBRARY, TOOL]),
    "write": ("ndbytes", ["src/*/write.rs", "src/*/write/**"], [LIBRARY, TOOL]),
    "library": ("ndbytes", ["src/**"], [LIBRARY, TOOL]),
}
#: What a mutant may take beyond the time of its tests: a loop without an end is a failure. Browsers ask for more memory, so tests
#: with pages fail without a mutant, and are left out.
SECONDS, TIMES, MEMORY = 20, 5, 6 << 30

SWITCH = """
#[allow(missing_docs)]
pub mod source_mutants {
    use std::{collections::BTreeSet, env, fs::{File, OpenOptions}, io::Write, sync::{LazyLock, Mutex}};
    static CHOSEN: LazyLock<Option<u32>> = LazyLock::new(|| env::var("MUTANT").ok()?.parse().ok());
    static REACHED: LazyLock<Option<Mutex<(BTreeSet<u32>, File)>>> = LazyLock::new(|| {
        let file = OpenOptions::new().append(true).create(true).open(env::var_os("MUTANTS_REACHED")?).ok()?;
        Some(Mutex::new((BTreeSet::new(), file)))
    });
    pub fn on(number: u32) -> bool {
        if let Some(Ok(mut reached)) = REACHED.as_ref().map(Mutex::lock) {
            if reached.0.insert(number) {
                let line = format!("{number}\\n");
                reached.1.write_all(line.as_bytes()).expect("a list of reached mutants is written");
            }
        }
        *CHOSEN == Some(number)
    }
}
"""


def run(*command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, **options)


def named(subjects):
    """The mutants of the subjects as cargo-mutants names them, each once, in the order of the sources."""
    found = {}
    for package, files, _ in subjects:
        chosen = [part for file in files for part in ("--file", file)]
        listed = run("cargo", "mutants", "--list", "--json", "--package", package, *chosen, cwd=ROOT, check=True)
        found |= {mutant["name"]: mutant for mutant in json.loads(listed.stdout)}
    return list(found.values())


def copy_sources(mutated):
    """Copies the files of the project whose content is another. The others keep their times, and what was built of them. The files
    that get mutants are written with these."""
    names = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT, check=True).stdout.split("\0")
    wanted = {name for name in names if name and (ROOT / name).is_file()}
    for old in [path for path in TREE.rglob("*") if path.is_file() or path.is_symlink()]:
        if str(old.relative_to(TREE)) not in wanted:
            old.unlink()
    for name in wanted - mutated:
        write(TREE / name, (ROOT / name).read_bytes(), ROOT / name)


def write(path, content, like=None):
    if not path.is_file() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        if like:
            shutil.copymode(like, path)


class Source:
    """A file of the project with mutants: its functions, and the places of their bodies."""

    def __init__(self, name, mutants):
        self.text = (ROOT / name).read_text()
        self.lines = [0]
        for line in self.text.splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))
        spans = {self.span(mutant["function"]["span"]) for mutant in mutants if mutant["function"]}
        # A function inside of another is a part of its body.
        self.functions = [span for span in spans if not any(within(span, other) and span != other for other in spans)]

    def span(self, span):
        return tuple(self.lines[span[end]["line"] - 1] + span[end]["column"] - 1 for end in ("start", "end"))

    def body(self, mutant):
        """The place between the braces of the function with the mutant, or why it can have no second body."""
        place = self.span(mutant["span"])
        function = next((function for function in self.functions if within(place, function)), None)
        if function is None:
            return "constant"
        head = re.compile(r"(?:\s*(?://[^\n]*\n|#\[[^\n]*\]\n))*").match(self.text, function[0]).end()
        # The first brace that is none of a pattern among the parameters.
        start, depth = head, 0
        while self.text[start] != "{" or depth:
            depth += {"(": 1, ")": -1}.get(self.text[start], 0)
            start += 1
        if re.search(r"\bconst\s+(unsafe\s+)?fn\b", self.text[head:start]):
            return "const fn"
        return start + 1, function[1] - 1

    def with_bodies(self, taken):
        """The source with all mutants that are taken, and the ranges of bytes of these and of the functions as they are."""
        bodies = defaultdict(list)
        for mutant in taken:
            bodies[mutant["body"]].append(mutant)
        out, at, ranges = bytearray(), 0, []

        def put(text, of=()):
            start = len(out)
            out.extend(text.encode())
            if of:
                ranges.append((start, len(out), of))

        for (start, end), mutants in sorted(bodies.items()):
            put(self.text[at:start])
            for mutant in mutants:
                first, last = self.span(mutant["span"])
                put(f" if crate::source_mutants::on({mutant['number']}) {{")
                put(self.text[start:first] + mutant["replacement"] + " " + self.text[last:end], [mutant])
                put("} else")
            put(" {")
            put(self.text[start:end], mutants)
            put("} ")
            at = end
        put(self.text[at:])
        return bytes(out), ranges


def within(inner, outer):
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def crates(sources):
    return {name.split("src/")[0] + "src/lib.rs" for name in sources}


def instrument(mutants, sources):
    """Writes all sources with the mutants that are left."""
    contents = {crate: (ROOT / crate).read_bytes() for crate in crates(sources)}
    ranges = {}
    for name, source in sources.items():
        contents[name], ranges[name] = source.with_bodies([mutant for mutant in mutants if mutant["file"] == name])
    for name, content in contents.items():
        write(TREE / name, content + (SWITCH.encode() if name in crates(sources) else b""))
    return ranges


def cargo(*arguments):
    """Runs cargo in the copy."""
    return run("cargo", *arguments, "--locked", "--message-format=json", cwd=TREE, stderr=subprocess.PIPE,
               env=os.environ | {"CARGO_TARGET_DIR": str(TARGET)})


def places(span):
    """The place of an error, and those of the macros it came by."""
    while span:
        yield span["file_name"], span["byte_start"], span["byte_end"]
        span = (span["expansion"] or {}).get("span")


def refused(output, ranges):
    """The mutants at which the compiler found an error."""
    for line in output.splitlines():
        message = json.loads(line).get("message")
        if not isinstance(message, dict) or message.get("level") != "error" or not message["spans"]:
            continue
        hits = [
            of
            for span in message["spans"] if span["is_primary"]
            for name, start, end in places(span)
            for first, last, of in ranges.get(name, []) if first <= start and end <= last
        ]
        if not hits:
            sys.exit(message["rendered"])
        yield from (mutant["number"] for of in hits for mutant in of)


def build(mutants, sources, subjects):
    """Builds the tests with all mutants that compile. Returns these, and the tests of each executable and its package's folder."""
    suites = {}
    for tests in dict.fromkeys(tests for *_, all_tests in subjects for tests in all_tests):
        while True:
            ranges = instrument(mutants, sources)
            built = cargo("test", "--no-run", *tests.split())
            if built.returncode == 0:
                break
            bad = set(refused(built.stdout, ranges))
            if not bad:
                sys.exit(built.stderr)
            print(f"{len(bad)} mutants do not compile", file=sys.stderr, flush=True)
            with REFUSED.open("a") as refused_before:
                refused_before.writelines(mutant["known_as"] + "\n" for mutant in mutants if mutant["number"] in bad)
            mutants = [mutant for mutant in mutants if mutant["number"] not in bad]
        suites |= dict(suites_of(built.stdout))
    return mutants, suites


def suites_of(output):
    for message in map(json.loads, output.splitlines()):
        if message["reason"] == "compiler-artifact" and message["profile"]["test"] and message["executable"]:
            path, folder = message["executable"], str(Path(message["manifest_path"]).parent)
            listed = run(path, "--list", "--format=terse", cwd=folder, check=True).stdout.splitlines()
            yield (path, folder), [line.removesuffix(": test") for line in listed if line.endswith(": test")]


def bounded():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def test(suite, names, seconds, **variables):
    """Runs tests of a suite. Returns whether all pass in time."""
    path, folder = suite
    environment = os.environ | {"INSTA_UPDATE": "no", "CARGO_MANIFEST_DIR": folder} | variables
    nowhere = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    child = subprocess.Popen([path, "--exact", "--test-threads=1", *names], cwd=folder, env=environment, **nowhere,
                             preexec_fn=bounded, start_new_session=True)
    try:
        return child.wait(seconds) == 0
    except subprocess.TimeoutExpired:
        return False
    finally:
        try:
            os.killpg(child.pid, 9)
        except ProcessLookupError:
            pass
        child.wait()


def explore(suite, name, longest):
    """Runs one test without a mutant. Returns the mutants that it reaches, and its time; `None` if it fails, or takes too long."""
    with tempfile.NamedTemporaryFile() as reached:
        start = time.monotonic()
        if not test(suite, [name], longest, MUTANTS_REACHED=reached.name):
            return None
        return {int(line) for line in reached.read().split()}, time.monotonic() - start


def try_one(mutant, tests, asked):
    """Says how the tests that reach a mutant judge it."""
    mine = sorted((seconds, suite, name) for suite, name, reached, seconds in tests if mutant["number"] in reached)
    if not mine:
        return "missed: no test reaches it"
    all_seconds = accumulate(seconds for seconds, *_ in mine)
    mine = [one for one, so_far in zip(mine, all_seconds) if so_far <= asked]
    # The shortest eight may do; then four times as many as before.
    first, count = 0, 8
    while first < len(mine):
        few = sorted(mine[first : first + count], key=lambda one: one[1])
        first, count = first + count, 4 * count
        for suite, group in groupby(few, key=lambda one: one[1]):
            times, _, names = zip(*group)
            if not test(suite, names, SECONDS + TIMES * sum(times), MUTANT=str(mutant["number"])):
                return "caught"
    return "missed"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--one-in", type=int, default=50)
    parser.add_argument("--part", type=int)
    parser.add_argument("--names", type=Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--longest", type=float, default=10)
    parser.add_argument("--asked", type=float, default=float("inf"))
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("subjects", nargs="+", choices=SUBJECTS)
    options = parser.parse_args()
    if options.part is None:
        options.part = int(time.time()) // (7 * 24 * 3600) % options.one_in
    subjects = [SUBJECTS[name] for name in options.subjects]

    everything = named(subjects)
    sources = {name: Source(name, list(of)) for name, of in groupby(everything, key=lambda mutant: mutant["file"])}
    taken = everything[options.part :: options.one_in]
    if options.names:
        wanted = set(options.names.read_text().splitlines())
        taken = [mutant for mutant in everything if mutant["name"] in wanted]
    for number, mutant in enumerate(taken):
        mutant["number"] = number
        mutant["body"] = sources[mutant["file"]].body(mutant)
        mutant["known_as"] = f"{hashlib.sha256(sources[mutant['file']].text.encode()).hexdigest()[:16]} {mutant['name']}"
    if options.list:
        print(*(mutant["name"] for mutant in taken), sep="\n")
        return
    outcomes = {mutant["number"]: f"not tried: {mutant['body']}" for mutant in taken if isinstance(mutant["body"], str)}
    possible = [mutant for mutant in taken if mutant["number"] not in outcomes]
    known = set(REFUSED.read_text().splitlines()) if REFUSED.is_file() else set()
    likely = [mutant for mutant in possible if mutant["known_as"] not in known]
    touched = {name: source for name, source in sources.items() if any(mutant["file"] == name for mutant in likely)}

    PLACE.mkdir(parents=True, exist_ok=True)
    copy_sources(set(touched) | crates(touched))
    built, suites = build(likely, touched, subjects)
    outcomes |= {mutant["number"]: "not tried: does not compile" for mutant in possible if mutant not in built}

    tests = []
    with ThreadPoolExecutor(options.jobs) as workers:
        listed = [(suite, name) for suite, names in suites.items() for name in names]
        for (suite, name), found in zip(listed, workers.map(lambda one: explore(*one, options.longest), listed)):
            if found is None:
                print(f"fails without a mutant or takes too long, and is left out: {Path(suite[0]).name} {name}", file=sys.stderr)
            elif found[0]:
                tests.append((suite, name, *found))
        print(f"{len(listed)} tests, {len(tests)} reach a mutant; {len(built)} mutants", file=sys.stderr, flush=True)
        for mutant, outcome in zip(built, workers.map(lambda mutant: try_one(mutant, tests, options.asked), built)):
            outcomes[mutant["number"]] = outcome
            if outcome != "caught":
                print(f"{outcome}: {mutant['name']}", file=sys.stderr, flush=True)

    report(options, everything, taken, outcomes)


def report(options, everything, taken, outcomes):
    counts = Counter(outcome.split(":")[0] for outcome in outcomes.values())
    missed = [mutant["name"] for mutant in taken if outcomes[mutant["number"]].startswith("missed")]
    (PLACE / "missed.txt").write_text("".join(name + "\n" for name in missed))
    part = "named" if options.names else f"{options.part} of {options.one_in}"
    tried = counts["caught"] + counts["missed"]
    print("| subject | mutants in all | part | taken | not tried | caught | missed | share |")
    print("|---|---:|---|---:|---:|---:|---:|---:|")
    print(f"| {', '.join(options.subjects)} | {len(everything):,} | {part} | {len(taken)} | {counts['not tried']} "
          f"| {counts['caught']} | {counts['missed']} | {100 * counts['caught'] / max(tried, 1):.0f} % |")
    sys.exit(bool(missed) and options.strict)


if __name__ == "__main__":
    main()
