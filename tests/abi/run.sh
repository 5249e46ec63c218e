#!/usr/bin/env bash
# Holds the promise of jitreduce.h: programs of older versions, built with the headers of their time, run with the library
# of today, and nothing that those headers declare has moved (abidiff).
#
# tests/abi/VERSION/include/jitreduce.h is what that version has released (freeze.sh), beside a program that uses all of it.
# A version that is not released yet may still change: then freeze it again.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
. tests/house/say.sh
build=${JR_TEST_BUILD:?}
make_work

sanitize=
for kind in address undefined thread; do
    if [[ $(readelf -d "$build/libjitreduce.so") =~ lib${kind:0:1}[a-z]*san\.so ]]; then sanitize=-fsanitize=$kind; fi
done
compile() { # FOLDER
    "${CC:-gcc}" -std=c11 -Wall -Wextra -Werror -I"$1/include" "$1"/*.c ${sanitize:+"$sanitize"} \
        -L"$build" -ljitreduce -Wl,-rpath,"$build" -o "$work/program"
}
# What a version's headers declare and the library does not have under the version of then.
lost() { # INCLUDE_FOLDER
    comm -23 <(tools/dev/exports.sh versions "$1" | sed 's/\(.*\) \(.*\)/\2@@JITREDUCE_\1/' | LC_ALL=C sort) \
        <(nm -D --defined-only "$build/libjitreduce.so" | sed 's/.* //' | LC_ALL=C sort)
}

for folder in tests/abi/[0-9]*; do
    version=${folder##*/}
    check "a program of $version compiles with its headers" compile "$folder"
    check "a program of $version runs with the library of today" "$work/program"
    same "the library has every function of $version" "" "$(lost "$folder/include")"
    if command -v abidiff >/dev/null; then
        check "nothing that $version declares has moved" tests/abi/compare.sh "$folder/include" include
    else
        skip "nothing that $version declares has moved" "abidiff is missing (apt-get install abigail-tools)"
    fi
done
finish
