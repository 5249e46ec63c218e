#!/usr/bin/env bash
# Makes the pages of the public headers: Doxygen has no warning, each header has a page and a group in reading order, each
# function is in one with its arguments, and the manual is there.
# A planted comment that Doxygen warns of is a failure.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/house/say.sh
. tests/house/say.sh
make_work

if ! command -v doxygen >/dev/null; then
    skip "pages of the public headers" "there is no doxygen (make deps DOCS=1 installs it)"
    finish
    exit
fi
check "the pages are made without a warning" tools/dev/docs.sh "$work/docs" 0.0.0
pages=$work/docs/html
for header in include/jitreduce/*.h; do
    name=${header##*/}
    page=${name%.h}
    check "$name has a page" test -s "$pages/${page//_/__}_8h.html" # Doxygen writes a _ twice
done
missing() { # functions of the headers that no page names
    grep -rhoP '^JR_API [^(]*?\b\Kjr_\w+(?=\()' include | sort -u | while read -r name; do
        grep -q -- "$name" "$pages"/*_8h.html || echo "$name"
    done
}
same "every function is in a page" "" "$(missing | paste -sd' ')"

# Groups, in the order in which jitreduce.h includes the headers; mpi.h is the last one.
same "groups are in reading order" "$(sed -n 's,^#include "jitreduce/\([a-z_]*\)\.h".*,\1,p' include/jitreduce.h | paste -sd' ') mpi" \
    "$(grep -o 'group__part__[a-z_]*\.html' "$pages/modules.html" | sed 's/group__part__//; s/\.html//; s/__/_/g' | awk '!seen[$0]++' | paste -sd' ')"
same "the front page names them" "$(find include/jitreduce -name '*.h' | wc -l)" \
    "$(grep -o 'group__part__[a-z_]*\.html' "$pages/index.html" | sort -u | wc -l)"
check "a function has its arguments and parts" test "$(grep -cE 'class="paramname">|<b>(Owns|Threads|Errors)</b>' "$pages/group__part__plan.html")" -gt 50
for page in include/manual/*.md; do
    name=${page##*/}
    check "the manual's page $name is there" test -s "$pages/manual_${name%.md}.html"
done
check "a header's group leads to the manual" grep -q 'href="manual_scan.html"' "$pages/group__part__scan.html"

# A warning fails: of one header, so that little is made again.
mkdir -p "$work/tree/tools" "$work/tree/include/jitreduce" "$work/tree/include/manual" && cp -r tools/dev "$work/tree/tools"
cp include/jitreduce/status.h "$work/tree/include/jitreduce" && cp include/jitreduce.h "$work/tree/include" && cp include/manual/link.md "$work/tree/include/manual"
printf '/** \\nocommand */\nint jr_planted(void);\n' >>"$work/tree/include/jitreduce/status.h"
refuses() { ! "$work/tree/tools/dev/docs.sh" "$work/tree/docs" 0.0.0 >"$work/told" 2>&1 && grep -q 'status.h.*nocommand' "$work/told"; }
check "a warning is a failure" refuses
finish
