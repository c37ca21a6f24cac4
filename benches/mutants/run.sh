#!/usr/bin/env bash
# Makes mutants of five formats with all numbers repaired, and has parsers of their own judge them. Prints how many are whole, the
# reasons why others are not, and the processor seconds, those of writing the files included.
#
#     benches/mutants/run.sh GALLERY [COUNT]
#
# GALLERY is a checkout of kaitai_struct_formats. The overlays beside this script add what its specifications cannot say.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
gallery=$(cd "$1" && pwd)
count=${2:-1000}
target=${CARGO_TARGET_DIR:-$here/../../target}
work=$target/mutants-bench
cargo build --quiet --release --manifest-path "$here/../../Cargo.toml" -p everybyte-ksy
rm -rf "$work"
mkdir -p "$work"
cp -r "$gallery" "$work/gallery"
# That of an imported specification stands beside it.
cp "$here/ipv4_packet.overlay.yaml" "$work/gallery/network"
python3 "$here/files.py" "$work"
cp "${ELF:-/usr/bin/[}" "$work/a.elf"
TIMEFORMAT='  %U + %S s'
for spec in image/png media/wav network/pcap archive/zip executable/elf; do
    format=$(basename "$spec")
    overlay=()
    [ ! -f "$here/$format.overlay.yaml" ] || overlay=(--overlay "$here/$format.overlay.yaml")
    mkdir "$work/$format"
    time "$target/release/everybyte" forge --spec "$work/gallery/$spec.ksy" --spec-path "$work/gallery" "${overlay[@]}" \
        --count "$count" --repair everything "$work/a.$format" "$work/$format" >/dev/null
    python3 "$here/judge.py" "$format" "$work/$format"
done
