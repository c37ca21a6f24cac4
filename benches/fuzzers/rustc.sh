#!/bin/sh
# Stands between cargo and rustc while the readers are built: they alone get the counters by which a fuzzer is guided. The forge
# has none, as in the library that fuzzers in C load. With NDBYTES_FUZZERS_ENGINE=afl, the counters are those of AFL++, and programs
# are linked with its runtime.
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
if [ "${NDBYTES_FUZZERS_ENGINE:-}" != afl ]; then
    exec "$@" -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
        -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
        -Cllvm-args=-sanitizer-coverage-trace-compares
fi
case " $* " in
    # The driver asks for the target weakly, which takes nothing out of an archive.
    *' --crate-type bin '*) set -- "$@" "-Clink-arg=$AFL_PATH/afl-compiler-rt.o" -Clink-arg=-Wl,-u,LLVMFuzzerTestOneInput ;;
esac
exec "$@" -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=3 -Cllvm-args=-sanitizer-coverage-trace-pc-guard
