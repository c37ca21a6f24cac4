#!/usr/bin/env bash
# Builds the tool as it is released, from the last commit: twice, in two folders, and compares. The same commit, compiler
# and linker give the same bytes on every machine of this kind. Leaves in target/release-files: the tool, what it is made
# of (CycloneDX), the corpus for other readers, and SHA256SUMS.
set -euo pipefail
cd "$(dirname "$0")/.."
. release/common.sh

cargo_home=${CARGO_HOME:-$HOME/.cargo}
sysroot=$(rustc --print sysroot)
files=target/release-files
rm -rf "$files"
mkdir -p "$files"

scratch=$(mktemp -d "$PWD/target/release-XXXXXX")
trap 'rm -rf "$scratch"' EXIT

# Builds in a folder whose name nothing in the result may depend on.
build() {
    local folder=$scratch/$1
    mkdir "$folder"
    git archive HEAD | tar -x -C "$folder"
    # No settings of this machine: neither its flags nor its files of settings for Cargo.
    env -u CARGO_ENCODED_RUSTFLAGS -u CARGO_BUILD_RUSTFLAGS -u CARGO_TARGET_DIR \
        RUSTFLAGS="--remap-path-prefix=$folder=/ndbytes --remap-path-prefix=$cargo_home=/cargo --remap-path-prefix=$sysroot=/rust" \
        CFLAGS="-ffile-prefix-map=$folder=/ndbytes -ffile-prefix-map=$cargo_home=/cargo" \
        cargo build --release --locked -p ndbytes-cli --bin ndbytes --manifest-path "$folder/Cargo.toml" --target-dir "$folder/target"
    mv "$folder/target/release/ndbytes" "$scratch/$1.bin"
    rm -rf "$folder"
}

build one
build another-folder
if ! cmp "$scratch/one.bin" "$scratch/another-folder.bin"; then
    echo "The two builds differ: the release is not reproducible." >&2
    exit 1
fi
mv "$scratch/one.bin" "$files/ndbytes"
python3 release/sbom.py > "$files/ndbytes.cdx.json"
rustc --version > "$files/rustc-version"
python3 release/corpus.py --tool "$files/ndbytes" "$files/ndbytes-corpus.zip"
(cd "$files" && sha256sum ndbytes ndbytes.cdx.json ndbytes-corpus.zip rustc-version | tee SHA256SUMS)
