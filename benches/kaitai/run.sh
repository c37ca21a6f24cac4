#!/usr/bin/env bash
# Times everybyte beside the parsers that kaitai-struct-compiler makes for JavaScript, by turns: processor time of a pass that
# reads a file whole and forces all instances.
#
#     benches/kaitai/run.sh GALLERY [ROUNDS]
#
# GALLERY is a checkout of kaitai_struct_formats. It needs node, npm and python3, an ELF file and a font of the system.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
gallery=$(cd "$1" && pwd)
rounds=${2:-7}
target=${CARGO_TARGET_DIR:-$here/../../target}
work=$target/kaitai-bench
mkdir -p "$work"
cargo build --quiet --release --manifest-path "$here/../../Cargo.toml" -p everybyte-ksy --example speed
[ -d "$work/node_modules" ] || (cd "$work" && npm install --silent kaitai-struct-compiler@0.11.0 kaitai-struct@0.11.0 js-yaml@4 >/dev/null)
export NODE_PATH=$work/node_modules
python3 "$here/files.py" "$work"
cp "${ELF:-/usr/lib/llvm-14/lib/LLVMPolly.so}" "$work/file.elf"
cp "${FONT:-/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf}" "$work/file.ttf"

while read -r spec file passes; do
    name=$(node "$here/generated.js" compile "$gallery/$spec.ksy" "$gallery" "$work/$(basename "$spec")")
    for _ in $(seq "$rounds"); do
        echo "$spec $(stat -c %s "$work/$file")" \
            "$("$target/release/examples/speed" "$gallery/$spec.ksy" "$gallery" "$work/$file" "$passes")" \
            "$(node "$here/generated.js" read "$work/$(basename "$spec")" "$name" "$work/$file" "$passes")"
    done
done <<'END' | tee "$work/rounds.txt" | python3 "$here/table.py"
executable/elf file.elf 20
network/pcap packets.pcap 10
font/ttf file.ttf 40
database/gettext_mo messages.mo 10
END
