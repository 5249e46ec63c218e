#!/usr/bin/env bash
# Alternatives are measured in small, on the simulator: the files have the default as well as the requested blocks.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/house/say.sh
. tests/house/say.sh
build=$(cd "${JR_TEST_BUILD:?}" && pwd) || exit 1
export JITREDUCE_DEVICE=sim JITREDUCE_SIM=$build/libjrsim.so
make_work
calibrate() { env SMALL=1 BUILD="$build" ONLY="$1" tools/bench/calibrate.sh "$work/csv"; }

check "splits and blocks of scans are measured" calibrate 'calibrate_flat calibrate_scan'
same "nothing else is" $'calibrate_flat.csv\ncalibrate_scan.csv' "$(ls "$work/csv")"
check "a sum is measured as the library chooses" grep -q '^sum,f32,100,.*,jitreduce,.*; estimate' "$work/csv/calibrate_flat.csv"
for unroll in 1 2; do
    check "and by a block of 64 and an unroll factor of $unroll" grep -q "^sum,f32,100,.*single_pass uf $unroll block 64 " "$work/csv/calibrate_flat.csv"
done
check "a scan is measured as the library chooses" grep -q '^inclusive,sum,f32,f32,flat,all,128,.*,jitreduce,' "$work/csv/calibrate_scan.csv"
check "and by the block that was asked for" grep -q '^inclusive,.*,jitreduce bulk_copy 128x1,' "$work/csv/calibrate_scan.csv"
numbers=$("$build/bench/tuned_bench" BLOCK COLUMNS_LOADS)
for block in 512 256 1024; do
    check "a number's value $block is what the library uses" grep -q "^BLOCK,$block,.* uf 4 block $block\$" <<<"$numbers"
done
check "so it is for columns" grep -q '^COLUMNS_LOADS,4,.*segmented_columns uf 4 ' <<<"$numbers"
check "a number that is not measured is refused" grep -q "'NONE' is not a number" <("$build/bench/tuned_bench" NONE 2>&1)
check "nothing is measured without a folder: the usage is shown" grep -q '^usage: .*calibrate.sh FOLDER' <(tools/bench/calibrate.sh 2>&1)
finish
