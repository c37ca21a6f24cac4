# What the steps share. To be sourced: it goes to the root of the checkout.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# One folder for what all workspaces build: what they have in common is built once. Nothing is built a second time after a
# change, so that files for the next build only take room. Backtraces of tests have no lines.
export CARGO_TARGET_DIR=$PWD/target CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=0

# Clippy is the compiler of the workspace's own crates: one build gives tests and lints, and a warning is an error.
export RUSTC_WORKSPACE_WRAPPER CLIPPY_ARGS=-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__
RUSTC_WORKSPACE_WRAPPER=$(rustup which clippy-driver 2>/dev/null) || {
    rustup component add clippy
    RUSTC_WORKSPACE_WRAPPER=$(rustup which clippy-driver)
}

# Each unit that is compiled is counted: see .ci/run.
export RUSTC_WRAPPER=$PWD/.ci/rustc GATE_STEP=${GATE_STEP:-none} GATE_UNITS=${GATE_UNITS:-/dev/null}

# One server of sccache for all steps: each would start one otherwise. Without it, the compiler is called as if there were none.
if command -v sccache >/dev/null; then
    export SCCACHE_IDLE_TIMEOUT=0 SCCACHE_IGNORE_SERVER_IO_ERROR=1
    mkdir -p target
    flock --close target/sccache.lock sccache --start-server >/dev/null 2>&1 || true
fi

# Exhaustive loops begin at the offset of the commit: see crates/testkit/src/share.rs.
NDBYTES_OFFSET=$((16#$(git rev-parse --short=7 HEAD)))
export NDBYTES_OFFSET

title() { printf '\n-- %s\n' "$*"; }

# Names what is not run, with the reason, in the last lines of the gate.
skipped() {
    echo "skipped: $*"
    echo "skipped: $*" >>"${GATE_SKIPPED:-/dev/null}"
}

# Debian's packages, if one of the programs is missing: packages "PROGRAM…" PACKAGE…
packages() {
    local program missing=
    for program in $1; do command -v "$program" >/dev/null || missing=1; done
    shift
    [ -z "$missing" ] || install_packages "$@"
}

# Lanes wait for each other: apt has one lock.
install_packages() {
    mkdir -p target
    flock target/packages.lock sh -c 'apt-get update -qq && apt-get install -y -qq --no-install-recommends "$@"' sh "$@"
}

# A program of crates.io, if it is missing: crate PROGRAM CRATE…
crate() {
    local program=$1
    shift
    command -v "$program" >/dev/null ||
        env -u RUSTC_WORKSPACE_WRAPPER -u RUSTC_WRAPPER cargo install --locked --target-dir target/tools "$@"
}

# Builds what the tests build, programs too. After the step `tests` nothing is left to build.
built() { cargo test --quiet --workspace --locked --no-run; }

# The commit that the change starts from, or nothing: GATE_BASE, else the last commit that landed before it (.ci/base).
base() {
    local base=${GATE_BASE:-} head
    head=$(git rev-parse HEAD)
    [ -n "$base" ] || base=$(sed -n '/^[0-9a-f]\{40\}$/p' .ci/base 2>/dev/null)
    # A shallow clone may not have it; and where the branch is what it follows, nobody knows where the change starts.
    if [ -n "$base" ] && [ "$base" != "$head" ] && git merge-base --is-ancestor "$base" "$head" 2>/dev/null; then
        echo "$base"
    fi
}

# Whether a path below one of these has changed since the base, or there is no base.
changed() {
    local base
    base=$(base)
    [ -z "$base" ] || ! git diff --quiet "$base" -- "$@" || [ -n "$(git ls-files --others --exclude-standard -- "$@")" ]
}

# Ends a step that concerns few changes, unless one of its paths has changed: only_for WHAT PATH…
only_for() {
    local what=$1
    shift
    if ! changed "$@"; then
        skipped "$what: nothing below $* has changed since $(base)"
        exit
    fi
}
