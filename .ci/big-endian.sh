#!/usr/bin/env bash
# Tests on a big-endian processor, s390x, for which qemu stands in: the unit tests of the library and of the crates below it, and
# those of the formats. None of them starts the tool: the system knows no program for s390x.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! command -v qemu-s390x >/dev/null || ! command -v s390x-linux-gnu-gcc >/dev/null; then
    apt-get update && apt-get install -y --no-install-recommends qemu-user gcc-s390x-linux-gnu libc6-dev-s390x-cross
fi
target=s390x-unknown-linux-gnu
rustup target add "$target"
export CARGO_TARGET_S390X_UNKNOWN_LINUX_GNU_LINKER=s390x-linux-gnu-gcc
export CARGO_TARGET_S390X_UNKNOWN_LINUX_GNU_RUNNER='qemu-s390x -L /usr/s390x-linux-gnu'
export CARGO_PROFILE_DEV_DEBUG=0
tests=(cargo test --locked --target "$target" --target-dir target/big-endian --no-fail-fast)
"${tests[@]}" -p ndbytes -p ndbytes-codecs -p ndbytes-schemas -p everybyte --lib
"${tests[@]}" -p ndbytes --test library -- \
    formats::idx:: formats::rawarray:: formats::idv:: formats::b2nd:: formats::blosc2:: formats::plain:: formats::select::
