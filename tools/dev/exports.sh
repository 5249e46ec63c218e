#!/usr/bin/env bash
# Lists the symbols that a library exports, from the one place that declares them.
# usage: exports.sh list|map jitreduce|jrsim
#   jitreduce: the functions marked JR_API in the public headers; jrsim: JR_DRIVER_FUNCTIONS, and everything jrsim_*
# list prints sorted names; map prints a version script for the linker.
set -euo pipefail
cd "$(dirname "$0")/../.."

names() {
    if [ "$1" = jitreduce ]; then
        cat include/jitreduce/*.h | sed -n '/^JR_API /s/^[^(]*[ *]\(jr_[a-z0-9_]*\)(.*/\1/p'
    else
        sed -n '/define JR_DRIVER_FUNCTIONS/,/[^\\]$/s/.*XX([A-Z]*, *\(cu[A-Za-z0-9_]*\).*/\1/p' src/loader/cuda_abi.h
    fi | LC_ALL=C sort -u
}

case "$1 $2" in
"list jitreduce" | "list jrsim") names "$2" ;;
"map jitreduce" | "map jrsim")
    echo "{ global:"
    names "$2" | sed 's/.*/    &;/'
    if [ "$2" = jrsim ]; then echo "    jrsim_*;"; fi
    echo "  local: *; };"
    ;;
*) echo "usage: exports.sh list|map jitreduce|jrsim" >&2 && exit 2 ;;
esac
