#!/bin/sh
# Fuzzes every target for hours: fuzz/campaign.sh [--hours HOURS | --minutes MINUTES] [--jobs JOBS] [--fresh] [TARGET…], or --record
#
# JOBS targets run side by side, each for its share of the hours. A share is processor time, user and system: on a busy
# machine a campaign takes longer, and no target gets less. What was done is kept in fuzz/corpus: a campaign that was
# interrupted goes on where it was when it is called again, until every target has had its time. Then each corpus is
# minimised, and the sums go to fuzz/campaigns.md, the committed table of all campaigns on all machines.
# --record adds what was done so far to the table, and ends. --fresh forgets the times of this machine, not the inputs.
# --minutes takes the minutes that there are, by the clock: each target gets its part of them beyond what it has had, no corpus is
# minimised, and the table is written. fuzz/corpus has the whole state of a campaign: carried to another machine, it goes on there.
set -eu

cd "$(dirname "$0")/.."
hours=8 minutes='' jobs=$(nproc 2>/dev/null || echo 2) chosen='' fresh='' record=''
while [ $# -gt 0 ]; do
    case "$1" in
        --hours) hours=${2:?}; shift 2 ;;
        --minutes) minutes=${2:?}; shift 2 ;;
        --jobs) jobs=${2:?}; shift 2 ;;
        --fresh) fresh=1; shift ;;
        --record) record=1; shift ;;
        -*) sed -n '2,11s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
        *) chosen="$chosen $1"; shift ;;
    esac
done
. fuzz/common.sh
names=${chosen:-$(targets)}
state=fuzz/corpus/campaign
mkdir -p "$state"
table=fuzz/campaigns.md

# Seconds of processor time for each target.
# shellcheck disable=SC2086
share=$(set -- $names; awk -v hours="$hours" -v jobs="$jobs" -v count=$# 'BEGIN { print int(hours * 3600 * jobs / count) }')
# A target is run in portions of at most this many seconds of the clock, so that little is lost when the machine is.
portion=300

# The sums of a target on this machine, or those of them that are in the table: seconds of processor time, executions,
# findings.
sums() { cat "$state/$1.${2:-sums}" 2>/dev/null || echo "0 0 0"; }

# The last number after a word of libFuzzer, in the log of a merge: what the corpus covers.
merged() { grep -o "$2: [0-9]*" "$state/$1.merge.log" 2>/dev/null | tail -1 | tr -dc 0-9; }

# Adds what was done since the last time to the committed table.
record() {
    {
        echo "| target | processor seconds | executions | a second | coverage | features | inputs | bytes | findings |"
        echo "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
        for target in $(targets); do
            inputs='' bytes=''
            if [ -f "$state/$target.merge.log" ]; then
                inputs=$(find "fuzz/corpus/$target" -type f | wc -l)
                bytes=$(find "fuzz/corpus/$target" -type f -exec cat {} + | wc -c)
            fi
            awk -F '|' -v target="\`$target\`" -v sums="$(sums "$target")" -v noted="$(sums "$target" noted)" \
                -v covered="$(merged "$target" cov)" -v features="$(merged "$target" ft)" -v inputs="$inputs" -v bytes="$bytes" '
                { gsub(/ /, "") }
                $2 == target { split($0, row) }
                END {
                    split(sums, sum, " "); split(noted, old, " ")
                    seconds = row[3] + sum[1] - old[1]
                    executions = row[4] + sum[2] - old[2]
                    # What no merge has counted here stays as it was.
                    if (covered == "") { covered = row[6]; features = row[7]; inputs = row[8]; bytes = row[9] }
                    printf "| %s | %d | %d | %d | %s | %s | %s | %s | %d |\n", target, seconds, executions,
                        seconds ? executions / seconds : 0, covered, features, inputs, bytes, row[10] + sum[3] - old[3]
                }' "$table"
        done
    } >"$state/table.md"
    for target in $(targets); do sums "$target" >"$state/$target.noted"; done
    mv "$state/table.md" "$table"
}

if [ -n "$fresh" ]; then
    record
    rm -f "$state"/*.sums "$state"/*.noted
fi
if [ -n "$record" ]; then
    record
    exit
fi

# `timed LOG COMMAND…`: prints the seconds of processor time that the command took, and its exit status. The times of a
# subshell's children are those of this one command.
timed() {
    (
        log=$1 status=0
        shift
        "$@" >"$log" 2>&1 || status=$?
        times
        echo "$status"
    ) | LC_ALL=C awk '
        # A time is minutes and seconds, as in 1m2.5s.
        function seconds(time, part) { split(time, part, /[ms]/); return part[1] * 60 + part[2] }
        NR == 2 { took = seconds($1) + seconds($2) }
        END { print int(took) + (took > int(took)), $1 }'
}

# Runs one target for some seconds of the clock; sets `took`, the seconds of processor time, and `status`, and adds what was done to
# the sums. After a finding a portion ends early, but counts as `$3` seconds, if that is given.
portion_of() {
    target=$1 log=$state/$1.log
    mkdir -p "fuzz/artifacts/$target"
    before=$(find "fuzz/artifacts/$target" -type f | wc -l)
    read -r took status <<END
$(timed "$log" fuzz_one "$target" "-max_total_time=$2")
END
    ran=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    after=$(find "fuzz/artifacts/$target" -type f | wc -l)
    # A portion counts a second at least, so that a campaign ends.
    took=$((took > 1 ? took : 1))
    if [ "$status" -ne 0 ] && [ "$took" -lt "${3:-0}" ]; then took=$3; fi
    read -r spent executions findings <<END
$(sums "$target")
END
    echo "$((spent + took)) $((executions + ${ran:-0})) $((findings + after - before))" >"$state/$target.sums.new"
    mv "$state/$target.sums.new" "$state/$target.sums"
}

# Runs one target until it has had its share.
campaign() {
    # Seconds of the clock that a second of processor time took in the last portion, in hundredths.
    slowness=100
    while read -r spent executions findings <<END && [ "$spent" -lt "$share" ]; do
$(sums "$1")
END
        due=$((share - spent < portion ? share - spent : portion))
        seconds=$(((due * slowness + 99) / 100))
        seconds=$((seconds < portion ? seconds : portion))
        # A target that always crashes comes to its end too.
        portion_of "$1" "$seconds" "$due"
        if [ "$status" -eq 0 ]; then slowness=$((seconds > took ? seconds * 100 / took : 100)); fi
    done
}

# Runs one target for its part of the minutes, once.
piece() {
    portion_of "$1" "$part"
    [ "$status" -eq 0 ] || echo "$1: the fuzzer ended with status $status; see $state/$1.log" >&2
}

# Runs the targets that no other worker has taken, one after the other.
worker() {
    for target in $names; do
        if mkdir "$TMPDIR/taken.$target" 2>/dev/null; then "$run" "$target"; fi
    done
}

# Drops the inputs that add no coverage. The folder is replaced only when that is done.
minimise() {
    target=$1
    rm -rf "$state/$target.merged"
    mkdir -p "$state/$target.merged" "fuzz/corpus/$target"
    look_up "$target"
    # shellcheck disable=SC2086
    NDBYTES_FUZZ_TARGET=$target "$fuzzer" -merge=1 "$state/$target.merged" "fuzz/corpus/$target" $seeds "-max_len=$max_len" \
        "-rss_limit_mb=$rss_limit_mb" >"$state/$target.merge.log" 2>&1 || return 0
    rm -rf "fuzz/corpus/$target"
    mv "$state/$target.merged" "fuzz/corpus/$target"
}

for target in $names; do look_up "$target"; done
build_fuzzer
run=campaign
if [ -n "$minutes" ]; then
    run=piece
    # Seconds of the clock for each target; the build is not counted.
    # shellcheck disable=SC2086
    part=$(set -- $names; awk -v minutes="$minutes" -v jobs="$jobs" -v count=$# \
        'BEGIN { part = int(minutes * 60 * jobs / count); print (part > 0 ? part : 1) }')
fi
workers=0
while [ "$workers" -lt "$jobs" ]; do
    worker &
    workers=$((workers + 1))
done
wait
if [ -z "$minutes" ]; then
    for target in $names; do minimise "$target"; done
fi
record
cat "$table"
