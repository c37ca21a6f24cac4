#!/usr/bin/env bash
# Builds the Python package as it is released, from the last commit: a wheel for this machine, and a source distribution
# that has every crate in it, so that it builds without a network. Leaves both in target/release-files/python, with
# SHA256SUMS. Needs maturin, on Linux with Zig: `pip install 'maturin[zig]'`.
#   --try: installs the source distribution into an empty environment, with an empty cargo home and without a network
set -euo pipefail
cd "$(dirname "$0")/.."
. release/common.sh

files=$PWD/target/release-files/python
rm -rf "$files"
mkdir -p "$files"
scratch=$(mktemp -d "$PWD/target/release-XXXXXX")
trap 'rm -rf "$scratch"' EXIT

# In a folder of its own, as Cargo looks for settings in all folders above.
git archive HEAD | tar -x -C "$scratch"
manifest=$scratch/crates/python/Cargo.toml
# Zig links against the oldest C library that the wheel allows, not against that of this machine.
oldest=()
case $(uname -s) in Linux) oldest=(--zig --compatibility manylinux_2_28) ;; esac
maturin build --release --locked --manifest-path "$manifest" --target-dir "$PWD/target/release-python" --out "$files" "${oldest[@]}"

maturin sdist --manifest-path "$manifest" --out "$scratch/sdist"
tar -x -C "$scratch/sdist" -f "$scratch"/sdist/*.tar.gz
source=$(basename "$scratch"/sdist/*.tar.gz .tar.gz)
mkdir "$scratch/sdist/$source/.cargo"
(
    cd "$scratch/sdist/$source"
    cargo vendor --locked --versioned-dirs --manifest-path "$manifest" vendor > .cargo/config.toml
)
# The same commit gives the same bytes.
tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -C "$scratch/sdist" -c "$source" |
    gzip -9n > "$files/$source.tar.gz"
(cd "$files" && sha256sum ./*.whl ./*.tar.gz | tee SHA256SUMS)

if [ "${1:-}" = --try ]; then
    python3 -m venv "$scratch/environment"
    pip="$scratch/environment/bin/python -m pip --quiet --disable-pip-version-check"
    $pip install maturin numpy
    PATH=$scratch/environment/bin:$PATH CARGO_HOME=$scratch/cargo-home \
        unshare --map-root-user --net $pip install --no-index --no-build-isolation "$files/$source.tar.gz"
    "$scratch/environment/bin/ndbytes" --version
fi
