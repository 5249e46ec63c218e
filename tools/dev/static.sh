#!/usr/bin/env bash
# Makes the static library: one object whose own functions are local and whose public ones are hidden, so that a shared
# object that contains it exports none of its names.
# usage: static.sh PARTS.a LIBRARY.a     CC, AR, OBJCOPY: the tools
set -euo pipefail
parts=$1 library=$2
work=$(mktemp -d "$library.XXXXXX")
trap 'rm -rf "$work"' EXIT
join() { "${CC:-cc}" -r -nostdlib -o "$@"; }

join "$work/all.o" -Wl,--whole-archive "$parts" -Wl,--no-whole-archive
"$(dirname "$0")/exports.sh" list jitreduce >"$work/names"
"${OBJCOPY:-objcopy}" --keep-global-symbols="$work/names" "$work/all.o" "$work/local.o"
# A name is hidden if one of the objects that are joined says so: this one refers to all in a section that takes no memory.
{
    echo '.section .jitreduce_names,"",@progbits'
    sed 's/.*/.hidden &\n.dc.a &/' "$work/names"
    echo '.section .note.GNU-stack,"",@progbits'
} >"$work/names.s"
"${CC:-cc}" -c -o "$work/names.o" "$work/names.s"
join "$work/jitreduce.o" "$work/local.o" "$work/names.o"
"${AR:-ar}" rcs "$work/library.a" "$work/jitreduce.o"
mv "$work/library.a" "$library"
