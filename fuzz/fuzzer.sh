# shellcheck shell=sh
# How the fuzzer is built: one binary with all targets. common.sh and oss-fuzz/build.sh source it, from the project's root.

# A nightly toolchain, or another one that acts as one. A toolchain that was chosen stays chosen.
toolchain=
if [ -z "${RUSTUP_TOOLCHAIN:-}" ] && RUSTUP_AUTO_INSTALL=0 cargo +nightly --version >/dev/null 2>&1; then
    toolchain=+nightly
fi
if ! RUSTUP_AUTO_INSTALL=0 rustc $toolchain --version 2>/dev/null | grep -q nightly; then export RUSTC_BOOTSTRAP=1; fi
host=$(rustc -vV | sed -n 's/^host: //p')
# shellcheck disable=SC2034
fuzzer=${CARGO_TARGET_DIR:-fuzz/target}/$host/release/targets

# zstd's C is built with the sanitizer too. GCC turns a constant table of a function into a global one, but still takes
# it for gone when the function returns.
if ! "${CC:-cc}" --version | grep -q clang; then
    export CFLAGS="-fno-sanitize-address-use-after-scope${CFLAGS:+ $CFLAGS}"
fi

# The packages of others get no counters.
# Another wrapper goes on within this one.
if [ "${RUSTC_WRAPPER:-}" != "$PWD/fuzz/rustc.sh" ]; then export FUZZ_RUSTC_WRAPPER="${RUSTC_WRAPPER:-}"; fi
export RUSTC_WRAPPER="$PWD/fuzz/rustc.sh"

# Makes `$fuzzer`. A cargo-fuzz that was built for musl would build for musl, which has no address sanitizer.
build_fuzzer() {
    cargo fuzz --version >/dev/null 2>&1 || cargo install --locked cargo-fuzz
    # shellcheck disable=SC2086
    cargo $toolchain fuzz build --target "$host" targets </dev/null
}
