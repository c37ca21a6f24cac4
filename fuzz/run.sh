#!/bin/sh
# Fuzzes one target, or all of them, as many side by side as there are processors.
#
# fuzz/run.sh TARGET|all [SECONDS]              60 seconds each, if nothing else is said
# fuzz/run.sh changed SECONDS [LONGER] [BASE]   all, and longer (three times, if nothing else is said) those that changes since
#                                               BASE touch: see fuzz/touched.sh
# fuzz/run.sh TARGET FILE…                      repeats inputs
#
# FUZZ_RUNS=N: each target tries at most N inputs, seeds included, however fast the machine is.
# 0 seconds: only the seeds and what earlier runs have kept are tried, and every question is asked of each.
set -eu

cd "$(dirname "$0")/.."
. fuzz/common.sh
usage() { sed -n '4,7s/^# //p' fuzz/run.sh >&2; echo "targets: $(targets | tr '\n' ' ')" >&2; exit 2; }
is_number() { case "$1" in '' | *[!0-9]*) return 1 ;; esac; }

# Fuzzes each target of a list of names and seconds. What a target prints is shown when it ends. One that fails ends all, and
# what it printed comes last.
side_by_side() {
    # shellcheck disable=SC2016
    FUZZ_BUILT=1 xargs -n 2 -P "$(nproc 2>/dev/null || echo 2)" sh -c '
        log=$TMPDIR/$1.log
        fuzz/run.sh "$1" "$2" >"$log" 2>&1 || { mv "$log" "$TMPDIR/$1.failed"; exit 255; }
        cat "$log"' run || {
        status=$?
        for log in "$TMPDIR"/*.failed; do
            [ ! -e "$log" ] || { echo "failed: $(basename "$log" .failed)"; cat "$log"; }
        done
        return $status
    }
}

# The names that stand in one file, and those that do not: `touched` has a path after each.
touched_names() { cut -d ' ' -f 1 "$TMPDIR/touched"; }
other_names() { targets | while read -r name; do touched_names | grep -qx "$name" || echo "$name"; done; }

said() { echo "fuzzed for $1: ${2:-none}"; }

target=${1:-} seconds=${2:-60}
case "$target" in
    "" | -*) usage ;;
    all)
        is_number "$seconds" || usage
        build_fuzzer
        targets | sed "s/\$/ $seconds/" | side_by_side
        ;;
    changed)
        is_number "$seconds" || usage
        longer=${3:-$((seconds * 3))}
        is_number "$longer" || usage
        fuzz/touched.sh ${4:+"$4"} >"$TMPDIR/touched" 2>"$TMPDIR/compared" || { cat "$TMPDIR/compared" >&2; exit 2; }
        build_fuzzer
        { touched_names | sed "s/\$/ $longer/"; other_names | sed "s/\$/ $seconds/"; } | side_by_side
        cat "$TMPDIR/compared"
        said "$longer s each, as changes touch them" "$(tr '\n' ' ' <"$TMPDIR/touched")"
        said "$seconds s each, as nothing changed that they test" "$(other_names | tr '\n' ' ')"
        ;;
    *)
        look_up "$target"
        if [ -z "${FUZZ_BUILT:-}" ]; then build_fuzzer; fi
        if ! is_number "$seconds"; then
            shift
            run_fuzzer "$target" "$@"
        elif [ "$seconds" -eq 0 ]; then
            export NDBYTES_FUZZ_EVERYTHING=1
            fuzz_one "$target" -runs=0
        else
            fuzz_one "$target" "-max_total_time=$seconds" ${FUZZ_RUNS:+"-runs=$FUZZ_RUNS"}
        fi || { status=$?; echo "to repeat an input: fuzz/run.sh $target FILE" >&2; exit $status; }
        ;;
esac
