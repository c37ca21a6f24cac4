#!/usr/bin/env bash
# Reads remote files with ndbytes, zarr and python-blosc2, from a server on this machine that waits before each answer. Needs python3
# (3.11 or later) with venv, and 1 GiB of disk. Options: --delay SECONDS, --rounds N. --write puts the table into docs/src/remote.md.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

venv=target/remote-bench/venv
"${PYTHON:-python3}" -m venv "$venv"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --requirement benches/remote/requirements.txt
"$venv/bin/maturin" build --quiet --release --locked --manifest-path crates/python/Cargo.toml --out target/remote-bench/wheels
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps target/remote-bench/wheels/*.whl
options=()
for option in "$@"; do
    options+=("$option")
    [ "$option" = --write ] && options+=(docs/src/remote.md)
done
"$venv/bin/python" benches/remote/run.py target/remote-bench/data "${options[@]}"
