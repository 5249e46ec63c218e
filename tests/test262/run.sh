#!/usr/bin/env bash
# Exact sums held against the cases of Math.sumPrecise in JavaScript's conformance suite (tc39/test262), which are fetched for the run.
# usage: JR_TEST262=FOLDER run.sh    FOLDER: the suite's test/built-ins/Math/sumPrecise; each case is summed as it stands and turned around
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/house/say.sh
. tests/house/say.sh
build=$(cd "${JR_TEST_BUILD:-build/current}" && pwd) || exit 1
export JITREDUCE_DEVICE=${JITREDUCE_DEVICE:-sim} JITREDUCE_SIM=${JITREDUCE_SIM-$build/libjrsim.so}

# Lines of "terms -> sum", of words that the command reads, too.
cases() {
    sed -n 's/^assert\.sameValue(Math\.sumPrecise(\[\(.*\)\]), \(.*\));.*$/\1 -> \2/p' "$1"/*.js | sed 's/,/ /g; s/Infinity/inf/g; s/NaN/nan/g; s/-0\b\([^.]\)/-0.0\1/g; s/-0$/-0.0/'
}
turned() { tr ' ' '\n' <<<"$1" | grep . | tac | tr '\n' ' '; }
sum() { "$build/jitreduce" --type f64 --accuracy exact <<<"$1"; }

if [ -z "${JR_TEST262:-}" ]; then
    skip "sums of test262" "JR_TEST262 names no folder of its cases"
    finish
    exit
fi
found=0
while read -r line; do
    terms=${line% -> *} wanted=${line#* -> }
    # Of nothing JavaScript's sum is -0; ours is +0, as C's and NumPy's.
    if [ -z "${terms// /}" ] || [[ $line == "-> "* ]]; then continue; fi
    found=$((found + 1))
    # What the suite expects is printed as a sum of itself alone, to be spelled as sums are.
    expected=$(sum "$wanted")
    same "the sum of $terms" "$expected" "$(sum "$terms")"
    same "the same, turned around" "$expected" "$(sum "$(turned "$terms")")"
done < <(cases "$JR_TEST262")
check "there are cases in $JR_TEST262" [ "$found" -gt 20 ]
finish
