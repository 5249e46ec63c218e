#!/usr/bin/env bash
# What needs a compiler's help is made by each of ours without a call that no library has: the simulator's exchange of 16
# bytes became one with clang, and `make CC=clang` did not link.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/house/say.sh
. tests/house/say.sh
make_work
unset MAKEFLAGS MAKEOVERRIDES MFLAGS

# The object that a compiler makes of the simulator's atomics.
object_of() {
    local folder
    folder=$(make CC="$1" BUILD_ROOT="$work" -pn help | awk '$1 == "B" {print $3; exit}')
    make -s CC="$1" BUILD_ROOT="$work" "$folder/obj/src/sim/exec/instructions/atomics.o" >"$work/log" 2>&1 || cat "$work/log" >&2
    echo "$folder/obj/src/sim/exec/instructions/atomics.o"
}

for compiler in gcc clang; do
    if ! command -v "$compiler" >/dev/null; then
        skip "$compiler" "it is not installed"
        continue
    fi
    object=$(object_of "$compiler")
    check "$compiler makes the simulator's atomics" test -s "$object"
    same "$compiler calls no library for them" "" "$(nm -u "$object" | grep -o '__atomic_.*\|__sync_.*')"
done
finish
