#!/usr/bin/env bash
# scan_bench on the simulator: every algorithm has a line for each size, and what its data lead to for results.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/house/say.sh
. tests/house/say.sh
build=$(cd "${JR_TEST_BUILD:?}" && pwd) || exit 1
export JITREDUCE_DEVICE=sim JITREDUCE_SIM=$build/libjrsim.so
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

flags=(-std=c11 -D_GNU_SOURCE -pthread -Iinclude -Isrc -Ikernels_src -Itools/jitreduce)
mapfile -t sanitizers < <(nm "$build/libjitreduce.a" 2>/dev/null | sed -n 's/.* U __\([atu]\)[a-z]*san_.*/\1/p' | sort -u |
    sed 's/^a/-fsanitize=address/; s/^t/-fsanitize=thread/; s/^u/-fsanitize=undefined/')
check "it is built" "${CC:-gcc}" "${flags[@]}" "${sanitizers[@]}" -o "$work/scan_bench" tools/bench/scan_bench.c \
    tools/bench/scan_data.c tools/bench/bench_common.c "$build/libjitreduce.a" -lmd -ldl -lm

works=(inclusive:sum:f32 exclusive:sum:i8 inclusive:sum:f16:f16 exclusive:max:i32 inclusive:min:f64 exclusive:user:f64 inclusive:affine:f32x2)
check "all results are right" "$work/scan_bench" --powers 9..11 --plus 3 --offset 1 "${works[@]}"
"$work/scan_bench" --powers 10..10 inclusive:sum:f32 >"$work/csv"
same "a line for each contestant" "$(printf '%s\n' jitreduce "jitreduce single_pass" "jitreduce bulk_copy" "jitreduce three_pass" copy)" \
    "$(grep '^inclusive' "$work/csv" | cut -d, -f8)"
same "as many fields in all lines" 1 "$(grep -v '^#' "$work/csv" | awk -F, '{print NF}' | sort -u | wc -l)"
finish
