#!/usr/bin/env bash
# Runs libpng under AFL++, alone and with the forge that `png.ksy` guides, by pairs side by side. Prints the table of results.md.
#
#     benches/afl/run.sh LIBPNG GALLERY [--seconds N] [--runs N]
#
# LIBPNG is libpng's source, as `apt-get source libpng1.6` unpacks it. GALLERY is a checkout of kaitai_struct_formats. Takes AFL++
# (Debian's `afl++`), clang, zlib1g-dev and python3. Only libpng gets AFL++'s counters, zlib does not.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
libpng=$(cd "$1" && pwd)
gallery=$(cd "$2" && pwd)
shift 2
target=${CARGO_TARGET_DIR:-$here/../../target}
mkdir -p "$target/afl-bench"
work=$(cd "$target/afl-bench" && pwd)
cargo build --quiet --release --locked --manifest-path "$here/../../Cargo.toml" -p ndbytes-forge-ffi

# The sources that libpng's own makefiles name, without what is for certain processors.
cp "$libpng/scripts/pnglibconf.h.prebuilt" "$work/pnglibconf.h"
sources=()
for part in "" error get mem pread read rio rtran rutil set trans wio write wtran wutil; do
    sources+=("$libpng/png$part.c")
done
AFL_QUIET=1 afl-clang-fast -O2 -w -DPNG_INTEL_SSE_OPT=0 -I"$work" -I"$libpng" "$here/reader.c" "${sources[@]}" -lz -lm -o "$work/reader"

rm -rf "$work/gallery" "$work/seeds"
cp -r "$gallery" "$work/gallery"
cp "$here/../mutants/png.overlay.yaml" "$work/gallery/image"
python3 "$here/seeds.py" "$work/seeds" "$work/png.dict"
KSY_PATH=$work/gallery exec python3 "$here/run.py" "$work/reader" "$target/release/libndbytes_forge.so" "$work/gallery/image/png.ksy" "$work" "$@"
