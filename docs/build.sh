#!/usr/bin/env bash
# Builds the book in target/book: the pages of docs/src, and a page for each rule, which the tool prints.
#
#   docs/build.sh [ARGUMENTS OF MDBOOK]
set -euo pipefail
cd "$(dirname "$0")/.."

target=${CARGO_TARGET_DIR:-target}
# In the gate, the tests have built it.
[ -n "${GATE_STEP:-}" ] || cargo build --quiet --locked -p ndbytes-cli
tool=$target/debug/ndbytes

book=$target/book-source
rm -rf "$book"
mkdir -p "$book/src/rules"
cp docs/book.toml "$book"
cp -r docs/src/. "$book/src"
# Pages include other files of the repository, by their paths in it.
grep -rhoE '#include (\.\./)+[^}: ]+' docs/src | sed 's|#include ||; s|\.\./||g' | sort -u | while read -r path; do
    install -D -m 644 "$path" "$target/$path"
done
"$tool" rules --markdown >"$book/src/rules/index.md"
# The index links to the page of each rule.
for rule in $(sed -n 's/.*](\([a-z0-9/-]*\)\.md).*/\1/p' "$book/src/rules/index.md"); do
    mkdir -p "$book/src/rules/$(dirname "$rule")"
    "$tool" rules --markdown "$rule" >"$book/src/rules/$rule.md"
    echo "  - [$rule](rules/$rule.md)" >>"$book/src/SUMMARY.md"
done
mdbook build "$book" --dest-dir "$(realpath "$target")/book" "$@" 2>&1 | tee "$book/log"
# mdbook leaves out what it cannot include, and ends well.
if grep -q ERROR "$book/log"; then
    echo "The book is not whole: see above." >&2
    exit 1
fi
