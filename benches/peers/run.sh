#!/usr/bin/env bash
# Measures ndbytes side by side with NumPy, python-blosc2, the crate rawarray and, where tests/peers/setup.sh has
# installed it, ML.NET, and prints the results as Markdown. Needs python3 (3.11 or later) with venv, and 5 GiB of disk.
# Options: --rounds N, --only CASE (part of a name, such as b2nd/f8-zstd/ or b2nd/other), --all-ways, --cpus A,B: all
# run on two CPUs, the first ones if not told otherwise; choose the ones that have the least to do.
# PYTHON chooses another interpreter.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

venv=target/peers-bench/venv
data=target/bench-data
"${PYTHON:-python3}" -m venv "$venv"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --requirement benches/peers/requirements.txt
cargo bench --quiet -p ndbytes-cli --bench peers --no-run
"$venv/bin/python" benches/peers/data.py "$data"
# Threads of NumPy's linear algebra would wait for work on cores that are measured.
export OPENBLAS_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1
exec "$venv/bin/python" benches/peers/run.py "$data" "$@"
