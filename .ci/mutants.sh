#!/usr/bin/env bash
# Mutants of the library and of its codecs, against their unit tests and those of library and tool. A run takes one mutant in
# 500, about 35, and another part each week. Further arguments are those of cargo mutants: --list shows the part,
# --shard another one. What no test notices is in target/mutants.out/missed.txt, and fails this script only with --strict
# as the first argument: each is to be judged by a reader.
set -euo pipefail
cd "$(dirname "$0")/.."

accepted='0 2 3'
if [ "${1:-}" = --strict ]; then
    accepted=0
    shift
fi
cargo mutants --version >/dev/null 2>&1 || cargo install --locked cargo-mutants
case " $* " in
    *' --shard'*) part=() ;;
    *) part=(--shard "$(($(date +%s) / 604800 % 500))/500") ;;
esac
status=0
cargo mutants --package ndbytes --package ndbytes-codecs --sharding round-robin "${part[@]}" --output target \
    --test-package ndbytes,ndbytes-codecs,ndbytes-compare,ndbytes-cli --cargo-arg=--locked "$@" -- --lib --test library --test compare --test it || status=$?
# 2 says that some were missed, 3 that some took too long. Any other number says that there is no result.
[[ " $accepted " == *" $status "* ]]
