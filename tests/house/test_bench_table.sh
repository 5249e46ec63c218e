#!/usr/bin/env bash
# The whole table of ratios is measured in small, with this library as the peer, and every row finds its numbers.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/house/say.sh
. tests/house/say.sh
export HELPERS=$PWD/tests/cli/helpers.sh
# shellcheck source=tests/cli/helpers.sh
. "$HELPERS"
build=$(cd "${JR_TEST_BUILD:?}" && pwd) || exit 1
export JITREDUCE_DEVICE=sim JITREDUCE_SIM=$build/libjrsim.so PATH=$build:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What segment_bench prints, so that its rows have numbers without building it.
segments() {
    local power
    for power in 2 4 6 8 10 12 14 17 20 24; do
        for kind in equal offsets; do
            printf '%-28s %10d segments  %10.2f us  %8.1f GB/s  flat %10.2f us  ratio 1.000  CUB 300600 %10.2f us  ratio %d.500\n' \
                "$kind, length $((1 << power))" 7 5 3 1 2 "$power"
        done
    done
}

# A program of its own, as table.sh takes one word.
if ! python=$(find_numpy); then
    skip "the table of ratios" "no Python here has NumPy (make deps installs python3-numpy)"
    finish
    exit
fi
printf '#!/bin/sh\nexec env %s %s "$@"\n' "$(preloads "$build")" "$python" >"$work/python"
chmod +x "$work/python"
check "the peer is built" peer "$work/self.so"
check "table.sh runs" env SMALL=1 BUILD="$build" PYTHON="$work/python" tools/bench/table.sh "$work/out" "$work/self.so"
rows=$(grep -vc '^#' tools/bench/targets.txt)
same "a row for every target" "$rows" "$(grep -cE '\| (yes|no|not measured) \|$' "$work/out/table.md")"
same "only what needs CuPy is not measured" "map, combine and finish, against a ReductionKernel" \
    "$(grep 'not measured' "$work/out/table.md" | grep -v segments | sed 's/^| //; s/ |.*//')"
same "Python's peers take their turns" "jitreduce|NumPy|jitreduce flat sum|" \
    "$(columns contestant <"$work/out/python.csv" | sed 's/NumPy .*/NumPy/' | awk '!seen[$0]++' | tr '\n' '|')"
if command -v gnuplot >/dev/null; then
    check "the picture is there" grep -q '</svg>' "$work/out/sizes.svg"
else
    skip "the picture is there" "gnuplot is missing (make deps installs it)"
fi

segments >"$work/out/segments.txt"
tools/bench/table.awk -v small=1 -v folder="$work/out" tools/bench/targets.txt >"$work/table.md"
same "lines of segment_bench are read" \
    "2.500 equal f32 4|2.500 offsets f32 4|4.500 offsets f32 16|6.500 offsets f32 64|8.500 offsets f32 256|24.500 offsets f32 16777216|" \
    "$(grep segments "$work/table.md" | awk -F' *[|] *' '{sub(/,.*/, "", $6); printf "%s %s|", $5, $6}')"
finish
