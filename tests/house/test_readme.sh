#!/usr/bin/env bash
# Holds README.md against the code: settings, operators, types, algorithms, the map of src, paths and make targets.
# shellcheck disable=SC2016,SC2013  # backquotes are README's; words are wanted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
. tests/house/say.sh

# The short names of an X-macro in types.h, in backquotes.
names() {
    sed -n "/define $1(/,/[^\\\\]\$/p" include/jitreduce/types.h | grep -o '"[a-z0-9_]*"' | tr -d '"' | sed 's/.*/`&`/' | tr '\n' ' '
}
row() { sed -n "s/^| $1 | \(.*\) |\$/\1 /p" README.md; }

same "README lists every setting with the text of settings.h" \
    "$(sed -n 's/^ *XX([A-Z_]*, "\([^"]*\)", *"\(.*\)").*/| `\1` | \2 |/p' src/base/settings.h)" \
    "$(grep -E '^\| `[A-Z_]+` \|' README.md)"
same "README lists the operators" "$(names JR_OPS)" "$(row operators)"
same "README lists the element types" "$(names JR_TYPES)" "$(row 'element types')"
same "README lists the algorithms" "$(names JR_ALGORITHMS)" "$(row algorithms)"
same "README lists the algorithms of scans" "\`single_pass\` \`one_block\` \`bulk_copy\` $(names JR_SCAN_ALGORITHMS)" "$(row 'of scans')"
same "README maps every folder of src" "$(cd src && dirname -- */*.c */*/*.c | cut -d/ -f1 | sort -u | sed 's|$|/|' | LC_ALL=C sort)" \
    "$(sed -n 's/^| `\([a-z]*\/\)` |.*/\1/p' README.md | LC_ALL=C sort)"
for target in $(grep -oE '(^    |`)make [a-z-]+' README.md | awk '{print $2}' | sort -u); do
    check "make $target of README is a target" grep -qE "^([a-z-]+ )*$target( [a-z-]+)*:" Makefile tools/*/*.mk
done
for path in $(grep -oE '`(src|tools|tests|kernels_src|include)/[a-z_/.]*`' README.md | tr -d '`' | sort -u); do
    check "$path of README is there" test -e "$path"
done

# The session of README, and what its commands print now; times are replaced by N.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/build" && ln -s "${JR_TEST_BUILD:?}/jitreduce" "$work/build/jitreduce"
gcc -std=c11 -D_GNU_SOURCE -O1 tools/dev/demo_data.c -o "$work/demo_data" -lm
mkdir "$work/build/demo" && "$work/demo_data" >"$work/build/demo/temperature.npy"
without_times() {
    sed -E -e "s/PTX line [0-9]+( '[^']*')?/PTX line N/g" -e 's/[0-9.]+ ms/N ms/; s/\([0-9.]+ GB\/s\)/(N GB\/s)/' \
        -e 's/^([a-z_]+) +([^ ]+) +([0-9]+) +([0-9]+) +[0-9.]+ +[0-9.]+ +-.*/\1 \2 \3 \4/; s/^algorithm +result.*/algorithm ../'
}
ln -s "$PWD/tests" "$work/tests"
session() { awk '/^```console$/ {on = 1; next} /^```$/ {on = 0} on' README.md; }
run_session() {
    session | sed -n 's/^\$ //p' | while read -r command; do
        printf '$ %s\n' "$command"
        (cd "$work" && bash -c "$command" 2>&1 </dev/null)
    done
}
same "README's session is what happens" "$(session | without_times)" "$(run_session | without_times)"
finish
