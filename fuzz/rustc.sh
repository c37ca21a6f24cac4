#!/bin/sh
# Stands between cargo and rustc while the fuzzer is built, and leaves out instructions that find nothing: half of the build, and of
# the time of an input.
#
# * The packages of others and the forge, which makes inputs, get no counters. What they do wrong in memory is still found.
# * Only accesses to the heap are checked: of the stack and of statics, the compiler knows the bounds. None are checked in packages in
#   which the compiler forbids `unsafe`, nor in those that see no byte of an input. What these copy and compare is checked still,
#   since the sanitizer looks into memcpy and memcmp.
# * With FUZZ_QUICK=1, the questions are not optimised: they are by far the largest crate, and a gate asks each of them only a few
#   thousand times.
# * The packages of others have no lines in backtraces. The reader of arguments does not check its own
#   declarations each time.
#
# fuzz/fuzzer.sh names it to cargo as RUSTC_WRAPPER.
set -eu

# A reader that a target compares with: its branches guide that target.
counted=rawarray

package=${CARGO_PKG_NAME:-} foreign='' counters=1 comparisons=1 checks=heap
case "${CARGO_MANIFEST_DIR:-}" in
    */registry/src/*) foreign=1; [ "$package" = "$counted" ] || counters='' ;;
    *) if [ "$package" = ndbytes-forge ]; then counters=''; fi ;;
esac
case "$package" in ndbytes | ndbytes-schemas | ndbytes-codecs | ndbytes-compare | everybyte) comparisons='' ;; esac
case "$*" in *--forbid=unsafe_code*) checks='' ;; esac
case "$package" in
    # Questions, and code above the library in which nothing is unsafe. The program itself brings the sanitizer.
    ndbytes-fuzz | ndbytes-cli | ndbytes-convert) case "$*" in *" --crate-type lib "*) checks='' ;; esac ;;
    # Arguments, paths, terminals, products of matrices.
    clap_* | regex-* | aho-corasick | globset | ignore | indicatif | console | toml* | matrixmultiply) checks='' ;;
esac

# Whether the optimisation of the questions is left out.
plain=''
if [ -n "${FUZZ_QUICK:-}" ] && [ "$package" = ndbytes-fuzz ]; then plain=1 comparisons=''; fi

for argument; do
    shift
    case "$argument" in
        *-sanitizer-coverage-trace-compares) if [ -z "$counters" ] || [ -z "$comparisons" ]; then continue; fi ;;
        -Cpasses=sancov-module | -Cllvm-args=-sanitizer-coverage*) if [ -z "$counters" ]; then continue; fi ;;
        -Zsanitizer=address | -Csanitizer=address)
            if [ -z "$checks" ]; then continue; fi
            set -- "$@" -Cllvm-args=-asan-stack=0 -Cllvm-args=-asan-globals=0
            ;;
        -Cdebug-assertions) if [ -n "$foreign" ] && [ -z "$checks" ]; then continue; fi ;;
        debuginfo=line-tables-only) if [ -n "$foreign" ]; then argument=debuginfo=0; fi ;;
        opt-level=s) if [ -n "$plain" ]; then argument=opt-level=0; fi ;;
        # cargo-fuzz asks for one unit of code: the questions, by far the largest crate, would be compiled by one thread.
        -Ccodegen-units=1) if [ "$package" = ndbytes-fuzz ]; then argument=-Ccodegen-units=16; fi ;;
    esac
    set -- "$@" "$argument"
done
exec ${FUZZ_RUSTC_WRAPPER:+"$FUZZ_RUSTC_WRAPPER"} "$@"
