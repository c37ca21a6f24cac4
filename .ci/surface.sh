#!/usr/bin/env bash
# The public items of the libraries, one a line, beside the lists in release/surface. A change of the interface is a changed line
# there, for a reviewer to see. UPDATE_SURFACE=1 .ci/surface.sh writes the lists.
# shellcheck source=.ci/common.sh
. "$(dirname "$0")/common.sh"

# The compiler whose lists these are: rustdoc's JSON has another format in other versions, and paths of the standard library change.
readonly compiler=1.95.0
readonly crates=(ndbytes everybyte everybyte-ksy ndbytes-arrow ndbytes-compare ndbytes-convert ndbytes-forge)
readonly lists=release/surface

# Of another compiler, the lists differ in what the standard library calls things.
if [[ $(rustc --version) != "rustc $compiler "* ]]; then
    skipped "lists of public items: they are those of Rust $compiler, and $(rustc --version) is in use"
    exit
fi
cargo build --quiet --locked --manifest-path .ci/surface/Cargo.toml
# The step `tests` leaves the JSON of all crates behind.
if [ -n "${UPDATE_SURFACE:-}" ] || [ ! -e target/doc/ndbytes.json ]; then
    RUSTDOC=$PWD/.ci/rustdoc cargo test --quiet --workspace --exclude ndbytes-forge-ffi --locked --doc -- no-example-has-this-name
fi
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
