#!/usr/bin/env bash
# The public items of the libraries, one a line, beside the lists in release/surface. A change of the interface is a changed line
# there, for a reviewer to see. UPDATE_SURFACE=1 .ci/surface.sh writes the lists.
# shellcheck source=.ci/common.sh
. "$(dirname "$0")/common.sh"

# The compiler whose lists these are: rustdoc's JSON has another format in other versions, and paths of the standard library change.
readonly compiler=1.95.0
readonly crates=(ndbytes everybyte everybyte-ksy ndbytes-arrow ndbytes-compare ndbytes-convert ndbytes-forge)
readonly lists=release/surface

# The toolchain in use, if it is of this version; what it has built is used then.
if [[ $(rustc --version) != "rustc $compiler "* ]]; then
    export RUSTUP_TOOLCHAIN=$compiler
    rustc --version >/dev/null 2>&1 || rustup toolchain install "$compiler" --profile minimal --no-self-update
fi
cargo build --quiet --locked --manifest-path .ci/surface/Cargo.toml
# All crates at once, with the features that the tool turns on: what the step `docs` has built is used.
RUSTDOC=$PWD/.ci/surface/rustdoc RUSTDOCFLAGS='-Z unstable-options --output-format json --cap-lints allow' \
    cargo doc --quiet --workspace --no-deps --locked
failed=0
for crate in "${crates[@]}"; do
    list=$lists/$crate.txt
    found=target/doc/${crate//-/_}.txt
    target/debug/surface "target/doc/${crate//-/_}.json" >"$found"
    if [ -n "${UPDATE_SURFACE:-}" ]; then
        cp "$found" "$list"
    elif ! diff -u "$list" "$found"; then
        failed=1
    fi
done
if [ "$failed" -ne 0 ]; then
    echo "The public items are not those of $lists. If the change is meant, run UPDATE_SURFACE=1 .ci/surface.sh and commit the lists."
    exit 1
fi
