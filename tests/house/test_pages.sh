#!/usr/bin/env bash
# Holds the pages for newcomers against the tree: every file, folder and link that a README or CHANGES names is there,
# and so are the functions, constants and make targets.
# shellcheck disable=SC2016,SC2013  # backquotes are the pages'; words are wanted
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/house/say.sh
. tests/house/say.sh

# A path is written from the root, from src or from the page's folder; a bare name is that of a file somewhere below it.
exists() {
    local folder
    folder=$(dirname "$1")
    case $2 in
    */*) [ -e "$2" ] || [ -e "src/$2" ] || [ -e "$folder/$2" ] ;;
    *) find "$folder" src/loader -name "$2" | grep -q . ;;
    esac
}

pages=$(find include src kernels_src tests tools -name '*.md' -not -path 'tests/fuzz/corpus/*' | LC_ALL=C sort)
for page in src/README.md kernels_src/README.md tests/README.md tools/README.md include/CHANGES.md; do
    check "$page is there" test -e "$page"
done
for page in $pages; do
    for path in $(grep -oE '`[A-Za-z0-9_./-]+\.(c|h|cu|cuh|sh|case|md|py|awk|txt)`' "$page" | tr -d '`' | sort -u); do
        [[ $path == *NAME* || $path == *SUBJECT* || $path == *my_* ]] || check "$page names $path" exists "$page" "$path"
    done
    for path in $(grep -oE '`(src|tests|tools|kernels_src|include)/[A-Za-z0-9_/-]+`' "$page" | tr -d '`' | sort -u); do
        check "$page names $path" test -e "$path"
    done
    for link in $(grep -oE '\]\([^)#]+\)' "$page" | sed 's/^](//; s/)$//' | grep -v '^http' | sort -u); do
        check "$page links to $link" test -e "$(dirname "$page")/$link"
    done
    for word in $(grep -oE '`(jr|jrs|cli)_[a-z0-9_]+`|`JR_[A-Z0-9_]+`|`JRSIM_[A-Z]+`' "$page" | tr -d '`' | sort -u); do
        check "$page names $word" grep -rqw --include='*.[ch]' --include='*.cuh' "$word" include src kernels_src tools tests
    done
    for target in $(grep -oE '`make [a-z-]+' "$page" | awk '{print $2}' | sort -u); do
        check "$page: make $target" grep -qE "^([a-z-]+ )*$target( [a-z-]+)*:" Makefile tools/*/*.mk
    done
done
# ---- the comparison: in our column no cell says no, and each leads to tests that `make check` runs ----
is_run() {
    case $1 in
    tests/unit/test_*.c | tests/device/test_*.c | tests/regress/test_*.c | tests/cli/*.case | tests/device/*.sh) test -e "$1" ;;
    tests/house/test_*.sh | tests/*/run.sh | tests/python/test_*.py | tests/cpp/test_*.cpp | LICENSE) test -e "$1" ;;
    *) false ;;
    esac
}
says_no() { grep -qwiE 'no|none|not|nothing' <<<"$1" || [[ $1 =~ ^\ *-\ *$ ]]; }
rows=0
while IFS='|' read -r _ feature cell _; do
    rows=$((rows + 1))
    check "comparison.md, $feature: jitreduce has it" eval '! says_no "$cell"'
    links=$(grep -oE '\]\([^)]+\)' <<<"$cell" | sed 's/^](..\/..\///; s/)$//')
    check "comparison.md, $feature: a test is named" test -n "$links"
    for link in $links; do check "comparison.md, $feature: make check runs $link" is_run "$link"; done
done < <(grep '^|' include/manual/comparison.md | tail -n +3)
check "comparison.md has its table" test "$rows" -ge 18
finish
