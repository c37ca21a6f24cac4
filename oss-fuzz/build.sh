#!/bin/bash -eu
# Builds the fuzz targets into $OUT, each with its seeds, its dictionary and its options.
#
# The project is in $SRC/ndbytes. The image's RUSTFLAGS and CFLAGS reach cargo and the C of zstd through the environment.
# NDBYTES_TARGETS, a list of names, restricts the targets: tests build one of them. Without it, all of fuzz/targets.txt
# are built.
cd "$SRC/ndbytes"

# GCC turns a constant table of a function into a global one, but still takes it for gone when the function returns.
if ! "${CC:-cc}" --version | grep -q clang; then
    export CFLAGS="-fno-sanitize-address-use-after-scope ${CFLAGS:-}"
fi
host=$(rustc -vV | sed -n 's/^host: //p')
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$SRC/ndbytes/fuzz/target}"

sed 's/#.*//' fuzz/targets.txt | while read -r name dictionary seeds; do
    if [ -z "$name" ]; then continue; fi
    if [ -n "${NDBYTES_TARGETS:-}" ] && [[ " $NDBYTES_TARGETS " != *" $name "* ]]; then continue; fi
    cargo fuzz build -O --debug-assertions --target "$host" "$name" </dev/null
    cp "$CARGO_TARGET_DIR/$host/release/$name" "$OUT/"

    # Seeds of one name are in several folders: a number goes before each.
    folder=$(mktemp -d)
    number=0
    for seed in $seeds; do
        while read -r file; do
            number=$((number + 1))
            cp "$file" "$folder/$number-$(basename "$file")"
        done < <(find "$seed" -type f ! -name '*.recipe' ! -name '*.md' | sort)
    done
    # A target without seeds of its own begins with an empty input.
    if [ "$number" -eq 0 ]; then : >"$folder/empty"; fi
    rm -f "$OUT/${name}_seed_corpus.zip"
    (cd "$folder" && zip -q -r "$OUT/${name}_seed_corpus.zip" .)
    rm -rf "$folder"

    if [ "$dictionary" != - ]; then cp "fuzz/dictionaries/$dictionary.dict" "$OUT/$name.dict"; fi
    printf '[libfuzzer]\nmax_len = 8192\ntimeout = 10\nrss_limit_mb = 1024\nmalloc_limit_mb = 64\n' >"$OUT/$name.options"
done
