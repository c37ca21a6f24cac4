#!/usr/bin/env bash
# Miri over the unit tests of the module that has `unsafe`, and of what else it is quick with. Beyond it are system calls
# (files, mappings, madvise), C (zstd), and the fence of SSE: src/bytes/memory.rs has plain ways around these for Miri.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! cargo +nightly miri --version >/dev/null 2>&1; then
    rustup component add miri rust-src --toolchain nightly
fi
exec cargo +nightly miri test --locked -p ndbytes --lib --no-default-features -- "$@" memory:: b2nd::write::shapes
