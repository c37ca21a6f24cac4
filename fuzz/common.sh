# shellcheck shell=sh
# What the scripts of this folder share. They source it, from the project's root.

. fuzz/fuzzer.sh
tests/assemble.sh

# The names of all targets.
targets() { sed 's/#.*//' fuzz/targets.txt | awk 'NF { print $1 }'; }

# The columns of a target after its name: `dictionary`, and `seeds`, whose patterns are still to be expanded.
look_up() {
    dictionary='' seeds=''
    while read -r listed rest; do
        if [ "$listed" = "$1" ]; then
            dictionary=${rest%% *}
            # What is in the repository as recipes is below target, as files.
            seeds=$(printf '%s' "$rest" | awk '{ $1 = ""; print }' | sed 's# tests/corpus# target/corpus#g; s# fuzz/seeds# target/seeds#g')
            return
        fi
    done <fuzz/targets.txt
    echo "there is no target $1; targets: $(targets | tr '\n' ' ')" >&2
    return 2
}

# What an input may cost. The options files of OSS-Fuzz say the same. On a busy machine, FUZZ_TIMEOUT gives more seconds.
max_len=8192 timeout=${FUZZ_TIMEOUT:-10} malloc_limit_mb=64 rss_limit_mb=1024

# What takes libFuzzer's time and finds nothing more: names of new functions, and the frequency of features, by which it
# would choose what to mutate (a third of the time; the coverage after the same time is the same or better).
pace='-print_funcs=0 -entropic=0'

# FUZZ_SEED is a number by which the same inputs are tried in the same order each time.
if [ -n "${FUZZ_SEED:-}" ]; then pace="$pace -seed=$FUZZ_SEED"; fi

# `run_fuzzer TARGET ARGUMENT…`: the fuzzer as one target, within these limits. What crashes it is kept in fuzz/artifacts.
run_fuzzer() {
    ran=$1
    shift
    mkdir -p "fuzz/artifacts/$ran"
    # shellcheck disable=SC2086
    NDBYTES_FUZZ_TARGET=$ran "$fuzzer" "-artifact_prefix=fuzz/artifacts/$ran/" -max_len=$max_len "-timeout=$timeout" \
        -malloc_limit_mb=$malloc_limit_mb -rss_limit_mb=$rss_limit_mb $pace "$@"
}

# `fuzz_one TARGET OPTION…`: the same, from its corpus, its seeds and its dictionary.
fuzz_one() {
    look_up "$1"
    target=$1
    shift
    mkdir -p "fuzz/corpus/$target"
    if [ "$dictionary" != - ]; then set -- "-dict=fuzz/dictionaries/$dictionary.dict" "$@"; fi
    # The patterns of the seeds are expanded here.
    # shellcheck disable=SC2086
    run_fuzzer "$target" -print_final_stats=1 "$@" "fuzz/corpus/$target" $seeds
}

# Freed memory that waits for a use after free, and where it was allocated: 256 MB of it would be half of the time.
export ASAN_OPTIONS="quarantine_size_mb=16:malloc_context_size=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}"

# Scratch files, in memory where the system has a place for that.
if [ -d /dev/shm ]; then memory=/dev/shm; else memory=${TMPDIR:-/tmp}; fi
TMPDIR=$(mktemp -d "$memory/ndbytes-fuzz.XXXXXX")
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
trap 'exit 130' INT TERM
