#!/usr/bin/env bash
# Builds the tool as it is released, from the last commit: twice, in two folders, and compares. The same commit, compiler
# and linker give the same bytes on every machine of this kind. Leaves in target/release-files: the tool, what it is made
# of (CycloneDX), the corpus for other readers, and SHA256SUMS.
set -euo pipefail
cd "$(dirname "$0")/.."
. release/common.sh

files=target/release-files
rm -rf "$files"
mkdir -p "$files"

scratch=$(mktemp -d "$PWD/target/release-XXXXXX")
trap 'rm -rf "$scratch"' EXIT

build_tool "$scratch/one" "$scratch/one.bin" "$(host)"
build_tool "$scratch/another-folder" "$scratch/another-folder.bin" "$(host)"
if ! cmp "$scratch/one.bin" "$scratch/another-folder.bin"; then
    echo "The two builds differ: the release is not reproducible." >&2
    exit 1
fi
mv "$scratch/one.bin" "$files/ndbytes"
python3 release/sbom.py "$(host)" > "$files/ndbytes.cdx.json"
rustc --version > "$files/rustc-version"
python3 release/corpus.py --tool "$files/ndbytes" "$files/ndbytes-corpus.zip"
(cd "$files" && sha256sum ndbytes ndbytes.cdx.json ndbytes-corpus.zip rustc-version | tee SHA256SUMS)
