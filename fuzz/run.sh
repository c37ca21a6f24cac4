#!/bin/sh
# Fuzzes one target, or all of them one after the other: fuzz/run.sh TARGET|all [SECONDS]
# 0 seconds: only the seeds and what earlier runs have kept are tried, and every question is asked of each.
set -eu

cd "$(dirname "$0")/.."
. fuzz/common.sh
target=${1:-}
seconds=${2:-60}
case "$target" in
    all) names=$(targets) ;;
    "" | -*) echo "usage: fuzz/run.sh TARGET|all [SECONDS]; targets: $(targets | tr '\n' ' ')" >&2; exit 2 ;;
    *) names=$target ;;
esac

how=-max_total_time=$seconds
if [ "$seconds" -eq 0 ]; then
    how=-runs=0
    export NDBYTES_FUZZ_EVERYTHING=1
fi
for name in $names; do
    look_up "$name"
    mkdir -p "fuzz/corpus/$name"
    # The patterns of the seeds are expanded here.
    # shellcheck disable=SC2086
    set -- $seeds --
    if [ "$dictionary" != - ]; then set -- "$@" "-dict=fuzz/dictionaries/$dictionary.dict"; fi
    # shellcheck disable=SC2086
    fuzz run "$name" "fuzz/corpus/$name" "$@" "$how" -max_len=$max_len -timeout=$timeout \
        -malloc_limit_mb=$malloc_limit_mb -rss_limit_mb=$rss_limit_mb $pace -print_final_stats=1
done
