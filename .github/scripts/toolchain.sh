#!/usr/bin/env bash
# Makes a Rust toolchain the default one: `toolchain.sh VERSION [ARGUMENT OF RUSTUP…]`. `oldest` is the oldest version that
# Cargo.toml allows.
set -euo pipefail
version=$1
shift
if [ "$version" = oldest ]; then
    version=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
fi
rustup toolchain install "$version" --profile minimal --no-self-update "$@"
rustup default "$version"
