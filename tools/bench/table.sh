#!/usr/bin/env bash
# Measures sums, scans, columns and segments against CUB, PyTorch and CuPy, into a folder: CSV files, table.md, a picture.
# usage: [SMALL=1] [ONLY='NAME...'] table.sh FOLDER [PEER.so...]
#   FOLDER    one for each GPU, as tools/bench/h200; PEER.so: peers of peer.h, as peer_cub.cu, peer_cub_scan.cu
#   SMALL=1   some hundred elements, for the simulator
#   ONLY      names of CSV files, as those below; the others stay
#   BUILD     the build folder (build/current); PYTHON: one that has NumPy, CuPy and PyTorch (python3)
# targets.txt says what the table asks for; of several peers the least ratio counts: the fastest one's.
set -uo pipefail
# shellcheck source=tools/bench/table_folder.sh
. "$(dirname "$0")/table_folder.sh"
if [ ! -x "$build/bench/scan_bench" ]; then
    echo "table.sh: 'make bench' builds $build/bench/scan_bench" >&2
    exit 1
fi
device=cuda
if [ "${JITREDUCE_DEVICE:-}" = sim ]; then device=sim; fi

# The powers of two of a list; small as table.awk takes them: so many that all algorithms still have something to do.
small() { if [ "$SMALL" = 1 ]; then echo $((6 + $1 / 8)); else echo "$1"; fi; }
sizes() { for power in $1; do echo "2^$(small "$power")"; done | sort -u | paste -sd,; }
# sums NAME POWERS OPTION...: what jitreduce bench measures.
sums() { run "$1" "$build/jitreduce" bench --csv "${peers[@]}" --sizes "$(sizes "$2")" "${@:3}"; }
# scans NAME FROM TO ARGUMENT...: sizes from 2^FROM to 2^TO.
scans() { run "$1" "$build/bench/scan_bench" "${alone[@]}" --powers "$(small "$2")..$(small "$3")" --step 1 "${peers[@]}" "${@:4}"; }
# shapes NAME WORK...: works of python_bench.py shapes.
shapes() {
    local few=()
    if [ "$SMALL" = 1 ]; then few=(--elements 1000); fi
    run "$1" "${PYTHON:-python3}" "$root/tools/bench/python_bench.py" shapes --device "$device" "${few[@]}" "$build/libjitreduce.so" "${@:2}"
}
alone=() picture=()
if [ "$SMALL" = 1 ]; then alone=(--alone); fi # every other algorithm would be compiled, too
if command -v gnuplot >/dev/null; then picture=(--plot="$folder/sizes.svg"); fi

sums sizes "10 12 14 16 18 19 20 22 24 26 28 31" "${picture[@]}" --op sum,min --type f32,i32,f64
sums sum_graph "14 20" --mode graph --op sum --type f32
sums half "28 31" --op sum --type f16,bf16
sums bytes 32 --op min,sum --type i8
sums argmin "20 28 31" --op argmin --type f32
sums argmax 28 --op argmax --type i8,i16
sums products 28 --op sumsq,dot --type f32
sums sum_offset 28 --data misaligned --op sum --type f32
sums list 28 --one-pass --op sum,min,max,sumsq --type f32
sums latency 20 --mode latency --op sum --type f32

plain=(inclusive:sum:f32 inclusive:sum:i32:i32 inclusive:sum:f64)
runs=() segments=()
for layout in keys offsets; do
    for mean in 4 64 4096 all; do runs+=("inclusive:sum:f32@$layout:$mean"); done
done
for power in 2 4 6 8 10 12 14 17 20 24; do
    if [ "$SMALL" = 1 ] && [ "$power" -gt 8 ]; then continue; fi
    segments+=("reduce:sum:f32@rows:$((1 << power))" "reduce:sum:f32@offsets:$((1 << power))")
done
scans scan 20 30 "${plain[@]}"
scans graph 12 18 --graph "${plain[@]}"
scans types 28 28 inclusive:sum:i8:i8 inclusive:sum:f16:f16 inclusive:sum:i8
scans operators 28 28 inclusive:min:f32 inclusive:max:f32 inclusive:user:f32 exclusive:sum:f32 inclusive:affine:f32x2
scans offset 28 28 --offset 1 inclusive:sum:f32
scans segments 28 28 "${runs[@]}"
scans reduce 28 28 reduce:sum:f32@keys:1.5 reduce:sum:f32@keys:64 reduce:sum:f32@offsets:16 reduce:sum:f32@offsets:64
scans sums 28 28 "${segments[@]}"
for list in columns rows ragged cumsum; do shapes "$list" "$list"; done
shapes flat "sum,argmin,norm:flat:$((1 << $(small 20)))" "sum,argmin,norm:flat:$((1 << $(small 28)))"

"$root/tools/bench/table.awk" -v small="$SMALL" -v folder="$folder" "$root/tools/bench/targets.txt" >"$folder/table.md" || failed=1
cat "$folder/table.md"
exit "$failed"
