#!/bin/sh
# Fuzzes every target for hours: fuzz/campaign.sh [--hours HOURS] [--jobs JOBS] [TARGET…]
#
# JOBS targets run side by side, each for its share of the hours. What was done is kept in fuzz/corpus: a campaign that was
# interrupted goes on where it was when it is called again, until every target has had its time. Then each corpus is
# minimised, and a table is printed and kept as fuzz/corpus/campaign.md. --fresh forgets the times, not the inputs.
set -eu

cd "$(dirname "$0")/.."
hours=8 jobs=$(nproc 2>/dev/null || echo 2) chosen= fresh=
while [ $# -gt 0 ]; do
    case "$1" in
        --hours) hours=${2:?}; shift 2 ;;
        --jobs) jobs=${2:?}; shift 2 ;;
        --fresh) fresh=1; shift ;;
        -*) sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
        *) chosen="$chosen $1"; shift ;;
    esac
done
. fuzz/common.sh
names=${chosen:-$(targets)}
state=fuzz/corpus/campaign
binaries=fuzz/target/$host/release
mkdir -p "$state"
if [ -n "$fresh" ]; then rm -f "$state"/*.sums; fi

# Seconds for each target, of all cores together.
# shellcheck disable=SC2086
share=$(set -- $names; awk -v hours="$hours" -v jobs="$jobs" -v count=$# 'BEGIN { print int(hours * 3600 * jobs / count) }')
# A target is run in portions, so that little is lost when the machine is.
portion=300

# The sums of a target: seconds, executions, findings.
sums() { cat "$state/$1.sums" 2>/dev/null || echo "0 0 0"; }

# Runs one target until it has had its share.
campaign() {
    target=$1
    look_up "$target"
    mkdir -p "fuzz/corpus/$target" "fuzz/artifacts/$target"
    while read -r spent executions findings <<END && [ "$spent" -lt "$share" ]; do
$(sums "$target")
END
        seconds=$((share - spent < portion ? share - spent : portion))
        log=$state/$target.log
        # shellcheck disable=SC2086
        set -- $seeds
        if [ "$dictionary" != - ]; then set -- "$@" "-dict=fuzz/dictionaries/$dictionary.dict"; fi
        before=$(ls "fuzz/artifacts/$target" | wc -l)
        "$binaries/$target" "fuzz/corpus/$target" "$@" "-max_total_time=$seconds" "-artifact_prefix=fuzz/artifacts/$target/" \
            -max_len=$max_len -timeout=$timeout -malloc_limit_mb=$malloc_limit_mb -rss_limit_mb=$rss_limit_mb \
            -print_funcs=0 -print_final_stats=1 >"$log" 2>&1 || true
        ran=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
        after=$(ls "fuzz/artifacts/$target" | wc -l)
        # After a finding a portion ends early, but counts whole: a target that always crashes comes to its end too.
        echo "$((spent + seconds)) $((executions + ${ran:-0})) $((findings + after - before))" >"$state/$target.sums.new"
        mv "$state/$target.sums.new" "$state/$target.sums"
    done
}

# Drops the inputs that add no coverage. The folder is replaced only when that is done.
minimise() {
    target=$1
    rm -rf "$state/$target.merged"
    mkdir -p "$state/$target.merged" "fuzz/corpus/$target"
    look_up "$target"
    # shellcheck disable=SC2086
    "$binaries/$target" -merge=1 "$state/$target.merged" "fuzz/corpus/$target" $seeds "-max_len=$max_len" \
        "-rss_limit_mb=$rss_limit_mb" >"$state/$target.merge.log" 2>&1 || return 0
    rm -rf "fuzz/corpus/$target"
    mv "$state/$target.merged" "fuzz/corpus/$target"
}

for target in $names; do
    look_up "$target"
    fuzz build "$target"
done
running=0
for target in $names; do
    campaign "$target" &
    running=$((running + 1))
    # The shell waits for one in turn: targets take the same time.
    if [ "$running" -ge "$jobs" ]; then wait; running=0; fi
done
wait
for target in $names; do minimise "$target"; done

{
    echo "| target | hours | executions | a second | coverage | features | inputs | bytes | findings |"
    echo "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    for target in $names; do
        read -r seconds executions findings <<END
$(sums "$target")
END
        # The merge says what the corpus covers.
        covered=$(grep -o 'cov: [0-9]*' "$state/$target.merge.log" | tail -1 | tr -dc 0-9)
        features=$(grep -o 'ft: [0-9]*' "$state/$target.merge.log" | tail -1 | tr -dc 0-9)
        inputs=$(find "fuzz/corpus/$target" -type f | wc -l)
        bytes=$(find "fuzz/corpus/$target" -type f -exec cat {} + | wc -c)
        awk -v target="$target" -v seconds="$seconds" -v executions="$executions" -v covered="${covered:--}" \
            -v features="${features:--}" -v inputs="$inputs" -v bytes="$bytes" -v findings="$findings" 'BEGIN {
            printf "| `%s` | %.2f | %d | %d | %s | %s | %d | %d | %d |\n", target, seconds / 3600, executions,
                seconds ? executions / seconds : 0, covered, features, inputs, bytes, findings
        }'
    done
} | tee fuzz/corpus/campaign.md
