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
# Links to other files of the repository lead out of the book: it has their paths instead.
# shellcheck disable=SC2016
find "$book/src" -maxdepth 1 -name '*.md' -exec sed -Ezi 's|\[([^]]*)\]\(\.\./\.\./([^)#]*)[^)]*\)|\1 (`\2`)|g' {} +
# shellcheck disable=SC2016
find "$book/src" -mindepth 2 -name '*.md' -exec sed -Ezi 's|\[([^]]*)\]\(\.\./\.\./\.\./([^)#]*)[^)]*\)|\1 (`\2`)|g' {} +
# In the book, the index links to the page of each rule.
# shellcheck disable=SC2016
awk '/^## / { group = $2 == "general" ? "" : $2 "/" }
    /^\| `/ { name = $2; gsub("`", "", name); sub(/`[^`]*`/, "[" name "](" group name ".md)") }
    { print }' docs/src/rules/index.md >"$book/src/rules/index.md"
for rule in $(sed -n 's/^| \[.*](\([a-z0-9/-]*\)\.md).*/\1/p' "$book/src/rules/index.md"); do
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
