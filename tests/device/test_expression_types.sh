#!/usr/bin/env bash
# The random expressions of test_expression_types through the command and the Python package.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/house/say.sh
. tests/house/say.sh
# shellcheck source=tests/cli/helpers.sh
. tests/cli/helpers.sh
build=$(cd "${JR_TEST_BUILD:-build/current}" && pwd) || exit 1
export JITREDUCE_DEVICE=${JITREDUCE_DEVICE:-sim} JITREDUCE_SIM=${JITREDUCE_SIM-$build/libjrsim.so}
count=10
if [ "${JR_TESTS:-}" = whole ]; then count=300; fi

if ! python=$(find_numpy); then
    skip "random expressions" "no Python here has NumPy (make deps installs python3-numpy)"
    finish
elif [ ! -x "$build/tests/device/test_expression_types" ]; then
    skip "random expressions" "tests/device/test_expression_types, which makes them, is not built"
    finish
else
    # shellcheck disable=SC2046  # words of env
    env -u JR_TESTS JR_PRINT=1 JR_SEED=1000001 JR_CASES=$((40 * count)) "$build/tests/device/test_expression_types" |
        env PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$build/python" $(preloads "$build") "$python" \
            tests/python/expression_doors.py "$build/jitreduce" "$count"
fi
