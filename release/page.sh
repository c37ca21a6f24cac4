#!/usr/bin/env bash
# Builds the page where one drops a file, from the last commit: one HTML file, which needs neither a server nor a network. Leaves it in
# target/release-files/page, with its sum. Needs the toolchain's target wasm32-unknown-unknown.
set -euo pipefail
cd "$(dirname "$0")/.."
. release/common.sh

files=target/release-files/page
rm -rf "$files"
mkdir -p "$files"
scratch=$(mktemp -d "$PWD/target/release-XXXXXX")
trap 'rm -rf "$scratch"' EXIT

git archive HEAD | tar -x -C "$scratch"
REMAPS=$(remaps "$scratch") CARGO_TARGET_DIR=$PWD/target "$scratch/crates/web/build.sh"
page=$files/ndbytes-$(version)-page.html
cp target/drop/index.html "$page"
# Servers send it compressed, and it is no larger than promised.
limit=3000000 length=$(gzip -9nc "$page" | wc -c)
echo "The page has $(wc -c <"$page") bytes, and $length compressed."
if [ "$length" -gt "$limit" ]; then
    echo "The page has $length bytes compressed, and $limit are promised." >&2
    exit 1
fi
python3 release/sums.py "$files"
