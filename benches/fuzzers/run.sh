#!/usr/bin/env bash
# Runs readers of others under fuzzers, blind and with the forge, and prints the rows of benches/fuzzers/results.md.
# Options: --reader NAME (may be repeated), --seconds N of processor time for each arm, --runs N with a random seed each. All arms of a
# run work side by side. Needs a C++ compiler and python3 (3.11 or later), on Linux.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

target=$PWD/target/fuzzers
RUSTC_WRAPPER=$PWD/benches/fuzzers/rustc.sh cargo build --quiet --release --locked \
    --manifest-path benches/fuzzers/Cargo.toml --target-dir "$target" --bin blind --bin forged
NDBYTES_FUZZERS_SEEDS=$target/seeds "$target/release/forged"
python3 benches/fuzzers/run.py "$target/release" "$target/seeds" "$@"
