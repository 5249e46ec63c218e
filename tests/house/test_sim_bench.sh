#!/usr/bin/env bash
# sim_bench: a line for each program that was asked for, whose values are right.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/house/say.sh
. tests/house/say.sh
build=$(cd "${JR_TEST_BUILD:?}" && pwd) || exit 1
export JITREDUCE_SIM=$build/libjrsim.so

same "the head" "program,cpu_seconds,right" "$("$build/bench/sim_bench" 1 none)"
for program in n_body mandelbrot xorshift histogram sum_of_ten sum_of_columns cumulative_sum; do
    line=$("$build/bench/sim_bench" 1 "$program" | tail -n 1)
    same "$program is right" "$program yes" "$(echo "$line" | awk -F, '$2 > 0 {print $1, $3}')"
done
finish
