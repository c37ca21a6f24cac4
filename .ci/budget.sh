#!/usr/bin/env bash
# Counts what was compiled, by the lines that .ci/rustc wrote (STEP CRATE KIND), and holds it against .ci/budget: budget.sh FILE.
# A unit is a call of the compiler; what was compiled before counts nothing. Files and lines of Rust are those that git knows; comments and
# blank lines do not count.
set -euo pipefail
cd "$(dirname "$0")/.."

units=$1
count() {
    case $1 in
        programs) grep -cE '^tests [^ ]+ test$' "$units" ;;
        files) git ls-files | wc -l ;;
        lines) git ls-files -z '*.rs' | xargs -0 cat | grep -cvE '^[[:space:]]*(//|$)' ;;
        everybyte | ndbytes) grep -cE "^[a-z]+ $1 build\$" "$units" ;;
        *) grep -c "^$1 " "$units" ;;
    esac || true
}
failed=0
sed 's/#.*//' .ci/budget | while read -r name most; do
    [ -n "$name" ] || continue
    found=$(count "$name")
    echo "$name: $found of $most"
    if [ "$found" -gt "$most" ]; then
        echo ".ci/budget: $name may have $most, and has $found"
        exit 1
    fi
done || failed=1
exit "$failed"
