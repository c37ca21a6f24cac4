#!/usr/bin/env bash
# Installs what release/binary.sh has left, each package into an empty root of its own, uses it there, and removes it:
#
#   release/try.sh [TARGET]
#
# A root has nothing of this machine: no Rust, no C library, no shell, no network. Prints a table of the packages with their sizes.
# Needs root, or namespaces of users; rpm for the RPM. What cannot be tried is named, and fails.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "$(id -u)" -ne 0 ]; then exec unshare --map-root-user "$0" "$@"; fi
target=${1:-x86_64-unknown-linux-musl}
files=$PWD/target/release-files/$target
scratch=$(mktemp -d "$PWD/target/try-XXXXXX")
trap 'rm -rf "$scratch"' EXIT
(cd "$files" && cat ./*.sha256 | sha256sum --check --quiet)

# run ROOT PROGRAM ARGUMENT…: in the root, without a network.
run() {
    local root=$1
    shift
    env -i PATH="$PATH" unshare --net chroot "$root" "$@"
}

# use ROOT PROGRAM: what people do first. A wrong answer ends the script.
use() {
    local root=$1 program=$2 status=0
    mkdir -p "$root/data" "$root/tmp"
    cp samples/* "$root/data"
    run "$root" "$program" --version
    run "$root" "$program" check --quiet /data || status=$?
    if [ "$status" -ne 1 ]; then
        echo "check: the exit status is $status, and one of the samples is broken: 1" >&2
        exit 1
    fi
    run "$root" "$program" fix --quiet /data/interrupted-idx3-ubyte --out /data/clean
    run "$root" "$program" check --quiet /data/clean
    run "$root" "$program" convert --quiet /data/temperatures.b2nd /data/temperatures.npy
    run "$root" "$program" diff --quiet --values-only /data/temperatures.b2nd /data/temperatures.npy
    run "$root" "$program" convert --quiet /data/trees.idv /data/trees.parquet
    run "$root" "$program" show --quiet /data/temperatures.b2nd --out /data/picture.png
    rm -rf "$root/data" "$root/tmp"
}

# gone ROOT: nothing of the package is left.
gone() {
    local left
    left=$(find "$1" -type f -path '*ndbytes*' -not -path '*/var/lib/*')
    if [ -n "$left" ]; then
        echo "left after removal: $left" >&2
        exit 1
    fi
}

rows=()
row() { rows+=("| $1 | $(wc -c <"$2") | $3 | yes | $4 |"); }
installed() { find "$1" -type f -not -path '*/var/lib/*' -printf '%s\n' | awk '{ sum += $1 } END { print sum + 0 }'; }

echo "-- archive"
archive=$(find "$files" -name '*.tar.gz')
root=$scratch/archive
mkdir "$root"
tar -x -C "$root" -f "$archive"
folder=/$(basename "$archive" .tar.gz)
size=$(installed "$root")
use "$root" "$folder/ndbytes"
rm -rf "${root:?}$folder"
gone "$root"
row archive "$archive" "$size" yes

echo "-- container"
# Containerfile is FROM scratch, one file and an entry point: this is its root, and that its user.
root=$scratch/container
mkdir "$root"
tar -x -C "$root" --strip-components 1 -f "$archive" "${folder#/}/ndbytes"
size=$(installed "$root")
env -i PATH="$PATH" chroot --userspec=65532:65532 "$root" /ndbytes --version
use "$root" /ndbytes
row "root of the container" "$root/ndbytes" "$size" "not installed"

echo "-- deb"
deb=$(find "$files" -name '*.deb')
root=$scratch/deb
mkdir -p "$root"/var/lib/dpkg/{info,updates,triggers}
touch "$root/var/lib/dpkg/status"
dpkg --root="$root" --log=/dev/null --install "$deb"
size=$(installed "$root")
use "$root" /usr/bin/ndbytes
dpkg --root="$root" --log=/dev/null --purge ndbytes
gone "$root"
row deb "$deb" "$size" yes

echo "-- rpm"
rpm=$(find "$files" -name '*.rpm')
root=$scratch/rpm
mkdir -p "$root/var/lib/rpm"
manage=(rpm --root "$root" --dbpath /var/lib/rpm)
"${manage[@]}" --initdb
"${manage[@]}" --install --nosignature "$rpm"
size=$(installed "$root")
use "$root" /usr/bin/ndbytes
"${manage[@]}" --erase ndbytes
gone "$root"
row rpm "$rpm" "$size" yes

echo
echo "| package of $target | bytes | bytes installed | used without Rust | removed |"
echo "|---|---:|---:|---|---|"
printf '%s\n' "${rows[@]}"
