# What the scripts of this folder share. They source it, from the project's root.

# The names of all targets.
targets() { sed 's/#.*//' fuzz/targets.txt | awk 'NF { print $1 }'; }

# The columns of a target after its name: `dictionary`, and `seeds`, whose patterns are still to be expanded.
look_up() {
    dictionary= seeds=
    while read -r listed rest; do
        if [ "$listed" = "$1" ]; then
            dictionary=${rest%% *}
            seeds=$(printf '%s' "$rest" | awk '{ $1 = ""; print }')
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

# `fuzz SUBCOMMAND …`: cargo-fuzz, with a nightly toolchain or the stable one that acts as one. A cargo-fuzz that was built
# for musl would build for musl, which has no address sanitizer.
if RUSTUP_AUTO_INSTALL=0 cargo +nightly --version >/dev/null 2>&1; then
    toolchain=+nightly
else
    toolchain=
    export RUSTC_BOOTSTRAP=1
fi
host=$(rustc -vV | sed -n 's/^host: //p')
fuzz() { subcommand=$1; shift; cargo ${toolchain:+"$toolchain"} fuzz "$subcommand" --target "$host" "$@"; }

# Freed memory that waits for a use after free, and where it was allocated: 256 MB of it would be half of the time.
export ASAN_OPTIONS="quarantine_size_mb=16:malloc_context_size=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}"

# zstd's C is built with the sanitizer too. GCC turns a constant table of a function into a global one, but still takes
# it for gone when the function returns.
export CFLAGS="-fno-sanitize-address-use-after-scope${CFLAGS:+ $CFLAGS}"

# Scratch files, in memory where the system has a place for that.
if [ -d /dev/shm ]; then memory=/dev/shm; else memory=${TMPDIR:-/tmp}; fi
TMPDIR=$(mktemp -d "$memory/ndbytes-fuzz.XXXXXX")
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
trap 'exit 130' INT TERM
