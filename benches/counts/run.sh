#!/usr/bin/env bash
# Counts the instructions of the hot paths under Callgrind, and compares them with counts.txt. Needs valgrind.
# Arguments: parts of names of paths. UPDATE_COUNTS=1 writes the counts down.
# A profile of a path: callgrind_annotate target/counts/PATH.out
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# shellcheck source=benches/counts/released.sh
. benches/counts/released.sh
released --bench counts -- "$@"
