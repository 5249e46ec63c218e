#!/usr/bin/env bash
# Draws the times of one operator and type over all sizes from a CSV file of `jitreduce bench --csv`, on a machine other
# than the one that measured.
# usage: plot_csv.sh FILE.csv OP TYPE OUT.svg
set -euo pipefail
if [ $# -ne 4 ]; then sed -n '4s/^# *//p' "$0" >&2 && exit 2; fi
csv=$1 op=$2 type=$3 out=$4
command -v gnuplot >/dev/null || { echo "plot_csv.sh: gnuplot is missing: \`make deps\` installs it" >&2 && exit 1; }
points=$(mktemp)
trap 'rm -f "$points"' EXIT

# Blocks of "bytes us", one a contestant, each under its name.
awk -F, -v op="$op" -v type="$type" '
    /^#/ || $1 != op || $2 != type { next }
    !($7 in seen) { seen[$7] = ++count; names[count] = $7 }
    { lines[$7] = lines[$7] $4 " " $8 "\n" }
    END { for (i = 1; i <= count; i++) printf "\"%s\"\n%s\n\n", names[i], lines[names[i]] }' "$csv" >"$points"
if [ ! -s "$points" ]; then echo "plot_csv.sh: $csv has nothing of $op $type" >&2 && exit 1; fi
device=$(sed -n 's/^# device: //p' "$csv")
gnuplot >"$out.new" <<EOF
set terminal svg size 900,560 font "sans-serif,13" background "white"
set title "$op of $type, $device: device time of one run, data beyond the caches"
set logscale x 2
set logscale y 10
set format x "2^{%L}"
set xlabel "bytes"
set ylabel "microseconds"
set key left top
set grid
plot for [i=0:$(grep -c "^\"" "$points")-1] "$points" index i using 1:2 with linespoints lw 2 pt 7 ps 0.5 title columnheader(1)
EOF
mv "$out.new" "$out"
