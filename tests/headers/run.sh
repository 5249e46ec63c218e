#!/usr/bin/env bash
# Compiles each public header alone, twice in one file, as C11 and as C++11 and C++17, with every warning an error.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
. tests/house/say.sh

compile() { # HEADER COMPILER-AND-FLAGS...
    local header=$1
    shift
    printf '#include "%s"\n#include "%s"\nint main(void) { return 0; }\n' "$header" "$header" |
        "$@" -Iinclude -Itests/headers/stand_in -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -fsyntax-only -
}

for header in jitreduce.h $(cd include && echo jitreduce/*.h); do
    check "$header compiles alone as C11" compile "$header" gcc -std=c11 -x c
    for standard in c++11 c++17; do
        check "$header compiles alone as $standard" compile "$header" g++ -std=$standard -x c++
    done
    check "$header is wrapped for C++" grep -q 'extern "C["+]\|#include "jitreduce/' "include/$header"
done
finish
