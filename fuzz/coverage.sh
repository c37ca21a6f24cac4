#!/bin/sh
# The coverage of the seeds and of the campaign's corpus: fuzz/coverage.sh [TARGET…]
#
# Prints regions of each part and folder of schemas, everybyte and the library, and the largest regions that no input
# enters. The report is left in fuzz/coverage/report.txt, every region without an input in fuzz/coverage/dark.txt.
# FUZZ_CORPUS names another folder with the inputs of campaigns; it is only read.
#
# A binary without sanitizer and without libFuzzer, fuzz/examples/replay.rs, replays the inputs of all targets. Takes
# python3, and llvm-profdata and llvm-cov as new as the compiler: `rustup component add llvm-tools`.
set -eu

cd "$(dirname "$0")/.."
. fuzz/common.sh
names=${*:-$(targets)}
corpus=${FUZZ_CORPUS:-fuzz/corpus}
out=fuzz/coverage
rm -rf "$out"
mkdir -p "$out"

# Coverage needs no nightly toolchain: the one of the project is taken.
llvm=$(rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
tools=$(rustc --print sysroot)/lib/rustlib/$host/bin
# The toolchain's own, or the system's if it is of the same version.
tool() {
    for found in "$tools/$1" "/usr/lib/llvm-$llvm/bin/$1" "$(command -v "$1")"; do
        if [ -x "$found" ] && "$found" --version | grep -q "LLVM version $llvm\."; then echo "$found"; return; fi
    done
    echo "missing: $1 of LLVM $llvm (rustup component add llvm-tools)" >&2
    return 1
}
profdata=$(tool llvm-profdata)
cov=$(tool llvm-cov)
command -v python3 >/dev/null || { echo "missing: python3" >&2; exit 1; }

# With --target, the flags are not those of build scripts and macros, which would leave their counts in the sources.
env -u CFLAGS RUSTFLAGS="-Cinstrument-coverage --cfg fuzzing" cargo build --locked --manifest-path fuzz/Cargo.toml \
    --profile coverage --target "$host" --target-dir fuzz/target/coverage --example replay
replay=fuzz/target/coverage/$host/coverage/examples/replay
crashed=
for name in $names; do
    look_up "$name"
    if [ -d "$corpus/$name" ]; then seeds="$seeds $corpus/$name"; fi
    # shellcheck disable=SC2086
    NDBYTES_FUZZ_EVERYTHING=1 LLVM_PROFILE_FILE="$out/$name.profraw" "$replay" "$name" $seeds >"$out/$name.log" 2>&1 ||
        crashed="$crashed $name"
done
"$profdata" merge --sparse "$out"/*.profraw --output "$out/all.profdata"
"$cov" export --object "$replay" --instr-profile "$out/all.profdata" --skip-expansions \
    --ignore-filename-regex '/(registry|rustc|rustlib|fuzz)/' >"$out/all.json"
python3 fuzz/coverage.py "$out/all.json" "$out/dark.txt" | tee "$out/report.txt"
# The numbers hold all the same: what a target covers up to a crash is counted.
for name in $crashed; do
    echo "$name crashed: fuzz/artifacts/$name, $out/$name.log" >&2
done
[ -z "$crashed" ]
