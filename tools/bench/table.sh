#!/usr/bin/env bash
# Measures everything that README's table of ratios says, into a folder: CSV files, table.md and pictures.
# usage: [SMALL=1] table.sh FOLDER [PEER.so...]
#   SMALL=1   sizes of some hundred elements, for the simulator
#   BUILD     the build folder (build/current); PYTHON: one that has NumPy, CuPy and PyTorch (python3)
# A ratio is a peer's median over ours, and of several peers the least counts: the fastest one's.
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${BUILD:-$root/build/current}" && pwd) || exit 1
if [ $# -lt 1 ]; then sed -n '3,7s/^# *//p' "$0" >&2 && exit 2; fi
folder=$1
shift
mkdir -p "$folder" || exit 1
peers=()
for peer in "$@"; do peers+=(--peer "$(realpath "$peer")"); done

# The powers of two of a list; small: so many that all algorithms still have something to do.
sizes() {
    local power all=()
    for power in $1; do all+=("2^$((SMALL == 1 ? 6 + power / 8 : power))"); done
    printf '%s\n' "${all[@]}" | sort -u | paste -sd,
}
SMALL=${SMALL:-0}
export JITREDUCE_WISDOM= # what was tuned on this machine is not what the library chooses by itself

# run NAME OPTION...: one benchmark into NAME.csv. One that fails is told, and the others run.
failed=0
run() {
    local name=$1
    shift
    echo "table.sh: $name" >&2
    "$build/jitreduce" bench --csv "${peers[@]}" "$@" >"$folder/$name.csv.new" && mv "$folder/$name.csv.new" "$folder/$name.csv" && return
    failed=1
    if [ -s "$folder/$name.csv.new" ]; then mv "$folder/$name.csv.new" "$folder/$name.csv"; fi
}
# picture NAME: where there is gnuplot.
picture() { if command -v gnuplot >/dev/null; then echo "--plot=$folder/$1.svg"; fi; }

common="10 12 14 16 18 19 20 22 24 26 28 31"
# shellcheck disable=SC2046  # no word, or one
{
    run sizes $(picture sizes) --op sum,min --type f32,i32,f64 --sizes "$(sizes "$common")"
    run graph --graph --op sum --type f32 --sizes "$(sizes "14 20")"
    run half --op sum --type f16,bf16 --sizes "$(sizes "28 31")"
    run bytes --op min,sum --type i8 --sizes "$(sizes 32)"
    run argmin --op argmin --type f32 --sizes "$(sizes "20 28 31")"
    run argmax --op argmax --type i8,i16 --sizes "$(sizes 28)"
    run products --op sumsq,dot --type f32 --sizes "$(sizes 28)"
    run offset --offset 1 --op sum --type f32 --sizes "$(sizes 28)"
    run list --one-pass --op sum,min,max,sumsq --type f32 --sizes "$(sizes 28)"
    run latency --latency --op sum --type f32 --sizes "$(sizes 20)"
}

echo "table.sh: python" >&2
"${PYTHON:-python3}" "$root/tools/bench/peers.py" --works 'sum f32,argmin f32,norm f32' --sizes "$(sizes "20 28")" \
    "$build/libjitreduce.so" >"$folder/python.csv" || failed=1

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
