#!/usr/bin/env bash
# Lists the symbols that a library exports, from the one place that declares them.
# usage: exports.sh list|map jitreduce|jrsim; exports.sh versions INCLUDE_FOLDER
#   jitreduce: the functions marked JR_API in the public headers; jrsim: JR_DRIVER_FUNCTIONS, and everything jrsim_*
# list prints sorted names; map prints a version script for the linker, in which a function of jitreduce has the version
# that its comment says it is there since: JITREDUCE_0.2 (the first with a promise) or a later one; versions prints
# "VERSION NAME" for each.
set -euo pipefail
cd "$(dirname "$0")/../.."

versions() { # INCLUDE_FOLDER
    # shellcheck disable=SC2016  # awk's
    find "$1" -name '*.h' -print0 | LC_ALL=C sort -z | xargs -0 awk '
         /Since: / {match($0, /Since: [0-9.]*[0-9]/); since = substr($0, RSTART + 7, RLENGTH - 7)}
         /^JR_API / {sub(/\(.*/, ""); sub(/.*[ *]/, ""); print since == "0.1" ? "0.2" : since, $0}'
}

names() {
    if [ "$1" = jitreduce ]; then
        versions include | sed 's/.* //'
    else
        sed -n '/define JR_DRIVER_FUNCTIONS/,/[^\\]$/s/.*XX([A-Z]*, *\(cu[A-Za-z0-9_]*\).*/\1/p' src/loader/cuda_abi.h
    fi | LC_ALL=C sort -u
}

case "$1 $2" in
"versions "*) versions "$2" ;;
"list jitreduce" | "list jrsim") names "$2" ;;
"map jitreduce")
    before="" hidden="  local: *;"
    for version in $(versions include | cut -d' ' -f1 | sort -uV); do
        echo "JITREDUCE_$version { global:"
        versions include | sed -n "s/^$version \(.*\)/    \1;/p"
        echo "$hidden }$before;"
        before=" JITREDUCE_$version" hidden=""
    done
    ;;
"map jrsim")
    echo "{ global:"
    names "$2" | sed 's/.*/    &;/'
    echo "    jrsim_*;"
    echo "  local: *; };"
    ;;
*) echo "usage: exports.sh list|map jitreduce|jrsim, or versions FOLDER" >&2 && exit 2 ;;
esac
