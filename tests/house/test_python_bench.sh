#!/usr/bin/env bash
# python_bench.py on the simulator: shapes with NumPy as the peer, calls alone; every kind of work has its lines, and
# wrong results are reported.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/house/say.sh
. tests/house/say.sh
# shellcheck source=tests/cli/helpers.sh
. tests/cli/helpers.sh
build=$(cd "${JR_TEST_BUILD:?}" && pwd) || exit 1
export JITREDUCE_SIM=$build/libjrsim.so PYTHONDONTWRITEBYTECODE=1
make_work

if ! python=$(find_numpy); then
    skip "python_bench.py" "no Python here has NumPy (make deps installs python3-numpy)"
    finish
    exit
fi

# bench WORK...: what it prints goes to out and err.
bench() {
    # shellcheck disable=SC2046  # words of env
    env $(preloads "$build") "$python" tools/bench/python_bench.py shapes --device sim --elements 6000 "$build/libjitreduce.so" "$@" \
        >"$work/out" 2>"$work/err"
}
# fields NAME...: these columns of all lines.
fields() { columns "$@" <"$work/out"; }

bench sum,argmax:16384x16384:0 max:7x11x13x17x19x23:3 sum:2684354x100:1 sum,max:ragged16:4000 cumsum:1048576x32:0 cumsum:5000:0 min,argmin,norm:flat:3000
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
same "what is no tuning is told" "1 python_bench.py: '128' is no tuning like 256x8 or 256x8x264: block x unroll factor x grid" \
    "$? $(cat "$work/err")"

bench argmax:ragged16:1000
same "what the peer cannot do is measured without it" "0 jitreduce,|jitreduce flat sum,0|" \
    "$? $(fields contestant wrong_results | tr '\n' '|')"
check "and that is told" grep -q '^python_bench.py: argmax:ragged16:1000: NumPy .* is left out: ' "$work/err"

cat >"$work/wrong.py" <<'END'
import sys
sys.path.insert(0, "tools/bench")
import python_bench
import python_devices
read = python_devices.Array.read
python_devices.Array.read = lambda array: read(array) + (array.host.size == 10)
python_bench.main()
END
# shellcheck disable=SC2046  # words of env
env $(preloads "$build") "$python" "$work/wrong.py" shapes --device sim "$build/libjitreduce.so" sum:10x20:1 >"$work/out" 2>"$work/err"
same "wrong results are told" "1 python_bench.py: 1 contestants have wrong results: the column wrong_results says which" "$? $(cat "$work/err")"
same "and counted" "jitreduce,10" "$(fields contestant wrong_results | head -1)"

for word in sum:3x4:2 mean:3x4:1 sum sum:3xa:0 sum:0x4:0 sum:raggedx:5; do
    bench "$word"
    same "$word is no work" "1 python_bench.py: '$word' is no work like" "$? $(grep -o "^python_bench.py: '$word' is no work like" "$work/err")"
done

# What PyTorch alone runs has the same functions as what was run here.
same "PyTorch's arrays have the functions of NumPy's" "of_cupy" "$("$python" - <<'END'
import ast
from pathlib import Path
made = {node.name: node for node in ast.parse(Path("tools/bench/python_devices.py").read_text()).body if isinstance(node, ast.ClassDef)}
numpy, torch = ({(node.name, len(node.args.args)) for node in made[name].body if isinstance(node, ast.FunctionDef)}
                for name in ("NumpyDevice", "TorchDevice"))
print(*(name for name, _ in numpy ^ torch))
END
)"

package=$build/python
if [ ! -e "$package/jitreduce/_jitreduce.abi3.so" ]; then
    skip "calls" "the package is not built (make python)"
    finish
    exit
fi
# shellcheck disable=SC2046  # words of env
calls() { env $(preloads "$build") PYTHONPATH="$package" "$python" tools/bench/python_bench.py calls --device sim --calls 1 "$@" >"$work/out" 2>"$work/err"; }
calls --counts 10
same "all calls give what NumPy's arrays give" "0 21 0 " "$? $(fields wrong | wc -l) $(fields wrong | sort -u) $(cat "$work/err")"
calls --counts 7,10 sum "sum value"
same "calls and counts that are asked for are measured" "sum,128|sum value,128|sum,1024|sum value,1024|" "$(fields work count | tr '\n' '|')"
same "the head says where and how, here too" "command device driver jitreduce nvrtc" "$(sed -n 's/^# \([a-z]*\): ..*/\1/p' "$work/out" | sort | paste -sd' ')"
calls nothing
same "an unknown call is told" "1 python_bench.py: 'nothing' is no work: there are sum, max, var," "$? $(cut -c1-63 "$work/err")"

# shellcheck disable=SC2046  # words of env
views() { env $(preloads "$build") PYTHONPATH="$package" "$python" "${script:-tools/bench/python_bench.py}" views --device sim "$@" >"$work/out" 2>"$work/err"; }
views "sum: x[:, ::2]" "sum axis 1: x[::-1]" "sum axis 0: windows of 32" "argmax: x.T"
same "views give what NumPy has for them" "0 sum: x[:; ::2],jitreduce(numpy),512,0|sum: x[:; ::2],numpy,512,0|sum axis 1: x[::-1],jitreduce(numpy),1024,0|" \
    "$? $(cat "$work/err")$(fields work contestant count wrong_results | head -3 | tr '\n' '|')"
same "a line for each contestant of each view" "8 0" "$(fields wrong_results | wc -l) $(fields wrong_results | sort -u)"
sed 's/python_devices.Array.read = .*/import jitreduce as jr, python_views\npython_views.DONE["sum"] = (lambda x: jr.sum(x) + 1, "sum", ())/' "$work/wrong.py" >"$work/wrong_views.py"
script=$work/wrong_views.py views "sum: x.T"
same "a wrong sum of a view is told" "1 python_bench.py: 1 contestants have wrong results: the column wrong_results says which" "$? $(cat "$work/err")"
views "sum: y"
same "an unknown view is told" "1 python_bench.py: 'sum: y' is no work: there are sum: x, sum: x[:, ::2]," "$? $(cut -c1-71 "$work/err")"
finish
