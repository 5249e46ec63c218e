#!/usr/bin/env bash
# apply_bench on the simulator: a line for each formula, shape and type, whose values are right; one shape of one formula
# can be asked for.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/house/say.sh
. tests/house/say.sh
build=$(cd "${JR_TEST_BUILD:?}" && pwd) || exit 1
export JITREDUCE_DEVICE=sim JITREDUCE_SIM=$build/libjrsim.so
make_work

check "all shapes are measured" "$build/bench/apply_bench" 1
"$build/bench/apply_bench" 1 >"$work/csv" 2>&1
same "a line for each formula and type of five shapes" 50 "$(grep -cE '^(softmax|log_softmax|rms_norm|layer_norm|zscore),' "$work/csv")"
same "f32 is right to some steps, bf16 to half a step of its own" "" \
    "$(awk -F, '/^[a-z_]+,(f32|bf16),/ && !($NF < ($2 == "f32" ? 2e-5 : 1e-2))' "$work/csv")"
same "tunings follow what is chosen" "64 4|64 8|128 2|" \
    "$("$build/bench/apply_bench" 1 zscore 2 1024 f32 64x8 128x2 | grep '^zscore' | cut -d, -f8-9 | tr ',\n' ' |')"
same "one shape of one type" "rms_norm,f32,2,77" \
    "$("$build/bench/apply_bench" 1 rms_norm 2 77 f32 | grep '^rms' | cut -d, -f1-4)"
finish
