#!/usr/bin/env bash
# The table of ratios is measured in small, with this library and NumPy as peers, and every row finds its numbers; a table
# of files made by hand says the least of them.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/house/say.sh
. tests/house/say.sh
export HELPERS=$PWD/tests/cli/helpers.sh
# shellcheck source=tests/cli/helpers.sh
. "$HELPERS"
build=$(cd "${JR_TEST_BUILD:?}" && pwd) || exit 1
export JITREDUCE_DEVICE=sim JITREDUCE_SIM=$build/libjrsim.so PATH=$build:$PATH PYTHONDONTWRITEBYTECODE=1
make_work
table() { env SMALL=1 BUILD="$build" PYTHON="$work/python" tools/bench/table.sh "$@" >"$work/out" 2>"$work/err"; }

mkdir "$work/csv"
cat >"$work/csv/scan.csv" <<'END'
# device: D
# command: C
type,count,contestant,copy_share,ratio,kind,op,layout,run
f32,1048576,jitreduce,0.91,1.0,inclusive,sum,flat,all
f32,1048576,CUB 1,0.5,1.7,inclusive,sum,flat,all
f32,1048576,CUB 2,0.5,1.65,inclusive,sum,flat,all
f32,1048576,copy,1.0,0.9,inclusive,sum,flat,all
f32,4194304,jitreduce,0.95,1.0,inclusive,sum,keys,64
f32,4194304,jitreduce single_pass,0.5,1.1,inclusive,sum,keys,64
f32,4194304,CUB 1,0.5,1.2,inclusive,sum,keys,64
f64,4194304,jitreduce,0.99,1.0,inclusive,sum,flat,all
END
cat >"$work/csv/sizes.csv" <<'END'
op,type,count,contestant,ceiling_share,ratio
sum,f32,1024,jitreduce,0.8,1.0
sum,f32,1024,read 1,1.0,0.7
END
cat >"$work/targets" <<'END'
# comment
a|scan|type=f32,i32 count=2^20|ratio|1.6
b|scan|count>=2^21|copy_share|0.95
c|scan|type~^f layout!flat|ratio|1.3
d|scan|type=f64|ratio|1
e|none||ratio|1
f|scan|count<=2^20|copy_share|0.9
g|scan|layout=keys|ratio:jitreduce s|1
h|sizes|op=sum|ceiling_share|1
END
same "the least of the lines that are meant decides" \
    "a 1.650 'inclusive sum f32 1048576, CUB 2' 2 yes|b 0.950 'inclusive sum f32 4194304 keys 64' 2 yes|c 1.200 'inclusive sum f32 4194304 keys 64, CUB 1' 1 no|d - '-' 0 not measured|e - '-' 0 not measured|f 0.910 'inclusive sum f32 1048576' 1 yes|g 1.100 'inclusive sum f32 4194304 keys 64, jitreduce single_pass' 1 yes|h 0.800 'sum f32 1024' 1 no|" \
    "$(tools/bench/table.awk -v folder="$work/csv" "$work/targets" | awk -F' *[|] *' '$2 ~ /^[a-h]$/ {printf "%s %s \047%s\047 %s %s|", $2, $4, $5, $6, $7}')"
same "and what was measured on is told" "- device: D" \
    "$(tools/bench/table.awk -v folder="$work/csv" "$work/targets" | tail -n 1)"
echo 'a|scan|size=3|ratio|1' >"$work/targets"
same "an unknown column is told" "table.awk: no column size" \
    "$(tools/bench/table.awk -v folder="$work/csv" "$work/targets" 2>&1 >"$work/out")"

mkdir "$work/empty"
BUILD=$work/empty tools/bench/table.sh "$work/table" 2>"$work/err"
same "a missing program is told" "1 table.sh: 'make bench' builds $work/empty/bench/scan_bench" "$? $(cat "$work/err")"

if ! python=$(find_numpy); then
    skip "the whole table" "no Python here has NumPy (make deps installs python3-numpy)"
    finish
    exit
fi
# A program of its own, as table.sh takes one word.
printf '#!/bin/sh\nexec env %s %s "$@"\n' "$(preloads "$build")" "$python" >"$work/python"
chmod +x "$work/python"
check "the peer is built" peer "$work/self.so"
table "$work/table" "$work/self.so"
names=(sizes sum_graph half bytes argmin argmax products sum_offset list latency scan graph types operators offset segments reduce
    sums columns rows ragged cumsum flat)
same "everything is measured" "0 $(printf 'table.sh: %s|' "${names[@]}")" "$? $(tr '\n' '|' <"$work/err")"
same "a row for every target" "$(grep -vc '^#' tools/bench/targets.txt)" "$(grep -cE '\| (yes|no|not measured) \|$' "$work/table/table.md")"
same "only what needs CuPy or a large size is not measured" \
    "map, combine and finish, against a ReductionKernel, 2^28|segments by offsets, length 16777216|" \
    "$(grep 'not measured' "$work/table/table.md" | sed 's/^| //; s/ |.*//' | tr '\n' '|')"
if command -v gnuplot >/dev/null; then
    check "the picture is there" grep -q '</svg>' "$work/table/sizes.svg"
else
    skip "the picture is there" "gnuplot is missing (make deps installs it)"
fi
check "no path of this machine stands in a file" bash -c "! grep -rn '$work\|$build' '$work/table'"
ONLY="offset types" table "$work/table" "$work/self.so"
same "only what is named is measured again" "table.sh: types|table.sh: offset|" "$(tr '\n' '|' <"$work/err")"
same "and stands in the table with all others" "$(grep -vc '^#' tools/bench/targets.txt)" "$(grep -cE '\| (yes|no|not measured) \|$' "$work/out")"
finish
