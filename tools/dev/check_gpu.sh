#!/usr/bin/env bash
# Runs tests/device, tests/cli and tests/judge on a real GPU with a tree that is already built; needs no compiler, git or make.
# usage: [SANITIZER=memcheck|racecheck|initcheck|synccheck] [T=word] check_gpu.sh [BUILD_FOLDER]
#
# To test on another machine: `make check-build STATIC_DEPS=1` here, copy the checkout with its build folder there, and
# run this script. The copied libraries in BUILD_FOLDER/lib are found first.
#
# racecheck reports hazards in scans and reductions of runs by bulk_copy and wave, whose roles synchronise by named
# barriers and mbarriers. It reports the same for a correct program of 30 lines with such barriers. The simulator knows
# these barriers, and finds no hazard.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=${1:-build/current}

if [ -n "${SANITIZER:-}" ]; then
    tool=$(command -v compute-sanitizer || echo /usr/local/cuda/bin/compute-sanitizer)
    export WRAPPER="$tool --tool $SANITIZER --error-exitcode 99 --target-processes all --report-api-errors no"
    # Kernels of several streams that write neighbouring words at the same time lose initcheck's marks of each other.
    if [ "$SANITIZER" = initcheck ]; then WRAPPER+=" --force-blocking-launches"; fi
fi
tests=()
for test in "$build"/tests/device/test_* tests/cli/*.case tests/judge/run.sh tests/device/runtime_program.sh tests/device/debuggers.sh; do
    if [ ! -e "$test" ] || [[ $test != *"${T:-}"* ]]; then continue; fi
    if [ -n "${SANITIZER:-}" ] && [ "$test" = tests/judge/run.sh ]; then
        echo "left out: $test: it would take hours under compute-sanitizer"
    else
        tests+=("$test")
    fi
done
exec tools/dev/run_tests.sh cuda "$build" 1 "${TEST_TIMEOUT:-600}" "${tests[@]}"
