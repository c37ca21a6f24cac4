#!/usr/bin/env bash
# Mutants of the library and of its codecs, against their unit tests and those of library and tool. A run takes one mutant in
# 500, about 35, and another part each week. Further arguments are those of cargo mutants: --list shows the part,
# --shard another one. What no test notices is in target/mutants.out/missed.txt, and fails this script only with --strict
# as the first argument: each is to be judged by a reader.
#
# `--own PACKAGE` takes mutants of a package below the library, against its own tests alone, which are fast: one in 50.
set -euo pipefail
cd "$(dirname "$0")/.."

accepted='0 2 3' parts=500
subject=(--package ndbytes --package ndbytes-codecs --test-package "ndbytes,ndbytes-codecs,ndbytes-compare,ndbytes-cli")
tests=(--lib --test library --test compare --test it)
if [ "${1:-}" = --strict ]; then
    accepted=0
    shift
fi
if [ "${1:-}" = --own ]; then
    subject=(--package "$2" --test-package "$2") tests=(--lib --tests) parts=50
    shift 2
fi
cargo mutants --version >/dev/null 2>&1 || cargo install --locked cargo-mutants
case " $* " in
    *' --shard'*) part=() ;;
    *) part=(--shard "$(($(date +%s) / 604800 % parts))/$parts") ;;
esac
status=0
cargo mutants "${subject[@]}" --sharding round-robin "${part[@]}" --output target --cargo-arg=--locked "$@" -- "${tests[@]}" ||
    status=$?
# 2 says that some were missed, 3 that some took too long. Any other number says that there is no result.
[[ " $accepted " == *" $status "* ]]
