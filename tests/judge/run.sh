#!/usr/bin/env bash
# NumPy as the judge of every operator and type: runs judge.py on the library in the build folder.
# usage: [JITREDUCE_JUDGE=full] run.sh full: every algorithm, larger arrays (for a GPU); exact: exact sums, which are
# skipped silently
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/house/say.sh
. tests/house/say.sh
# shellcheck source=tests/cli/helpers.sh
. tests/cli/helpers.sh
build=$(cd "${JR_TEST_BUILD:-build/current}" && pwd) || exit 1
export JITREDUCE_DEVICE=${JITREDUCE_DEVICE:-sim} JITREDUCE_SIM=${JITREDUCE_SIM-$build/libjrsim.so}

if ! python=$(find_numpy); then
    skip "all operators" "no Python here has NumPy (make deps installs python3-numpy)"
    finish
else
    # shellcheck disable=SC2046  # words of env
    exec env PYTHONDONTWRITEBYTECODE=1 $(preloads "$build") "$python" tests/judge/judge.py "$build/libjitreduce.so" \
        ${JITREDUCE_JUDGE:+"$JITREDUCE_JUDGE"}
fi
