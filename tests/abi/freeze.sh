#!/usr/bin/env bash
# Prints the public headers as one: what stands in tests/abi/VERSION/include/jitreduce.h, laid out by clang-format. Of the
# comments the version that functions are there since is left (0.2 is the first with a promise).
# usage: freeze.sh INCLUDE_FOLDER
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Without comments, guards of the file and what C++ alone needs of it. The last "Since" before a function stays, as
# tools/dev/exports.sh reads it.
bare() { # HEADER
    awk '{print} match($0, /Since: [0-9.]*[0-9]/) {since = substr($0, RSTART, RLENGTH); sub(/0\.1$/, "0.2", since)}
         since != "" && /\*\/$/ {print "#pragma " since; since = ""}' "$1" |
        gcc -w -fpreprocessed -dD -E -P -x c - |
        sed -z -E 's/#ifdef __cplusplus\n(extern "C" \{|\})\n#endif\n//g; s/^#ifndef [A-Z_]*_H\n#define [A-Z_]*_H *\n(.*)#endif\n$/\1/'
}
# A header after those that it includes, each once.
expand() { # HEADER
    local line
    if [ -e "$work/${1##*/}" ]; then return; fi
    bare "$1" >"$work/${1##*/}"
    while IFS= read -r line; do
        line=${line#*\"}
        expand "${1%/*}/${line%\"*}"
    done < <(grep '^#include "' "$1")
    grep -v '^#include "' "$work/${1##*/}" || true
}
expand "$1/jitreduce.h" | awk '
    BEGIN {print "/* The interface as it was released, by tests/abi/freeze.sh. */"}
    /^#pragma Since/ {if ($0 != since) printf "/* %s. */\n", substr($0, 9); since = $0; next}
    /^#include/ {if (!seen[$0]++) print; next}
    {print}'
