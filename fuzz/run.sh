#!/bin/sh
# Fuzzes one target, or all of them one after the other: fuzz/run.sh TARGET|all [SECONDS]
# 0 seconds: only the seeds and what earlier runs have kept are tried.
set -eu

targets="idx_bytes idx_value rawarray_bytes rawarray_value idv_bytes idv_block idv_value inflate \
b2nd_bytes b2nd_value blosc2_chunk blosclz lz4 npy_bytes npy_value tool textconv diff"
target=${1:-}
seconds=${2:-60}
case "$target" in
    all) ;;
    "" | -*) echo "usage: fuzz/run.sh TARGET|all [SECONDS]; targets: $targets" >&2; exit 2 ;;
    *) targets=$target ;;
esac

cd "$(dirname "$0")/.."
if RUSTUP_AUTO_INSTALL=0 cargo +nightly --version >/dev/null 2>&1; then
    toolchain=+nightly
else
    toolchain=
    export RUSTC_BOOTSTRAP=1
fi
# A cargo-fuzz that was built for musl would build for musl, which has no address sanitizer.
host=$(rustc -vV | sed -n 's/^host: //p')

# Freed memory that waits for a use after free, and where it was allocated: 256 MB of it would be half of the time.
ASAN_OPTIONS=quarantine_size_mb=16:malloc_context_size=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}
export ASAN_OPTIONS

# zstd's C is built with the sanitizer too. GCC turns a constant table of a function into a global one, but still takes
# it for gone when the function returns.
CFLAGS="-fno-sanitize-address-use-after-scope${CFLAGS:+ $CFLAGS}"
export CFLAGS

# Scratch files, in memory where the system has a place for that.
if [ -d /dev/shm ]; then memory=/dev/shm; else memory=${TMPDIR:-/tmp}; fi
TMPDIR=$(mktemp -d "$memory/ndbytes-fuzz.XXXXXX")
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
trap 'exit 130' INT TERM

for name in $targets; do
    format=${name%_*}
    mkdir -p "fuzz/corpus/$name"
    case "$name" in
        b2nd_bytes) set -- "tests/corpus/$format/ok" "tests/corpus/$format/bad" "tests/frozen/$format" ;;
        tool | textconv) set -- tests/corpus/*/ok tests/corpus/*/bad ;;
        diff) set -- tests/pairs/*/ tests/corpus/*/ok ;;
        *_bytes) set -- "tests/corpus/$format/ok" "tests/corpus/$format/bad" ;;
        *) set -- "fuzz/seeds/$name" ;;
    esac
    if [ -f "fuzz/dictionaries/$format.dict" ]; then set -- "$@" -- -dict="fuzz/dictionaries/$format.dict"; else set -- "$@" --; fi
    if [ "$seconds" -eq 0 ]; then how=-runs=0; else how=-max_total_time=$seconds; fi
    cargo ${toolchain:+"$toolchain"} fuzz run --target "$host" "$name" "fuzz/corpus/$name" "$@" \
        "$how" -max_len=8192 \
        -timeout=10 -malloc_limit_mb=64 -rss_limit_mb=1024 -print_final_stats=1
done
