#!/bin/sh
# Stands between cargo and rustc while the readers are built: they alone get the counters by which libFuzzer is guided. The forge
# has none, as in the library that fuzzers in C load.
set -eu

case " $* " in
    *' build_script_'*) exec "$@" ;;
esac
case "${CARGO_PKG_NAME:-}" in
    blosc2-pure-rs | idx-lib | libflate | libflate_lz77 | lz4-pure-rs | ndarray-npy | npyz | py_literal | zip | zstd-pure-rs) ;;
    # What is generic in them is compiled where it is used.
    ndbytes-fuzzers) ;;
    *) exec "$@" ;;
esac
exec "$@" -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares
