#!/usr/bin/env bash
# ThreadSanitizer over reads of several threads (tests/library/threads.rs). Takes nightly Rust with its sources, since the standard
# library is instrumented, too.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! rustup component list --toolchain nightly --installed | grep -qx rust-src; then
    rustup component add rust-src --toolchain nightly
fi
export RUSTFLAGS='-Zsanitizer=thread' RUSTDOCFLAGS='-Zsanitizer=thread'
export TSAN_OPTIONS="suppressions=$PWD/.ci/tsan.supp halt_on_error=1"
exec cargo +nightly test --locked -Zbuild-std --target x86_64-unknown-linux-gnu --target-dir target/tsan \
    -p ndbytes-testkit --test library -- threads::
