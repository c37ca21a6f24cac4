#!/bin/sh
# The coverage of the seeds and of the campaign's corpus: fuzz/coverage.sh [TARGET…]
#
# Prints lines and regions of each folder of schemas, everybyte and the library, and the largest regions that no input
# enters. The whole report is left in fuzz/coverage/report.txt. Takes llvm-profdata and llvm-cov: those of the toolchain
# (`rustup component add llvm-tools`), or those of the system if they are as new as the compiler.
set -eu

cd "$(dirname "$0")/.."
. fuzz/common.sh
names=${*:-$(targets)}
out=fuzz/coverage
rm -rf "$out"
mkdir -p "$out"

# shellcheck disable=SC2086
tools=$(rustc $toolchain --print sysroot)/lib/rustlib/$host/bin
tool() {
    if [ -x "$tools/$1" ]; then echo "$tools/$1"; return; fi
    for found in $(command -v "$1") $(ls /usr/lib/llvm-*/bin/"$1" /usr/bin/"$1"-[0-9]* 2>/dev/null | sort -rV); do
        echo "$found"
        return
    done
    echo "missing: $1 (rustup component add llvm-tools)" >&2
    return 1
}
profdata=$(tool llvm-profdata)
cov=$(tool llvm-cov)
command -v python3 >/dev/null || { echo "missing: python3" >&2; exit 1; }

# Without sanitizer and without libFuzzer's own counters: only what is counted here.
target_dir=fuzz/target/coverage
for name in $names; do
    look_up "$name"
    RUSTFLAGS="-Cinstrument-coverage -Cdebug-assertions --cfg fuzzing" CFLAGS= \
        cargo ${toolchain:+"$toolchain"} build --locked --release --manifest-path fuzz/Cargo.toml --target-dir "$target_dir" --bin "$name"
    inputs="$seeds"
    if [ -d "fuzz/corpus/$name" ]; then inputs="$inputs fuzz/corpus/$name"; fi
    mkdir -p "$out/empty"
    # shellcheck disable=SC2086
    NDBYTES_FUZZ_EVERYTHING=1 LLVM_PROFILE_FILE="$out/$name.profraw" \
        "$target_dir/release/$name" -runs=0 -max_len=$max_len "$out/empty" $inputs >"$out/$name.log" 2>&1 ||
        echo "$name ended early: $out/$name.log" >&2
    objects="${objects:-} --object $target_dir/release/$name"
done
"$profdata" merge --sparse "$out"/*.profraw --output "$out/all.profdata"
# shellcheck disable=SC2086
"$cov" export $objects --instr-profile "$out/all.profdata" --ignore-filename-regex '/(registry|rustc|fuzz)/' >"$out/all.json"
python3 fuzz/coverage.py "$out/all.json" | tee "$out/report.txt"
