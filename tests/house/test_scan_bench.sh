#!/usr/bin/env bash
# scan_bench on the simulator: works of every kind have their lines, and the results that their data lead to; a peer
# takes its turn, and wrong results are reported.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/house/say.sh
. tests/house/say.sh
export HELPERS=$PWD/tests/cli/helpers.sh
# shellcheck source=tests/cli/helpers.sh
. "$HELPERS"
build=$(cd "${JR_TEST_BUILD:?}" && pwd) || exit 1
export JITREDUCE_DEVICE=sim JITREDUCE_SIM=$build/libjrsim.so PATH=$build:$PATH
make_work

# bench OPTION... WORK...: what it prints goes to csv and err.
bench() { "$build/bench/scan_bench" "$@" >"$work/csv" 2>"$work/err"; }
lines() { columns "$@" <"$work/csv" | tr '\n' '|'; }

works=(inclusive:sum:f16:f16 exclusive:user:f64 inclusive:affine:f32x2)
if whole; then works+=(inclusive:sum:f32 exclusive:sum:i8 exclusive:max:i32 inclusive:min:f64); fi
check "all results are right" "$build/bench/scan_bench" --powers 9..11 --plus 3 --offset 1 "${works[@]}"
works=(inclusive:sum:f32@columns:16 reduce:max:i32@columns:100 inclusive:affine:f32x2@keys:all exclusive:min:i32@offsets:64
    inclusive:sum:i8@rows:100 reduce:sum:f32@offsets:16 reduce:max:f32@rows:64 reduce:affine:f32x2@keys:64)
if whole; then
    works+=(inclusive:sum:f32@keys:4 exclusive:sum:i32:i32@keys:1.5 inclusive:max:f64@offsets:all reduce:sum:f32@keys:1.5 reduce:max:i32@keys:all)
fi
bench --powers 11..11 --plus 3 --offset 1 "${works[@]}"
same "those of segments, too, and none is left out" "0 " "$? $(cat "$work/err")"

bench --powers 10..10 inclusive:sum:f32
same "a line for each contestant" "jitreduce|jitreduce one_block|jitreduce wave|jitreduce single_pass|jitreduce bulk_copy|jitreduce three_pass|copy|" \
    "$(lines contestant)"
bench --powers 10..10 --alone inclusive:sum:f32
same "one for the choice alone" "jitreduce|copy|" "$(lines contestant)"
same "as many fields in all lines" 1 "$(grep -v '^#' "$work/csv" | awk -F, '{print NF}' | sort -u | wc -l)"
same "the head says where and how" "command device driver jitreduce nvrtc" \
    "$(sed -n 's/^# \([a-z]*\): ..*/\1/p' "$work/csv" | sort | paste -sd' ')"
bench --powers 10..10 inclusive:sum:f32@rows:100 reduce:sum:f32@rows:100 inclusive:sum:f32@keys:all
same "rows are whole, and counted" \
    "rows,100,1000,10,jitreduce|rows,100,1000,10,jitreduce single_pass|rows,100,1000,10,jitreduce bulk_copy|rows,100,1000,10,copy|rows,100,1000,10,jitreduce|rows,100,1000,10,jitreduce flat|rows,100,1000,10,copy|keys,all,1024,1,jitreduce|keys,all,1024,1,jitreduce single_pass|keys,all,1024,1,jitreduce bulk_copy|keys,all,1024,1,copy|" \
    "$(lines layout run count runs contestant)"

bench --powers 10..10 --exact reduce:sum:f32@offsets:16
same "exact sums are measured next to plain ones" "0 jitreduce|jitreduce flat|jitreduce plain|copy|" "$? $(lines contestant)"

check "a peer is built" peer "$work/self.so"
bench --powers 10..10 --alone --peer "$work/self.so" exclusive:sum:i32 inclusive:sum:f32@keys:4 reduce:sum:f32@offsets:4 reduce:sum:f32@keys:4
same "it takes its turn" "0 exclusive,0|inclusive,0|reduce,0|reduce,0|" \
    "$? $(columns kind contestant wrong_results <"$work/csv" | sed -n 's/,ourselves//p' | tr '\n' '|')"
check "a peer that is wrong is built" peer "$work/wrong.so" -DPEER_WRONG
bench --powers 10..10 --alone --peer "$work/wrong.so" inclusive:sum:f32@keys:4
same "wrong results are told" "1 scan_bench: 1 contestants have wrong results" "$? $(cat "$work/err")"
check "and counted" test "$(lines contestant wrong_results | sed 's/.*ourselves,\([0-9]*\)|.*/\1/')" -gt 500

for word in inclusive:sum:f32@x:4 inclusive:sum:f32@keys inclusive:sum:f32@keys:1.2 inclusive:sum:f32@rows:1.5 reduce:sum:f32 sideways:sum:f32; do
    bench --powers 10..10 "$word"
    same "$word is no work" "1 bench: '" "$? $(cut -c1-8 "$work/err")"
done
finish
