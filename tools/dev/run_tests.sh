#!/usr/bin/env bash
# Runs test programs, some at the same time, and prints one line each, with the CPU time it took, and the sum of all at
# the end.
# usage: run_tests.sh DEVICE BUILD_FOLDER JOBS TIMEOUT_SECONDS TEST...
#
# A test is a CMocka program, a script whose last line is 'N passed, N failed[, N skipped]', or FOLDER/NAME.case, for
# which FOLDER/run.sh NAME is run. Each one writes into its own log, so that outputs stay whole; a failed test's log is
# shown in full. A program that crashes, hangs, or counts nothing is one failure. A run without any test has failed.
#
# Tests share one folder of compiled kernels, the cache of all kinds of builds, which the next run finds: a kernel's key is made
# of what was compiled, not of how the library was. COLD=1 gives each test an empty folder, and so does the line
# '/* cache: own */' or '# cache: own' in its source: it counts compiles, looks at their reasons or at the folder.
# tools/dev/check_rules.sh demands that line.
set -uo pipefail

# Prints "passed failed skipped" of a log, from CMocka's summary lines or from a script's closing line.
counts() {
    awk '
        /^\[  PASSED  \] [0-9]+ test/ {passed += $4}
        /^\[  FAILED  \] [0-9]+ test/ {failed += $4}
        /^\[  SKIPPED \] [0-9]+ test/ {skipped += $4}
        /^[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$/ {passed += $1; failed += $3; skipped += $5}
        END {print passed + 0, failed + 0, skipped + 0}' "$1"
}

# Prints "name: reason" for each skipped test: the last line that the test said before it skipped.
skips() {
    awk '
        /^\[ RUN      \]/ {reason = "no reason given"; next}
        /^\[  SKIPPED \] [0-9]+ test/ {exit}
        /^\[  SKIPPED \]/ {print "      skipped " $4 ": " reason; next}
        /^skipped .*:/ {print "      " $0; next}
        /Skipped!$/ || /^\[/ || /^$/ {next}
        {reason = $0}' "$1"
}

# cache_of TEST NAME: names the folder of compiled kernels. A shared one may become larger than a user's.
cache_of() {
    local source=$1
    case $source in *.case | *.sh) ;; *) source=tests/${source##*tests/}.c ;; esac
    if [ "${COLD:-}" = 1 ] || grep -qE '^(/\*|#) cache: own' "$source"; then
        export JITREDUCE_CACHE_DIR=$RESULTS/cache/$2
    else
        export JITREDUCE_CACHE_DIR=${BUILD%/*}/cache JITREDUCE_CACHE_BYTES=$((2 << 30))
    fi
}

run_one() {
    local test=$1 name log code=0 passed failed skipped
    name=${test##*tests/} name=${name//\//.}
    local command=("$test")
    if [[ $test == *.case ]]; then command=("${test%/*}/run.sh" "$(basename "$test" .case)"); fi
    log=$RESULTS/$name.log
    cache_of "$test" "$name"
    # shellcheck disable=SC2086  # the wrapper is a command with arguments
    { time timeout --kill-after=10 "$TIMEOUT" ${WRAPPER:-} "${command[@]}" >"$log" 2>&1 </dev/null || code=$?; } 2>"$RESULTS/$name.time"
    read -r passed failed skipped < <(counts "$log")
    if [ "$code" != 0 ] && [ "$failed" = 0 ]; then failed=1; fi
    if [ "$code" = 0 ] && [ $((passed + failed + skipped)) = 0 ]; then failed=1 code="0, no test ran"; fi
    echo "$passed $failed $skipped" >"$RESULTS/$name.counts"
    {
        printf '%-4s %-44s %6s s %4d passed' "$([ "$failed" = 0 ] && echo ok || echo FAIL)" "$name" \
            "$(LC_ALL=C awk '{gsub(/,/, "."); printf "%.1f", $1 + $2}' "$RESULTS/$name.time")" "$passed"
        if [ "$failed" != 0 ]; then printf ', %d failed (exit code %s)' "$failed" "$code"; fi
        if [ "$skipped" != 0 ]; then printf ', %d skipped' "$skipped"; fi
        printf '\n'
        skips "$log"
        if [ "$failed" != 0 ]; then sed 's/^/    | /' "$log" | tail -n 400; fi
    } >"$RESULTS/$name.line"
    flock "$RESULTS/lock" cat "$RESULTS/$name.line"
}

if [ "${1:-}" = --one ]; then
    TIMEFORMAT='%U %S' run_one "$2"
    exit 0
fi

export JITREDUCE_DEVICE=$1 TIMEOUT=$4 BUILD
BUILD=$(cd "$2" && pwd) jobs=$3
shift 4
cd "$(dirname "$0")/../.." || exit 1
export JR_TEST_BUILD=$BUILD JR_TEST_SOURCE=$PWD
export JITREDUCE_SIM=${JITREDUCE_SIM-$BUILD/libjrsim.so}
if [ -d "$BUILD/lib" ]; then export LD_LIBRARY_PATH=$BUILD/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}; fi
for nvrtc in "$BUILD"/libnvrtc.so.*; do
    if [ -e "$nvrtc" ]; then export JITREDUCE_NVRTC=${JITREDUCE_NVRTC-$nvrtc}; fi
done
export JITREDUCE_WISDOM= # what was tuned on this machine is not what is tested
# intercept_tls_get_addr: the leak sanitizer's own tracer crashes now and then where it follows what libraries that were
# opened late keep a thread (google/sanitizers, issue 1353). protect_shadow_gap=0: where there is a GPU the driver maps
# memory in the gap that the sanitizer keeps to itself, else cuInit says that it is out of memory.
export ASAN_OPTIONS=${ASAN_OPTIONS-detect_leaks=1:abort_on_error=0:intercept_tls_get_addr=0:protect_shadow_gap=0} TSAN_OPTIONS=${TSAN_OPTIONS-halt_on_error=1:die_after_fork=0:suppressions=$PWD/tools/dev/tsan.supp}
export LSAN_OPTIONS=${LSAN_OPTIONS-suppressions=$PWD/tools/dev/lsan.supp:print_suppressions=0}
export UBSAN_OPTIONS=${UBSAN_OPTIONS-print_stacktrace=1}

# A folder of its own for each run: two runs in one build folder must not count each other's tests.
RESULTS=$(mktemp -d "$BUILD/running.XXXXXX") || exit 1
export RESULTS
trap 'rm -rf "$RESULTS"' EXIT
mkdir -m 700 "$RESULTS/cache"
printf '%s\n' "$@" | sed '/^$/d' | xargs -r -P "$jobs" -n 1 "$PWD/tools/dev/run_tests.sh" --one

cat "$RESULTS"/*.counts 2>/dev/null | awk -v tests="$(printf '%s\n' "$@" | sed '/^$/d' | wc -l)" '
    {passed += $1; failed += $2; skipped += $3}
    END {
        if (NR < tests) failed += tests - NR # a test whose counts are lost has not passed
        if (skipped) printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
        else printf "%d passed, %d failed\n", passed, failed
        exit failed > 0 || passed == 0
    }'
code=$?
rm -rf "$BUILD/results" && mv "$RESULTS" "$BUILD/results"
exit $code
