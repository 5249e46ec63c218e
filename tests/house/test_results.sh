#!/usr/bin/env bash
# Every figure of the pages is what the CSV files say: RESULTS.md and the tables of other pages are held against them, and
# a copy of the tree shows that a changed figure, page or CSV file is found.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/house/say.sh
. tests/house/say.sh
export PYTHONDONTWRITEBYTECODE=1
make_work
results() { "${2:-.}/tools/bench/results.py" "$1"; }

check "RESULTS.md and all tables of figures are what the CSV files say" results --check

mkdir -p "$work/tools/bench" "$work/include"
cp -r tools/bench/h100 tools/bench/h200 tools/bench/results*.py tools/bench/RESULTS.md "$work/tools/bench"
cp README.md "$work"
if [ -d include/manual ]; then cp -r include/manual "$work/include"; fi
check "a copy of the tree is up to date, too" results --check "$work"

sed -i '0,/| 2^20 | /s//| 2^20 | 9/' "$work/tools/bench/RESULTS.md"
same "a figure that was typed is found" "tools/bench/RESULTS.md is stale: run 'make results'" "$(results --check "$work")"
"$work/tools/bench/results.py" >"$work/out"
check "and made again" diff tools/bench/RESULTS.md "$work/tools/bench/RESULTS.md"

sed -i 's/^\(sum,f32,1048576,.*,jitreduce\),[0-9.]*/\1,1.0000/' "$work/tools/bench/h100/sizes.csv"
check "a CSV file that was measured again makes the page stale" grep -q RESULTS.md <(results --check "$work")

printf '\n<!-- results: flat -->\n<!-- end of results -->\n' >>"$work/README.md"
"$work/tools/bench/results.py" >"$work/out"
check "a page takes a table by its name" grep -q '^| 2^28 | ' "$work/README.md"
printf '<!-- results: nothing -->\n<!-- end of results -->\n' >>"$work/README.md"
check "an unknown table is named" grep -q 'asks for the table nothing: there are axes' <("$work/tools/bench/results.py" 2>&1)
sed -i '/results: nothing/,$d' "$work/README.md"
sed -i 's/580.159.04/590.1/' "$work/tools/bench/h100/rows.csv"
check "files of one table that were measured with different drivers are an error" grep -q 'measured differently: h100/{columns,rows,ragged}' \
    <("$work/tools/bench/results.py" 2>&1)
finish
