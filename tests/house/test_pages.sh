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
finish
