#!/bin/bash -eu
# Builds the fuzzer into $OUT, once for each target, with the target's seeds, its dictionary and its options.
#
# The project is in $SRC/ndbytes. The image's RUSTFLAGS and CFLAGS reach cargo and the C of zstd through the environment.
# NDBYTES_TARGETS, a list of names, restricts the targets: tests ask for some. Without it, all of fuzz/targets.txt are there.
cd "$SRC/ndbytes"

export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$SRC/ndbytes/fuzz/target}"
. fuzz/fuzzer.sh
tests/assemble.sh
build_fuzzer

first=
# What is in the repository as recipes is below target, as files.
sed 's/#.*//; s# tests/corpus# target/corpus#g; s# fuzz/seeds# target/seeds#g' fuzz/targets.txt | while read -r name dictionary seeds; do
    if [ -z "$name" ]; then continue; fi
    if [ -n "${NDBYTES_TARGETS:-}" ] && [[ " $NDBYTES_TARGETS " != *" $name "* ]]; then continue; fi
    # The fuzzer goes by the name of its file. Further names take no room where there are hard links.
    rm -f "$OUT/$name"
    if [ -z "$first" ] || ! ln "$OUT/$first" "$OUT/$name"; then cp "$fuzzer" "$OUT/$name"; fi
    first=$name

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
