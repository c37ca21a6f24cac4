#!/usr/bin/env bash
# Measures how time and memory of the tool grow with what it is given: bytes, chunks, columns, members, files.
# Needs what benches/peers/run.sh needs and installs (its environment makes the files), and 20 GiB of disk at a time.
# --only SERIES: one of them. --write puts the results into docs/src/internals/growth.md, and draws its plots.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

python=target/peers-bench/venv/bin/python
[ -x "$python" ] || { echo "benches/peers/run.sh makes $python" >&2; exit 2; }
cargo build --quiet --release --locked -p ndbytes-cli
PYTHONDONTWRITEBYTECODE=1 OPENBLAS_NUM_THREADS=1 "$python" benches/growth/grow.py target/release/ndbytes target/growth "$@"
case " $* " in
    *" --write "*) UPDATE_CHART=1 cargo test --quiet --locked -p ndbytes-cli --test it -- docs::growth ;;
esac
