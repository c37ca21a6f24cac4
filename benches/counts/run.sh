#!/usr/bin/env bash
# Counts the instructions of the hot paths under Callgrind, and compares them with counts.txt. Needs valgrind.
# Arguments: parts of names of paths. UPDATE_COUNTS=1 writes the counts down.
# A profile of a path: callgrind_annotate target/counts/PATH.out
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# As fast to build as can be. Counts of a release differ by the inlining across crates.
export CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16
cargo bench --quiet --locked -p ndbytes-convert --bench counts -- "$@"
