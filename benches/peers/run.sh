#!/usr/bin/env bash
# Measures ndbytes side by side with NumPy, python-blosc2, pyarrow, zarr-python, the crates rawarray and blosc2-pure-rs and, where
# tests/peers/setup.sh has installed it, ML.NET, and prints the results as Markdown. Needs python3 (3.11 or later) with venv,
# Linux, and 9 GiB of disk.
# Options: --section NAME (arrays, tables, b2nd, writing, stores, small, commands, package), --rounds N, --only CASE (part of a name),
# --all-ways, --cpus A,B: all run on two CPUs, the first ones if not told otherwise; choose the ones that have the least to do.
# --write puts the results into docs/src/internals/speed.md, and draws its chart.
# PYTHON chooses another interpreter.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

venv=target/peers-bench/venv
data=target/bench-data
"${PYTHON:-python3}" -m venv "$venv"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --requirement benches/peers/requirements.txt
cargo build --quiet --release --locked -p ndbytes-cli --target-dir target/peers-bench
cargo build --quiet --release --locked --manifest-path benches/peers/Cargo.toml --target-dir target/peers-bench
"$venv/bin/maturin" build --quiet --release --locked --manifest-path crates/python/Cargo.toml --out target/peers-bench/wheels
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps target/peers-bench/wheels/*.whl
"$venv/bin/python" benches/peers/data.py "$data"
# Threads of NumPy's linear algebra would wait for work on cores that are measured.
export OPENBLAS_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1
release=target/peers-bench/release
"$venv/bin/python" benches/peers/run.py "$data" "$release/ndbytes-peers" "$release/ndbytes" "$@"
case " $* " in
    *" --write "*) UPDATE_CHART=1 cargo test --quiet --locked -p ndbytes-cli --test it -- docs::speed ;;
esac
