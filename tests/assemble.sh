#!/bin/sh
# Assembles the recipes of tests/corpus into target/corpus, and those of fuzz/seeds into target/seeds. Tests in Rust do so themselves
# when they begin; scripts and tests in Python call this. It takes a Rust compiler, and nothing else.
set -eu

cd "$(dirname "$0")/.."
sources=crates/testkit/src
program=target/assemble
mkdir -p target
if [ ! -x "$program" ] || [ -n "$(find "$sources/bin" "$sources/recipe" "$sources/assembly.rs" -newer "$program")" ]; then
    # Another call may compile it at the same time.
    rustc --edition 2024 -C opt-level=1 -o "$program.$$" "$sources/bin/assemble.rs"
    mv -f "$program.$$" "$program"
fi
"$program"
