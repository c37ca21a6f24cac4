#!/bin/sh
# Stands between cargo and rustc while the fuzzer is built: the packages of others get no counters. That halves the build, and
# libFuzzer has half as many counters to read after each input. What they do wrong in memory is still found.
#
# fuzz/fuzzer.sh names it to cargo as RUSTC_WRAPPER.
set -eu

# A reader that a target compares with: its branches guide that target.
counted=rawarray

case "${CARGO_MANIFEST_DIR:-}" in
    */registry/src/*)
        if [ "${CARGO_PKG_NAME:-}" != "$counted" ]; then
            for argument; do
                shift
                case "$argument" in
                    -Cpasses=sancov-module | -Cllvm-args=-sanitizer-coverage*) ;;
                    *) set -- "$@" "$argument" ;;
                esac
            done
        fi
        ;;
esac
exec "$@"
