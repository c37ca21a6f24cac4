#!/bin/sh
# Fuzzes one target, or all of them, as many side by side as there are processors: fuzz/run.sh TARGET|all [SECONDS]
# 0 seconds: only the seeds and what earlier runs have kept are tried, and every question is asked of each.
set -eu

cd "$(dirname "$0")/.."
. fuzz/common.sh
target=${1:-}
seconds=${2:-60}
case "$target" in
    all) ;;
    "" | -*) echo "usage: fuzz/run.sh TARGET|all [SECONDS]; targets: $(targets | tr '\n' ' ')" >&2; exit 2 ;;
    *) look_up "$target" ;;
esac

how=-max_total_time=$seconds
if [ "$seconds" -eq 0 ]; then
    how=-runs=0
    export NDBYTES_FUZZ_EVERYTHING=1
fi

if [ "$target" = all ]; then
    fuzz build
    # What a target prints is shown when it ends. One that fails ends all.
    # shellcheck disable=SC2016
    targets | xargs -n 1 -P "$(nproc 2>/dev/null || echo 2)" sh -c '
        log=$TMPDIR/$2.log
        fuzz/run.sh "$2" "$1" >"$log" 2>&1 || { cat "$log"; exit 255; }
        cat "$log"' run "$seconds"
    exit
fi

mkdir -p "fuzz/corpus/$target"
# The patterns of the seeds are expanded here.
# shellcheck disable=SC2086
set -- $seeds --
if [ "$dictionary" != - ]; then set -- "$@" "-dict=fuzz/dictionaries/$dictionary.dict"; fi
# shellcheck disable=SC2086
fuzz run "$target" "fuzz/corpus/$target" "$@" "$how" -max_len=$max_len -timeout=$timeout \
    -malloc_limit_mb=$malloc_limit_mb -rss_limit_mb=$rss_limit_mb $pace -print_final_stats=1
