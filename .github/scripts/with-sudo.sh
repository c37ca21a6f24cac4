#!/usr/bin/env bash
# Runs a command with an apt-get that takes sudo: `with-sudo.sh COMMAND [ARGUMENT…]`. The scripts of .ci install as root.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/apt-get" <<'SH'
#!/bin/sh
exec sudo DEBIAN_FRONTEND=noninteractive /usr/bin/apt-get "$@"
SH
chmod +x "$folder/apt-get"
PATH=$folder:$PATH "$@"
