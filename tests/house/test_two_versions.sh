#!/usr/bin/env bash
# Two versions of the library share a cache folder: each compiles its own kernels once, at the same time or by turns, and
# neither reads, replaces or removes what the other has stored. The other version is this one under another number.
# cache: own
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/house/say.sh
. tests/house/say.sh
build=${JR_TEST_BUILD:?}
if sanitized "$build/jitreduce"; then
    skip "two versions" "a library of a sanitizer's build is linked otherwise"
    finish
    exit
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export JITREDUCE_CACHE_DIR=$work/cache JITREDUCE_WISDOM='' JITREDUCE_PACKS='' JITREDUCE_LOG=info

# ---- the other version ----
mkdir "$work/this" "$work/other"
cp "$build/jitreduce" "$build/libjitreduce.so.0" "$work/this"
cp "$build/jitreduce" "$work/other"
cp -r include "$work/include"
sed -i 's/\(define JR_VERSION_MINOR *\)[0-9]*/\1999/' "$work/include/jitreduce/types.h"
cp "$build/obj/libparts.a" "$work/parts.a"
ar d "$work/parts.a" version.o key.o
for file in src/base/version.c src/program/key.c; do
    "${CC:-cc}" -std=c11 -D_GNU_SOURCE -fPIC -O1 -I"$work/include" -Isrc -c -o "$work/$(basename "$file" .c).o" "$file" || exit 1
done
"${CC:-cc}" -shared -Wl,-soname,libjitreduce.so.0 -Wl,--version-script="$build/jitreduce.map" -o "$work/other/libjitreduce.so.0" \
    "$work/version.o" "$work/key.o" -Wl,--whole-archive "$work/parts.a" -Wl,--no-whole-archive -lmd -ldl -lpthread -lm || exit 1

printf '#include "answer.cuh"\nextern "C" __global__ void k(int *out) { *out = ANSWER; }\n' >"$work/k.cu"
printf '#define ANSWER 42\n' >"$work/answer.cuh"

# run VERSION NAME: a reduction, a scan, and a kernel with a header of its own; writes NAME.out and NAME.log.
run() {
    {
        "$work/$1/jitreduce" --iota 10 --op sum
        "$work/$1/jitreduce" scan --iota 4 --op max --type i64
        "$work/$1/jitreduce" run "$work/k.cu" --grid 1 --block 1 --arg out:i32:1
    } >"$work/$2.out" 2>"$work/$2.log"
}
compiled() { grep -c 'compiled .* in .* ms' "$work/$1.log"; }
entries() { find "$work/cache" -name '*.jri' -printf '%f\n' | LC_ALL=C sort; }
# shellcheck disable=SC2086  # names of files, which have no spaces
sums() { (cd "$work/cache" && sha256sum -- $1); }

# ---- by turns ----
check "they are two versions" test "$("$work/this/jitreduce" --version | head -1)" != "$("$work/other/jitreduce" --version | head -1)"
run this first
kernels=$(compiled first)
check "the first run compiles" test "$kernels" -ge 3
mine=$(entries)
before=$(sums "$mine")
run other second
same "the other version compiles its own" "$kernels" "$(compiled second)"
same "their results are the same" "$(cat "$work/first.out")" "$(cat "$work/second.out")"
check "both are right" grep -q 45 "$work/first.out"
theirs=$(comm -13 <(echo "$mine") <(entries))
same "each has entries of its own" "$kernels $kernels" "$(wc -l <<<"$mine") $(wc -l <<<"$theirs")"
after=$(sums "$theirs")
for turn in 1 2; do
    for version in this other; do
        run "$version" "$version$turn"
        same "turn $turn of $version compiles nothing" 0 "$(compiled "$version$turn")"
        same "turn $turn of $version is right" "$(cat "$work/first.out")" "$(cat "$work/$version$turn.out")"
        check "turn $turn of $version warns of nothing" test "$(grep -ciE 'warning|dropping|damaged' "$work/$version$turn.log")" = 0
    done
done
same "what this version stored is as it was" "$before" "$(sums "$mine")"
same "what the other version stored is as it was" "$after" "$(sums "$theirs")"

# ---- at the same time ----
rm -rf "$work/cache"
for i in 1 2 3; do
    run this "this_$i" &
    run other "other_$i" &
done
wait
for version in this other; do
    same "three at once of $version compile each kernel once" "$kernels" \
        "$(($(compiled "${version}_1") + $(compiled "${version}_2") + $(compiled "${version}_3")))"
    for i in 1 2 3; do same "number $i of $version is right" "$(cat "$work/first.out")" "$(cat "$work/${version}_$i.out")"; done
done
finish
