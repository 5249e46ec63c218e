#!/usr/bin/env bash
# Every line of a benchmark that the table of tuned numbers names exists and has the time that the table gives; one that
# was measured again, or that moved, is found.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/house/say.sh
. tests/house/say.sh
make_work

# sources FILE: the places that its texts name, "h100/scan.csv:28 15.324", one a line.
sources() { tr '\n' ' ' <"$1" | sed 's/" *"//g' | grep -oE 'h[0-9]+/[a-z0-9_]+\.(csv|txt):[0-9]+ [0-9]+\.[0-9]+'; }

# wrong FILE: those that are not so, each with what stands there.
wrong() {
    local place time line
    while read -r place time; do
        line=$(sed -n "${place#*:}p" "tools/bench/${place%:*}" 2>&1)
        if [[ ",${line// /,}," != *",$time,"* ]]; then echo "$place $time: ${line:-no such line}"; fi
    done < <(sources "$1")
}

for table in src/plan/tuned.c src/plan/tuned_algorithms.c; do
    check "$table names lines of benchmarks" test "$(sources "$table" | wc -l)" -ge 10
    same "each line that $table names has the time that it tells" "" "$(wrong "$table")"
done
cat >"$work/table.c" <<<'{640, "h100/scan_runs.csv:14 "
         "13.130; h100/scan_runs.csv:14 13.131; h100/scan_runs.csv:9999 1.5; h100/none.csv:1 1.5"}'
same "another time, a line that is not there and a file that is not there are found" "3" "$(wrong "$work/table.c" | wc -l)"
finish
