#!/usr/bin/env bash
# Builds the page where one drops a file: one file, target/drop/index.html. Needs the target wasm32-unknown-unknown of the toolchain,
# and nothing else. A release says by REMAPS which paths of its machine the page must not have.
set -euo pipefail
cd "$(dirname "$0")/../.."

target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
export CARGO_TARGET_DIR=$target
# All browsers since 2021 have these instructions of 128 bits. A stack as large as that of a program holds what the tool's does.
RUSTFLAGS="${REMAPS:-} -C target-feature=+simd128 -C link-arg=-zstack-size=4194304" \
    cargo rustc --quiet --locked -p ndbytes-web --lib --crate-type cdylib --target wasm32-unknown-unknown --profile web
mkdir -p "$target/drop"
# In the gate, the tests have built it.
[ -n "${GATE_STEP:-}" ] || cargo build --quiet --locked -p ndbytes-web --bin ndbytes-web
"$target/debug/ndbytes-web" \
    "$target/wasm32-unknown-unknown/web/ndbytes_web.wasm" "$target/drop/index.html"
