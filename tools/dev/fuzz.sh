#!/usr/bin/env bash
# Runs every fuzz target for some time, one after the other, from its committed corpus on. What it finds that is new
# stays in BUILD_FOLDER/fuzz, as do inputs that make a target fail.
# usage: [T=word] fuzz.sh BUILD_FOLDER SECONDS
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
build=$1 seconds=$2 failed=0
export ASAN_OPTIONS=${ASAN_OPTIONS-detect_leaks=1:allocator_may_return_null=1}
for target in "$build"/tests/fuzz/fuzz_*; do
    name=${target##*/fuzz_}
    if [ ! -x "$target" ] || [[ $name != *"${T:-}"* ]]; then continue; fi
    mkdir -p "$build/fuzz/$name"
    if "$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -max_len=16384 -print_final_stats=1 \
        -artifact_prefix="$build/fuzz/$name." "$build/fuzz/$name" "tests/fuzz/corpus/$name" >"$build/fuzz/$name.log" 2>&1; then
        printf 'ok   %-18s %s runs\n' "$name" "$(awk '/number_of_executed_units/ {print $2}' "$build/fuzz/$name.log")"
    else
        printf 'FAIL %-18s see %s\n' "$name" "$build/fuzz/$name.log"
        failed=1
    fi
done
exit "$failed"
