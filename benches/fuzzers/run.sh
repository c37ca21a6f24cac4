#!/usr/bin/env bash
# Runs readers of others under fuzzers, blind and with the forge, and prints the rows of benches/fuzzers/results.md.
# Options: --engine libfuzzer (without it too) or afl, --reader NAME (may be repeated), --seconds N of processor time for each arm,
# --runs N with a random seed each. All arms of a run work side by side. Needs a C++ compiler and python3 (3.11 or later), on Linux.
# AFL++ is Debian's package `afl++`; AFL_PATH is the folder of its runtime.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

target=$PWD/target/fuzzers
export AFL_PATH=${AFL_PATH:-/usr/lib/afl}
build() {
    RUSTC_WRAPPER=$PWD/benches/fuzzers/rustc.sh cargo build --quiet --release --locked \
        --manifest-path benches/fuzzers/Cargo.toml "$@"
}
build --target-dir "$target" --bin blind --bin forged
NDBYTES_FUZZERS_SEEDS=$target/seeds "$target/release/forged"
case " $* " in
    *' --engine afl '*)
        # The crate of libFuzzer links another driver of the same targets.
        NDBYTES_FUZZERS_ENGINE=afl CUSTOM_LIBFUZZER_PATH=$AFL_PATH/libAFLDriver.a CUSTOM_LIBFUZZER_STD_CXX=none \
            build --target-dir "$target/afl" --bin blind
        cargo build --quiet --release --locked -p ndbytes-forge-ffi --target-dir "$target/library"
        ;;
esac
python3 benches/fuzzers/run.py "$target" "$@"
