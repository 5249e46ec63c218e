#!/usr/bin/env bash
# Measures everything that README's table of ratios says, into a folder: CSV files, table.md and pictures.
# usage: [SMALL=1] table.sh FOLDER [PEER.so...]
#   SMALL=1   sizes of some hundred elements, for the simulator
#   BUILD     the build folder (build/current); PYTHON: one that has NumPy, CuPy and PyTorch (python3)
# A ratio is a peer's median over ours, and of several peers the least counts: the fastest one's.
set -uo pipefail
# shellcheck source=tools/bench/table_folder.sh
. "$(dirname "$0")/table_folder.sh"

# The powers of two of a list; small: so many that all algorithms still have something to do.
sizes() {
    local power all=()
    for power in $1; do all+=("2^$((SMALL == 1 ? 6 + power / 8 : power))"); done
    printf '%s\n' "${all[@]}" | sort -u | paste -sd,
}

# ours NAME OPTION...: what jitreduce bench measures.
ours() { run "$1" "$build/jitreduce" bench --csv "${peers[@]}" "${@:2}"; }
# picture NAME: where there is gnuplot.
picture() { if command -v gnuplot >/dev/null; then echo "--plot=$folder/$1.svg"; fi; }

common="10 12 14 16 18 19 20 22 24 26 28 31"
# shellcheck disable=SC2046  # no word, or one
{
    ours sizes $(picture sizes) --op sum,min --type f32,i32,f64 --sizes "$(sizes "$common")"
    ours graph --mode graph --op sum --type f32 --sizes "$(sizes "14 20")"
    ours half --op sum --type f16,bf16 --sizes "$(sizes "28 31")"
    ours bytes --op min,sum --type i8 --sizes "$(sizes 32)"
    ours argmin --op argmin --type f32 --sizes "$(sizes "20 28 31")"
    ours argmax --op argmax --type i8,i16 --sizes "$(sizes 28)"
    ours products --op sumsq,dot --type f32 --sizes "$(sizes 28)"
    ours offset --data misaligned --op sum --type f32 --sizes "$(sizes 28)"
    ours list --one-pass --op sum,min,max,sumsq --type f32 --sizes "$(sizes 28)"
    ours latency --mode latency --op sum --type f32 --sizes "$(sizes 20)"
}

echo "table.sh: python" >&2
flat=()
for size in 20 28; do flat+=("sum,argmin,norm:flat:$((1 << (SMALL == 1 ? 6 + size / 8 : size)))"); done
device=cuda
if [ "${JITREDUCE_DEVICE:-}" = sim ]; then device=sim; fi
"${PYTHON:-python3}" "$root/tools/bench/python_bench.py" shapes --device "$device" "$build/libjitreduce.so" "${flat[@]}" \
    >"$folder/python.csv" || failed=1

# segment_bench: text of its own, a run for each peer: "equal, length 4 ... CUB 300600 123.45 us  ratio 1.234".
rm -f "$folder"/segments.txt
if [ -x "$build/bench/segment_bench" ]; then
    echo "table.sh: segments" >&2
    for peer in "${@:-}"; do
        "$build/bench/segment_bench" "$((SMALL == 1 ? 10 : 28))" sum ${peer:+"$(realpath "$peer")"} \
            >>"$folder/segments.txt" || failed=1
    done
else
    echo "table.sh: segments are left out: 'make bench' builds $build/bench/segment_bench" >&2
fi

"$root/tools/bench/table.awk" -v small="$SMALL" -v folder="$folder" "$root/tools/bench/targets.txt" \
    >"$folder/table.md" || failed=1
cat "$folder/table.md"
exit "$failed"
