#!/bin/sh
# The targets that changed paths touch, a line each, with a path that does: fuzz/touched.sh [BASE]
#
# The paths are those that differ between BASE and the working tree. BASE is, if nothing else is said, the commit where this
# branch left its upstream; if that is the last commit, the one before it. Without a commit to compare with, every target counts
# as touched. Standard error says what was compared. `fuzz/touched.sh -` takes the paths from standard input.
#
# fuzz/paths.txt says which sources touch which targets; the seeds and the dictionary of a target, by fuzz/targets.txt, touch it.
set -eu

cd "$(dirname "$0")/.."
commit() { git rev-parse --quiet --verify --short "$1^{commit}" 2>/dev/null; }

changed() {
    git diff --name-only --no-renames "$1" --
    git ls-files --others --exclude-standard
}

touched() {
    awk '
        function is_below(path, folder) { return index(path, folder) == 1 && substr(path, length(folder) + 1, 1) ~ /^[\/.]?$/ }
        # A pattern of the shell as a regular expression.
        function expression(pattern) {
            sub(/\/$/, "", pattern)
            gsub(/\./, "[.]", pattern)
            gsub(/\*/, "[^/]*", pattern)
            return "^" pattern
        }
        function touch(name, path) { if (!(name in by)) by[name] = path }
        # Touches the targets of a list of names, patterns of names and groups.
        function touch_all(list, path, words, count, i, n) {
            count = split(list, words, " ")
            for (i = 1; i <= count; i++) {
                if (words[i] in groups) touch_all(groups[words[i]], path)
                else for (n = 1; n <= names; n++) if (name[n] ~ expression(words[i]) "$") touch(name[n], path)
            }
        }
        FILENAME == ARGV[1] {
            sub(/#.*/, "")
            if (!NF) next
            name[++names] = $1; dictionary[names] = $2
            for (i = 3; i <= NF; i++) seeds[names] = seeds[names] " " $i
            next
        }
        FILENAME == ARGV[2] {
            sub(/#.*/, "")
            if (split($0, sides, /[:=]/) < 2) next
            if (/=/) { gsub(/ /, "", sides[1]); groups[sides[1]] = sides[2]; next }
            count = split(sides[1], words, " ")
            for (i = 1; i <= count; i++) { place[++places] = words[i]; list[places] = sides[2] }
            next
        }
        {
            for (p = 1; p <= places; p++) if (is_below($0, place[p])) { touch_all(list[p], $0); break }
            for (n = 1; n <= names; n++) {
                if ($0 == "fuzz/dictionaries/" dictionary[n] ".dict") touch(name[n], $0)
                count = split(seeds[n], words, " ")
                for (i = 1; i <= count; i++) if ($0 ~ expression(words[i]) "(/|[.]recipe$|$)") touch(name[n], $0)
            }
        }
        END { for (n = 1; n <= names; n++) if (name[n] in by) print name[n], "(" by[name[n]] ")" }
    ' fuzz/targets.txt fuzz/paths.txt -
}

base=${1:-} why=''
if [ "$base" = - ]; then
    touched
    exit
elif [ -n "$base" ]; then
    commit "$base" >/dev/null || { echo "there is no commit $base" >&2; exit 2; }
    base=$(git merge-base "$base" HEAD || echo "$base")
    why="where this branch left $1"
elif upstream=$(git rev-parse --abbrev-ref '@{upstream}' 2>/dev/null) && base=$(git merge-base "$upstream" HEAD); then
    why="where this branch left $upstream"
    if [ -z "$(changed "$base")" ]; then
        base=$(commit HEAD^) || base=''
        why="the commit before the last one, which is upstream already"
    fi
fi
if [ -n "$base" ]; then
    echo "compared with $(commit "$base"), $why" >&2
    changed "$base" | touched
else
    echo "there is no commit to compare with, so every target counts as touched" >&2
    sed 's/#.*//' fuzz/targets.txt | awk 'NF { print $1 }'
fi
