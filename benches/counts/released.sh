# shellcheck shell=bash
# How programs of a release are built for tests: arithmetic wraps, and nothing is asserted. As fast to build as can be: counts of a
# release differ by the inlining across crates. To be sourced; what it builds, counts and tests of memory share.
export CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16
# Callgrind counts a function by its name.
export CARGO_PROFILE_RELEASE_DEBUG=line-tables-only CARGO_PROFILE_RELEASE_STRIP=none

# released --test NAME [-- ARGUMENT…]: the same graph whatever is run.
released() {
    cargo test --quiet --release --locked -p ndbytes-cli -p ndbytes-convert \
        --no-default-features --features ndbytes-cli/convert,ndbytes-cli/zstd "$@"
}
