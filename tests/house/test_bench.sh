#!/usr/bin/env bash
# `make bench` where no GPU can be used: it says so, runs on the simulator, and fails only when a program does.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/house/say.sh
. tests/house/say.sh
build=$(cd "${JR_TEST_BUILD:-build/current}" && pwd) || exit 1
make_work
unset JITREDUCE_DEVICE
export JITREDUCE_DRIVER=$work/none JITREDUCE_CACHE_DIR=${JITREDUCE_CACHE_DIR:-$work/cache}

# shellcheck disable=SC2016  # the program expands it
printf '#!/bin/sh\necho "on $JITREDUCE_DEVICE"\n' >"$work/good"
printf '#!/bin/sh\necho "it broke" >&2; exit 1\n' >"$work/bad"
chmod +x "$work/good" "$work/bad"

check "nothing failed" tools/dev/bench.sh "$build" "$work/good"
tools/dev/bench.sh "$build" "$work/bad" "$work/good" >"$work/out" 2>"$work/err"
same "a program failed" 1 "$?"
check "says that there is no GPU" grep -q '^no GPU can be used here' "$work/out"
check "the command measures on the simulator" grep -q '^device .*simulated' "$work/out"
same "goes on behind the one that failed" $'== bad\n== good\non sim' "$(grep -E '^(== |on )' "$work/out")"
same "names the one that failed" $'it broke\nbench: bad failed' "$(cat "$work/err")"
JITREDUCE_DEVICE=sim JITREDUCE_SIM=$build/libjrsim.so "$build/bench/start_bench" 1 >"$work/start"
same "a row for each case that needs no GPU" "compile,sum f32 compile,min f32 uf 4 compile,empty compile,empty --minimal \
later,sum f32 later,empty later,empty --minimal cached,sum f32 " "$(sed '1,/^section,/d' "$work/start" | cut -d, -f1,2 | tr '\n' ' ')"
same "each is compared with the first of its section" "compile,1.000 later,1.000 cached,1.000 " \
    "$(awk -F, '$2 == "sum f32" {printf "%s,%s ", $1, $6}' "$work/start")"
finish
