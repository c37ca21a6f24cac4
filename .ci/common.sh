# What the steps share. To be sourced: it goes to the root of the checkout.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# One folder for what all workspaces build: what they have in common is built once. Nothing is built a second time after a
# change, so that files for the next build only take room. Backtraces of tests have no lines.
export CARGO_TARGET_DIR=$PWD/target CARGO_INCREMENTAL=0 CARGO_PROFILE_DEV_DEBUG=0

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
    command -v "$program" >/dev/null || cargo install --locked --target-dir target/tools "$@"
}

# Runs cargo with clippy as the compiler of the workspace's own crates: a build whose warnings of lints are errors.
linted() {
    RUSTC_WORKSPACE_WRAPPER=$(rustup which clippy-driver) CLIPPY_ARGS=-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__ "$@"
}

# The commit that the change starts from, or nothing.
base() {
    local base=${GATE_BASE:-} head
    head=$(git rev-parse HEAD)
    [ -n "$base" ] || base=$(git merge-base HEAD '@{upstream}' 2>/dev/null || true)
    # Where the branch is what it follows, nobody knows where the change starts.
    if [ -n "$base" ] && [ "$(git rev-parse "$base")" != "$head" ]; then echo "$base"; fi
}

# Whether a path below one of these has changed since the base, or there is no base.
changed() {
    local base
    base=$(base)
    [ -z "$base" ] || ! git diff --quiet "$base" -- "$@" || [ -n "$(git ls-files --others --exclude-standard -- "$@")" ]
}

# All that is code, or decides how code is built.
readonly code=(src schemas crates Cargo.toml Cargo.lock .ci)
