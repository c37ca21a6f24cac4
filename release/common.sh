# What releases share: they are built from the last commit. To be sourced, in the root of the checkout.
# shellcheck shell=bash
if [ -n "$(git status --porcelain)" ]; then
    echo "There are changes that are not committed: a release is built from a commit." >&2
    exit 1
fi
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH CARGO_INCREMENTAL=0
