#!/usr/bin/env bash
# Measures alternatives on a device, for the table of tuned numbers (src/plan/tuned.c), into a folder of CSV files.
# usage: [SMALL=1] [ONLY='NAME...'] calibrate.sh FOLDER
#   FOLDER    one for each GPU, as tools/bench/h100
#   SMALL=1   some hundred elements and few alternatives, for the simulator
#   ONLY      of calibrate_flat calibrate_scan calibrate_graph calibrate_runs calibrate_segments calibrate_rings
#             calibrate_numbers; the others' files stay
#   BUILD     the build folder (build/current); JITREDUCE_DEVICE: which device
# src/plan/README.md, "To add a generation of GPUs", says which number each file decides.
set -uo pipefail
# shellcheck source=tools/bench/table_folder.sh
. "$(dirname "$0")/table_folder.sh"
for program in scan_bench tuned_bench; do
    if [ ! -x "$build/bench/$program" ]; then
        echo "calibrate.sh: 'make bench' builds $build/bench/$program" >&2
        exit 1
    fi
done

# shellcheck disable=SC2317  # "run" calls it
# splits: sums of all elements by blocks, unroll factors and sizes, each compared with the default and a loop that only
# reads.
splits() {
    local sizes=2^20,2^22,2^24,2^26,2^28,2^30 types=(f32 f64 i8 f16) blocks=(256 512 1024) unrolls=(2 4 8)
    if [ "$SMALL" = 1 ]; then sizes=100 types=(f32) blocks=(64) unrolls=(1 2); fi
    local type block unroll
    for type in "${types[@]}"; do
        "$build/jitreduce" bench --csv -q --rounds 9 --op sum -t "$type" --sizes "$sizes" || return
        for block in "${blocks[@]}"; do
            for unroll in "${unrolls[@]}"; do
                "$build/jitreduce" bench --csv -q --rounds 9 --op sum -t "$type" --sizes "$sizes" -a single_pass -b "$block" -u "$unroll" || return
            done
        done
        "$build/jitreduce" bench --csv -q --rounds 9 --op sum -t "$type" --sizes "$sizes" -a bulk_copy || return
    done
}

# scans NAME FROM TO ARGUMENT...: sizes from 2^FROM to 2^TO.
scans() {
    local name=$1 from=$2 to=$3
    shift 3
    if [ "$SMALL" = 1 ]; then from=7 to=7; fi
    run "$name" "$build/bench/scan_bench" --powers "$from..$to" --step 1 "$@"
}

# shellcheck disable=SC2317  # "run" calls it
# rings: loads of a thread and sizes from which on bulk_copy is chosen, for scans that are not flat sums of words.
rings() {
    local scan=("$build/bench/scan_bench" --step 1)
    if [ "$SMALL" = 1 ]; then
        "${scan[@]}" --powers 7..7 --tuning one_block:64x2 inclusive:sum:f32
        return
    fi
    "${scan[@]}" --powers 12..13 --graph --tuning=one_block:512x{1,2,4,8} inclusive:sum:f32 &&
        "${scan[@]}" --powers 28..28 --tuning={576x1,576x3,768x1,768x3,1024x1} inclusive:sum:i8 inclusive:sum:i16 &&
        "${scan[@]}" --powers 28..28 --tuning={576x5,704x5,832x5} inclusive:sum:i32:i64 &&
        "${scan[@]}" --powers 26..26 --tuning={448x5,448x7,448x9,832x3} inclusive:sum:f{32,64}@keys:64 &&
        "${scan[@]}" --powers 19..23 inclusive:sum:f32@{keys:64,offsets:4096} inclusive:sum:{i8,f64}@offsets:4096 &&
        "${scan[@]}" --powers 18..18 --plus 262128 reduce:sum:f32@keys:{1.5,64} && # just under 2 and 4 MiB
        "${scan[@]}" --powers 19..19 --plus 524272 reduce:sum:f32@keys:{1.5,64}
}

blocks=() ring_blocks=()
for block in 576 640 704 768 832 896 960 1024; do blocks+=(--tuning "${block}x5"); done
for tuning in 416x5 416x9 448x5 448x9 480x5 576x7 768x7 832x3; do ring_blocks+=(--tuning "$tuning"); done
sums=(inclusive:sum:f32 inclusive:sum:f64 inclusive:sum:i32 inclusive:sum:i16 inclusive:sum:i8)
if [ "$SMALL" = 1 ]; then blocks=(--tuning 128x1) ring_blocks=("${blocks[@]}") sums=(inclusive:sum:f32); fi

run calibrate_flat splits
scans calibrate_scan 20 28 "${blocks[@]}" "${sums[@]}"
scans calibrate_graph 10 22 --graph "${sums[@]}"
scans calibrate_runs 20 28 "${ring_blocks[@]}" reduce:sum:f32@keys:1.5 reduce:sum:f32@keys:64 inclusive:sum:f32@keys:64 \
    inclusive:sum:f32@offsets:4096
segments=()
for length in 1 4 16 32 64 256 1024 4096 16384 131072 1048576 16777216; do
    if [ "$SMALL" = 1 ] && [ "$length" -gt 64 ]; then continue; fi
    segments+=("reduce:sum:f32@"{rows,columns,offsets}":$length")
done
scans calibrate_segments 26 26 "${segments[@]}"
run calibrate_rings rings
run calibrate_numbers "$build/bench/tuned_bench"
exit "$failed"
