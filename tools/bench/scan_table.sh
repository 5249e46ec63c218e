#!/usr/bin/env bash
# Measures scans, columns and segments against CUB and PyTorch, into a folder: CSV files named by work, and table.md.
# usage: [SMALL=1] [ONLY='NAME...'] scan_table.sh FOLDER [PEER.so...]
#   FOLDER    one for each GPU, as tools/bench/h200; PEER.so: peer_cub_scan.cu and peer_cub_keys.cu, built
#   SMALL=1   some hundred elements, for the simulator
#   ONLY      of scan graph types operators offset segments reduce columns rows ragged cumsum; the others' files stay
#   BUILD     the build folder (build/current); PYTHON: one that has NumPy and PyTorch (python3)
# scan_targets.txt says what the table asks for; of several peers the least ratio counts: the fastest one's.
set -uo pipefail
# shellcheck source=tools/bench/table_folder.sh
. "$(dirname "$0")/table_folder.sh"
if [ ! -x "$build/bench/scan_bench" ]; then
    echo "scan_table.sh: 'make bench' builds $build/bench/scan_bench" >&2
    exit 1
fi
device=cuda
if [ "${JITREDUCE_DEVICE:-}" = sim ]; then device=sim; fi

# scans NAME FROM TO ARGUMENT...: sizes from 2^FROM to 2^TO; small as scan_table.awk takes them.
scans() {
    local name=$1 from=$2 to=$3
    shift 3
    if [ "$SMALL" = 1 ]; then from=$((6 + from / 8)) to=$((6 + to / 8)); fi
    run "$name" "$build/bench/scan_bench" --powers "$from..$to" --step 1 "${peers[@]}" "$@"
}
# torch NAME: works of python_bench.py shapes by the name of their list.
torch() {
    local few=()
    if [ "$SMALL" = 1 ]; then few=(--elements 1000); fi
    run "$1" "${PYTHON:-python3}" "$root/tools/bench/python_bench.py" shapes --device "$device" "${few[@]}" \
        "$build/libjitreduce.so" "$1"
}

sums=(inclusive:sum:f32 inclusive:sum:i32:i32 inclusive:sum:f64)
runs=()
for layout in keys offsets; do
    for mean in 4 64 4096 all; do runs+=("inclusive:sum:f32@$layout:$mean"); done
done
scans scan 20 30 "${sums[@]}"
scans graph 12 18 --graph "${sums[@]}"
scans types 28 28 inclusive:sum:i8:i8 inclusive:sum:f16:f16 inclusive:sum:i8
scans operators 28 28 inclusive:min:f32 inclusive:max:f32 inclusive:user:f32 exclusive:sum:f32 inclusive:affine:f32x2
scans offset 28 28 --offset 1 inclusive:sum:f32
scans segments 28 28 "${runs[@]}"
scans reduce 28 28 reduce:sum:f32@keys:1.5 reduce:sum:f32@keys:64 reduce:sum:f32@offsets:16 reduce:sum:f32@offsets:64
for list in columns rows ragged cumsum; do torch "$list"; done

"$root/tools/bench/scan_table.awk" -v small="$SMALL" -v folder="$folder" "$root/tools/bench/scan_targets.txt" \
    >"$folder/table.md" || failed=1
cat "$folder/table.md"
exit "$failed"
