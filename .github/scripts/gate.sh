#!/usr/bin/env bash
# Runs steps of the gate on a machine of GitHub: `gate.sh STEP…`. GATE_BASE is the commit that the change starts from.
set -euo pipefail
here=$(dirname "$0")
exec "$here/with-sudo.sh" "$here/../../.ci/run" "$@"
