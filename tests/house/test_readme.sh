#!/usr/bin/env bash
# Holds README.md and the manual against the code: length, settings, operators, types, algorithms, paths, make targets, the map of
# the documentation. What they show runs in test_manual.sh.
# shellcheck disable=SC2016,SC2013  # backquotes are README's; words are wanted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
. tests/house/say.sh

# The short names of an X-macro in types.h, in backquotes.
names() {
    sed -n "/define $1(/,/[^\\\\]\$/p" include/jitreduce/types.h | grep -o '"[a-z0-9_]*"' | tr -d '"' | sed 's/.*/`&`/' | tr '\n' ' '
}
row() { sed -n "s/^| $1 | \(.*\) |\$/\1 /p" include/manual/operators.md; }

same "settings.md lists every setting with the text of settings.h" \
    "$(sed -n 's/^ *XX([A-Z_]*, "\([^"]*\)", *"\(.*\)").*/| `\1` | \2 |/p' src/base/settings.h)" \
    "$(grep -E '^\| `[A-Z_]+` \|' include/manual/settings.md)"
same "operators.md lists the operators" "$(names JR_OPS)" "$(row operators)"
same "operators.md lists the element types" "$(names JR_TYPES)" "$(row 'element types')"
same "operators.md lists the algorithms" "$(names JR_ALGORITHMS)" "$(row algorithms)"
same "operators.md lists the algorithms of scans" "\`single_pass\` \`one_block\` \`bulk_copy\` $(names JR_SCAN_ALGORITHMS)" "$(row 'of scans')"
check "README has 250 lines at most" test "$(wc -l <README.md)" -le 250
for page in include/manual/*.md; do
    check "README leads to ${page##*/}" grep -q "](include/manual/${page##*/})" README.md
done
for link in $(grep -oE '\]\([^)#]+\)' README.md | sed 's/^](//; s/)$//' | grep -v '^http' | sort -u); do
    check "README links to $link" test -e "$link"
done
for target in $(grep -oE '(^    |`)make [a-z-]+' README.md | awk '{print $2}' | sort -u); do
    check "make $target of README is a target" grep -qE "^([a-z-]+ )*$target( [a-z-]+)*:" Makefile tools/*/*.mk
done
for path in $(grep -oE '`(src|tools|tests|kernels_src|include)/[a-z_/.]*`' README.md | tr -d '`' | sort -u); do
    check "$path of README is there" test -e "$path"
done

finish
