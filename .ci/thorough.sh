#!/usr/bin/env bash
# What the gate takes a share of, or leaves out unless a path has changed: the weekly workflow runs it in full.
#
#   .ci/thorough.sh every-position   the exhaustive loops at each position, property tests with other inputs
#   .ci/thorough.sh misuse           each declaration that everybyte refuses, compiled
#   .ci/thorough.sh documentation    rustdoc's pages
#   .ci/thorough.sh oss-fuzz         OSS-Fuzz's build script
#   .ci/thorough.sh STEP             a step of the gate, without a base
set -euo pipefail
cd "$(dirname "$0")/.."

case ${1:-} in
    every-position)
        PROPTEST_RNG_SEED=$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')
        echo "PROPTEST_RNG_SEED=$PROPTEST_RNG_SEED repeats the inputs of this run."
        export PROPTEST_RNG_SEED NDBYTES_ONE_IN=1
        cargo test --workspace --locked --no-fail-fast
        ;;
    misuse) cargo test --workspace --locked --test engine -- --ignored misuse:: ;;
    documentation) RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps --locked ;;
    oss-fuzz)
        cargo install --locked cargo-fuzz
        cargo test --workspace --locked --test it -- --ignored fuzzing::
        ;;
    *)
        # No commit is its own ancestor's change: without a base, nothing is skipped.
        GATE_BASE=$(git rev-parse HEAD) .ci/run "$@"
        ;;
esac
