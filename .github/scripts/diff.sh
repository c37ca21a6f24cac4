#!/usr/bin/env bash
# Shows what has changed in binary array files between two commits: `diff.sh BASE HEAD OUT`.
#
# OUT/comment.md is the text for a pull request, and OUT/pages has a page for each file. The output `files` is the number
# of files that were compared. NDBYTES_FILES is a regular expression for their paths.
set -euo pipefail
base=$(git merge-base "$1" "$2")
head=$2
mkdir -p "$3/pages"
out=$(cd "$3" && pwd)
files=${NDBYTES_FILES:-'(\.(idx|ra|idv|b2nd|b2frame|npy)|[-.]idx[0-9]+-(ubyte|byte|short|int|float|double))(\.gz)?$|\.(b2z|mlnet|npz)$'}

# GitHub takes 65,536 characters for a comment.
most=60000
most_of_a_file=8000
most_of_the_table=10000

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The contract of the commit that is proposed says which differences are tolerated.
contract=(--no-config)
if git cat-file -e "$head:.ndbytes.toml" 2>/dev/null; then
    git show "$head:.ndbytes.toml" >"$work/.ndbytes.toml"
    contract=(--config .ndbytes.toml)
fi

# The path that a file is compared at: a sparse frame is a folder.
whole() {
    local folder commit
    folder=$(dirname -- "$1")
    for commit in "$base" "$head"; do
        if git cat-file -e "$commit:$folder/chunks.b2frame" 2>/dev/null; then
            printf '%s' "$folder"
            return
        fi
    done
    printf '%s' "$1"
}

# Writes what a commit has at a path, as a checkout would, and prints where it is. Where there is nothing, it prints
# /dev/null.
put() {
    local commit=$1 path=$2 side=$3 name
    if ! git cat-file -e "$commit:$path" 2>/dev/null; then
        printf '/dev/null'
        return
    fi
    while IFS= read -r -d '' name; do
        mkdir -p "$work/$side/$(dirname -- "$name")"
        git cat-file --filters "$commit:$name" >"$work/$side/$name"
    done < <(git ls-tree -r -z --full-tree --name-only "$commit" -- "$path")
    printf '%s' "$side/$path"
}

# The beginning of a text, without markup. A cell of a table ends at no `|`.
plain() { head -c "$1" | iconv -c -f utf-8 -t utf-8 | sed -e 's/&/\&amp;/g' -e 's/</\&lt;/g' -e 's/>/\&gt;/g' -e 's/|/\&#124;/g'; }

# The name of what was compared, as the tool writes it: control characters are escaped. Of one path in both commits, it is the path.
name() {
    local title old new
    title=$(head -n 1 "$work/text")
    title=${title%%  *}
    old=${title%% → *} new=${title##* → }
    if [ "${old#a/}" = "${new#b/}" ]; then printf '%s' "${new#b/}"; else printf '%s' "$title"; fi
}

# Adds a line to the table, if there is room: `row FILE` with the name and the verdict.
row() {
    printf '| <code>%s</code> | %s |\n' "$(name | plain 300)" "$(sed -n 2p "$work/text" | plain 200)" >"$work/row"
    if [ $(($(wc -c <"$work/differing") + $(wc -c <"$work/same") + $(wc -c <"$work/row"))) -le "$most_of_the_table" ]; then
        cat "$work/row" >>"$work/$1"
    else
        rows_left_out=$((rows_left_out + 1))
    fi
}

compare() {
    local a b status=0 open=""
    a=$(put "$base" "$1" a)
    b=$(put "$head" "$2" b)
    count=$((count + 1))
    local how=("${contract[@]}" "--known-as=$2")
    (cd "$work" && ndbytes diff "${how[@]}" -- "$a" "$b") >"$work/text" 2>&1 || status=$?
    # The first file that differs is unfolded.
    [ "$changed" -gt 0 ] || [ "$status" -eq 0 ] || open=" open"
    if [ "$status" -eq 0 ]; then
        row same
    else
        changed=$((changed + 1))
        row differing
    fi
    (cd "$work" && ndbytes diff "${how[@]}" --html "$out/pages/$count.html" -- "$a" "$b") >/dev/null || [ $? -eq 1 ] ||
        echo "there is no page of file $count" >&2
    {
        # The first line says what is compared, and the second one is the verdict. Control characters are escaped in them.
        printf '<details%s><summary><code>%s</code>: %s</summary>\n\n<pre>\n' "$open" "$(head -n 1 "$work/text" | plain 400)" \
            "$(sed -n 2p "$work/text" | plain 400)"
        tail -n +3 "$work/text" | plain "$most_of_a_file"
        printf '\n</pre>\n</details>\n\n'
    } >"$work/part"
    if [ $(($(wc -c <"$work/comment") + $(wc -c <"$work/part"))) -le "$most" ]; then
        cat "$work/part" >>"$work/comment"
    else
        left_out=$((left_out + 1))
    fi
    rm -rf "$work/a" "$work/b"
}

: >"$work/comment"
: >"$work/differing"
: >"$work/same"
count=0 changed=0 left_out=0 rows_left_out=0
declare -A seen=()
while IFS= read -r -d '' status && IFS= read -r -d '' old; do
    new=$old
    # Only of a renamed file, both names are given.
    case $status in R*) IFS= read -r -d '' new ;; esac
    old=$(whole "$old")
    new=$(whole "$new")
    if [[ $new =~ $files ]] && [ -z "${seen["$new"]:-}" ]; then
        seen["$new"]=1
        compare "$old" "$new"
    fi
done < <(git diff -z --name-status --find-renames --diff-filter=AMRD "$base" "$head")

{
    printf '<!-- ndbytes -->\n### Binary array files\n\n'
    if [ "$count" -eq 0 ]; then
        printf 'No binary array file has changed.\n'
    else
        printf 'Compared: %s. Different: %s.\n\n' "$count" "$changed"
        printf '| file | verdict |\n|---|---|\n'
        cat "$work/differing" "$work/same"
        [ "$rows_left_out" -eq 0 ] || printf '| … %s more | |\n' "$rows_left_out"
        printf '\n'
    fi
    cat "$work/comment"
    [ "$left_out" -eq 0 ] || printf 'Not shown here: %s. The pages of this run have them.\n' "$left_out"
} >"$out/comment.md"
echo "files=$count" >>"${GITHUB_OUTPUT:-/dev/null}"
