#!/usr/bin/env bash
# torch_bench.py on the simulator with NumPy as the peer: every kind of work has its lines, and wrong results are
# reported.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/house/say.sh
. tests/house/say.sh
# shellcheck source=tests/cli/helpers.sh
. tests/cli/helpers.sh
build=$(cd "${JR_TEST_BUILD:?}" && pwd) || exit 1
export JITREDUCE_SIM=$build/libjrsim.so PYTHONDONTWRITEBYTECODE=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if ! python=$(find_numpy); then
    skip "torch_bench.py" "no Python here has NumPy (make deps installs python3-numpy)"
    finish
    exit
fi

# bench WORK...: what it prints goes to out and err.
bench() {
    # shellcheck disable=SC2046  # words of env
    env $(preloads "$build") "$python" tools/bench/torch_bench.py --device sim --elements 6000 "$build/libjitreduce.so" "$@" \
        >"$work/out" 2>"$work/err"
}
# fields NAME...: these columns of all lines.
fields() { columns "$@" <"$work/out"; }

bench sum,argmax:16384x16384:0 max:7x11x13x17x19x23:3 sum:2684354x100:1 sum,max:ragged16:4000 cumsum:1048576x32:0 cumsum:5000:0
same "all results are NumPy's" "0 " "$? $(cat "$work/err")"
same "a line for each contestant" "jitreduce|NumPy|jitreduce flat sum|jitreduce|NumPy|copy|" \
    "$(fields work contestant | sed -n 's/NumPy .*/NumPy/; s/^\(sum:16384x16384:0\|cumsum:5000:0\),//p' | tr '\n' '|')"
same "shapes are halved until there are so few elements" "sum:16384x16384:0 64x64 4096 64 16640" \
    "$(fields work shape count results bytes | head -1 | tr , ' ')"
same "bytes of segments count their offsets" "$((4 * 4000 + 8 + 12 * $(fields work results | sed -n 's/^max:ragged16:4000,//p' | head -1)))" \
    "$(fields work bytes | sed -n 's/^max:ragged16:4000,//p' | head -1)"
same "as many fields in all lines" 1 "$(grep -v '^#' "$work/out" | awk -F, '{print NF}' | sort -u | wc -l)"
same "ours is what ratios are of" "1.0000" "$(fields contestant ratio | sed -n 's/^jitreduce,//p' | sort -u)"
same "shares are of the flat sum, or of a copy" "flat sum,1.0000,|copy,,1.0000|" \
    "$(fields contestant flat_share copy_share | sed -n 's/^jitreduce flat/flat/p; /^copy/p' | sort -ru | tr '\n' '|')"
same "the head says where and how" "command device driver jitreduce nvrtc peer" \
    "$(sed -n 's/^# \([a-z]*\): ..*/\1/p' "$work/out" | sort | paste -sd' ')"

bench --tuning 128x2 --tuning 64x4x3 sum:100x60:0
same "tunings that are asked for are measured, too" "0 |jitreduce,0|jitreduce 128x2,0|jitreduce 64x4x3,0|" \
    "$? $(cat "$work/err")|$(fields contestant wrong_results | grep '^jitreduce,\|^jitreduce [0-9]' | tr '\n' '|')"
same "and are taken" "uf 2 block 128|uf 4 block 64 grid 3|" \
    "$(fields contestant tuning | sed -n 's/^jitreduce 128x2,.*\(uf.*\) grid.*/\1/p; s/^jitreduce 64x4x3,.*\(uf.*\);.*/\1/p' | tr '\n' '|')"
bench --tuning 128 sum:100x60:0
same "what is no tuning is told" "1 torch_bench.py: '128' is no tuning like 256x8 or 256x8x264: block x unroll factor x grid" \
    "$? $(cat "$work/err")"

bench argmax:ragged16:1000
same "what the peer cannot do is measured without it" "0 jitreduce,|jitreduce flat sum,0|" \
    "$? $(fields contestant wrong_results | tr '\n' '|')"
check "and that is told" grep -q '^torch_bench.py: argmax:ragged16:1000: NumPy .* is left out: ' "$work/err"

cat >"$work/wrong.py" <<'END'
import sys
sys.path[:0] = ["tools/bench", "tests/judge"]
import numpy_device
import torch_bench
read = numpy_device.Array.read
numpy_device.Array.read = lambda array: read(array) + (array.host.size == 10)
torch_bench.main()
END
# shellcheck disable=SC2046  # words of env
env $(preloads "$build") "$python" "$work/wrong.py" --device sim "$build/libjitreduce.so" sum:10x20:1 >"$work/out" 2>"$work/err"
same "wrong results are told" "1 torch_bench.py: 1 contestants have wrong results: the last column says which" "$? $(cat "$work/err")"
same "and counted" "jitreduce,10" "$(fields contestant wrong_results | head -1)"

for word in sum:3x4:2 mean:3x4:1 sum sum:3xa:0 sum:0x4:0 sum:raggedx:5; do
    bench "$word"
    same "$word is no work" "1 torch_bench.py: '$word' is no work like" "$? $(grep -o "^torch_bench.py: '$word' is no work like" "$work/err")"
done

# What PyTorch alone runs has the same functions as what was run here.
same "PyTorch's arrays have the functions of NumPy's" "" "$("$python" - <<'END'
import ast
from pathlib import Path
def functions(name):
    tree = ast.parse(Path("tools/bench", name).read_text())
    device = next(node for node in tree.body if getattr(node, "name", "") == "Device")
    return {node.name: len(node.args.args) for node in device.body if isinstance(node, ast.FunctionDef)}
print(*(functions("numpy_device.py").items() ^ functions("torch_device.py").items()))
END
)"
finish
