#!/usr/bin/env bash
# Runs `ndbytes check` in a workflow: annotations, the page of the step and, if SARIF names a file, SARIF. It never fails
# because of findings: the output `status` is the exit status of the check.
set -euo pipefail

# One argument a line; empty lines are none.
mapfile -t paths < <(grep -v '^$' <<<"${PATHS:-.}" || true)
mapfile -t arguments < <(grep -v '^$' <<<"${ARGUMENTS:-}" || true)

status=0
ndbytes check --format github "${arguments[@]}" -- "${paths[@]}" || status=$?
if [ -n "${SARIF:-}" ]; then
    # The same findings: the exit status is known.
    ndbytes check --format sarif "${arguments[@]}" -- "${paths[@]}" >"$SARIF" || true
fi
echo "status=$status" >>"${GITHUB_OUTPUT:-/dev/null}"
