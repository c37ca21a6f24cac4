# What the steps share that run only if something changed that they depend on. To be sourced, in the root of the checkout.
#
# A file names the state that passed last: a line for each input, with its hash. A state passes in this file alone, so that a
# file which was not committed only costs another run.
export LC_ALL=C

# Files that git has or would take, sorted; those that are deleted are left out.
files() { git ls-files -co --exclude-standard -- "$@" | sort -u | while read -r file; do [ -f "$file" ] && echo "$file"; done; }
hash() { sha256sum | cut -c 1-32; }
contents() { files "$@" | grep -v '/passed$' | xargs -d '\n' sha256sum | hash; }

# Public items to the end of their line or of their signature, traits and enums to their end, and the heads of implementations.
interface() {
    files src schemas/src crates/codecs/src crates/everybyte/src crates/everybyte/derive/src | grep '\.rs$' | xargs -d '\n' awk '
        FNR == 1 { whole = part = 0 }
        /^ *(\/\/|#)/ { next }
        whole { print FILENAME ": " $0; if ($0 ~ "^" indent "}") whole = 0; next }
        part { print FILENAME ": " $0; if (/[{;]$/) part = 0; next }
        /^ *pub (enum|trait) .*\{$/ { print FILENAME ": " $0; match($0, /^ */); indent = substr($0, 1, RLENGTH); whole = 1; next }
        /^ *pub [a-z]/ { print FILENAME ": " $0; if (/[(<]$/) part = 1; next }
        /^ *(unsafe )?impl/ { print FILENAME ": " $0 }
    ' | hash
}

# The state of a step, all but its own inputs.
shared() {
    echo "arrow $(contents crates/arrow)"
    echo "interface $(interface)"
    echo "manifests $(contents Cargo.toml schemas/Cargo.toml crates/codecs/Cargo.toml crates/everybyte/Cargo.toml crates/everybyte/derive/Cargo.toml)"
}

# Ends the script if nothing changed: begin PASSED ARGUMENT, with the state in `now`.
begin() {
    if [ "${2:-}" = --state ]; then
        echo "$now"
        exit
    fi
    changed=$(comm -23 <(sort <<<"$now") <(sort "$1" 2>/dev/null) | cut -d ' ' -f 1 | paste -sd ' ')
    if [ -z "$changed" ] && [ "${2:-}" != --always ]; then
        echo "not run: all inputs are those that passed ($1)"
        exit
    fi
    echo "run: ${changed:-nothing} changed since the state that passed ($1)"
}

# Notes that the state passed.
pass() {
    echo "$now" >"$1"
    echo "passed: commit $1, so that this state is not tested again"
}
