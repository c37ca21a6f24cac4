#!/usr/bin/env bash
# Builds the tool for one platform, from the last commit, and packs it with its manual pages and completions:
#
#   release/binary.sh TARGET [PROGRAM]
#
# TARGET is a platform as Rust names it, whose programs run on this machine. PROGRAM is the tool if it is built already. For Linux, a
# Debian package and an RPM are made, too. Leaves everything in target/release-files/TARGET, each file with its sum and the tool
# with what it is made of (CycloneDX). For Linux it needs cargo-deb, cargo-generate-rpm, and musl-gcc for zstd.
set -euo pipefail
cd "$(dirname "$0")/.."
. release/common.sh

target=$1
name=ndbytes-$(version)-$target
files=target/release-files/$target
rm -rf "$files"
mkdir -p "$files"
scratch=$(mktemp -d "$PWD/target/release-XXXXXX")
trap 'rm -rf "$scratch"' EXIT

suffix=
case $target in *windows*) suffix=.exe ;; esac
# What is packed has one place, which the metadata of the packages name.
staged=target/package
rm -rf "$staged"
mkdir -p "$staged/completions" "$staged/man"
if [ $# -gt 1 ]; then
    cp "$2" "$staged/ndbytes$suffix"
else
    case $target in
        x86_64-unknown-linux-musl) export CC_x86_64_unknown_linux_musl=musl-gcc ;;
        aarch64-unknown-linux-musl) export CC_aarch64_unknown_linux_musl=musl-gcc ;;
    esac
    build_tool "$scratch/source" "$staged/ndbytes$suffix" "$target"
fi
# Shells and `man` are for its users, so that the tool makes their files itself.
tool=$staged/ndbytes$suffix
"$tool" man "$staged/man"
"$tool" completions bash >"$staged/completions/ndbytes.bash"
"$tool" completions zsh >"$staged/completions/_ndbytes"
"$tool" completions fish >"$staged/completions/ndbytes.fish"
"$tool" completions powershell >"$staged/completions/_ndbytes.ps1"
cp README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT "$staged"

case $target in
    *windows*) python3 release/pack.py "$staged" "$name" "$files/$name.zip" ;;
    *) python3 release/pack.py "$staged" "$name" "$files/$name.tar.gz" ;;
esac
python3 release/sbom.py "$target" >"$files/$name.cdx.json"
case $target in
    *linux*)
        cargo deb --quiet -p ndbytes-cli --no-build --no-strip --target "$target" --output "$files/"
        cargo generate-rpm -p crates/cli --target "$target" --output "$files/"
        ;;
esac
# The least of what a program may be: it runs, and it is no larger than promised.
"$tool" --version
limit=25000000 length=$(wc -c <"$tool")
if [ "$length" -gt "$limit" ]; then
    echo "The tool has $length bytes, and $limit are promised." >&2
    exit 1
fi
python3 release/sums.py "$files"
