#!/usr/bin/env bash
# Builds what few need, from the last commit: the SQL program, and the forge as a C library.
#
#   release/extras.sh TARGET [--try]
#
# TARGET is a platform as Rust names it, other than Windows and musl: the library is a shared one too. Leaves two archives in
# target/release-files/TARGET, each with its sum. With --try, both are unpacked into an empty folder and used there: the program without
# an environment, the library by a C program that links either form of it. That needs a C compiler.
set -euo pipefail
cd "$(dirname "$0")/.."
. release/common.sh

target=$1
files=$PWD/target/release-files/$target
mkdir -p "$files"
scratch=$(mktemp -d "$PWD/target/release-XXXXXX")
trap 'rm -rf "$scratch"' EXIT

# pack NAME: the folder of that name, with the licences.
pack() {
    cp CHANGELOG.md LICENSE-APACHE LICENSE-MIT "$scratch/$1"
    python3 release/pack.py "$scratch/$1" "$1" "$files/$1.tar.gz"
}

echo "-- SQL"
sql=ndbytes-sql-$(version)-$target
mkdir "$scratch/$sql"
built "$scratch/source" "$target" --release --config profile.release.strip=true --manifest-path crates/sql/Cargo.toml --bin ndbytes-engine
mv "$scratch/source/target/$target/release/ndbytes-engine" "$scratch/$sql"
cp crates/sql/README.md "$scratch/$sql"
rm -rf "$scratch/source"
pack "$sql"

echo "-- C library"
forge=ndbytes-forge-$(version)-$target
mkdir -p "$scratch/$forge"/{lib,include}
built "$scratch/source" "$target" --profile dist -p ndbytes-forge-ffi
mv "$scratch/source/target/$target/dist"/libndbytes_forge.{a,so,dylib} "$scratch/$forge/lib" 2>/dev/null || true
cp crates/forge-ffi/ndbytes_forge.h "$scratch/$forge/include"
rm -rf "$scratch/source"
if [ "$(find "$scratch/$forge/lib" -type f | wc -l)" -ne 2 ]; then
    echo "The library has two forms, and lib has: $(ls "$scratch/$forge/lib")" >&2
    exit 1
fi
pack "$forge"
python3 release/sums.py "$files"
if [ "${2:-}" != --try ]; then exit; fi

echo "-- tried"
empty=$scratch/empty
mkdir "$empty"
tar -x -C "$empty" -f "$files/$sql.tar.gz"
tar -x -C "$empty" -f "$files/$forge.tar.gz"
cp samples/trees.idv crates/forge-ffi/tests/abi.c "$empty"
cd "$empty"
env -i "$sql/ndbytes-engine" sql "SELECT count(*) AS trees FROM idv('trees.idv')"
lib=$forge/lib
shared=$(find "$lib" -name '*.so' -o -name '*.dylib')
cc -I "$forge/include" abi.c "$shared" -Wl,-rpath,"$PWD/$lib" -o shared
cc -I "$forge/include" abi.c "$lib/libndbytes_forge.a" -lm -lpthread -ldl -o static
for program in shared static; do
    env -i "./$program" >/dev/null
    echo "the $program library works"
done
