#!/usr/bin/env bash
# Installs what crates/cli/tests/it/peers needs into target/peers, in exactly the versions pinned beside this script.
# Needs python3 (3.11 or later) with venv, npm, unzip, and mcs (Debian: mono-mcs, mono-runtime). PYTHON chooses another
# interpreter.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
peers=$here/../../target/peers
mkdir -p "$peers/node"
peers=$(cd "$peers" && pwd)

"${PYTHON:-python3}" -m venv "$peers/venv"
"$peers/venv/bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$here/requirements.txt"

cp "$here/package.json" "$here/package-lock.json" "$peers/node/"
npm ci --prefix "$peers/node" --ignore-scripts --no-audit --no-fund --loglevel error

"$here/mlnet/setup.sh" "$peers/mlnet" "$peers/venv/bin/python"

echo "The peers are in $peers; run: cargo test --test it -- --ignored peers::"
