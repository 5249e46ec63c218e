#!/usr/bin/env bash
# Runs the recorder on the simulator: of exact rows it must write what a GPU's record holds, line by line.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
. tests/house/say.sh
recorder=$JR_TEST_BUILD/tests/support/ptx/record_forms
make_work

check "the recorder" "$recorder" --device sim "$work/new"
for record in tests/support/ptx/recorded/*.txt; do
    name=${record##*/}
    if grep -q '^0x' "$record"; then
        same "$name" "$(grep -v '^#' "$record")" "$(grep -v '^#' "$work/new/$name")"
    fi
done
check "a file for each list" test "$(find "$work/new" -name '*.txt' | wc -l)" -ge 7
check "no device of that name" test "$("$recorder" --device nonsense "$work/new" 2>&1 | grep -c "unknown device 'nonsense'")" = 1
check "a folder that cannot be made" grep -q "cannot be made" <("$recorder" --device sim /proc/none/new 2>&1)
check "no folder" grep -q "^usage: record_forms" <("$recorder" 2>&1)
finish
