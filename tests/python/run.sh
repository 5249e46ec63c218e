#!/usr/bin/env bash
# The Python package on the simulator, with NumPy as the oracle: every test_*.py in this folder, and the docstrings.
# usage: run.sh      JITREDUCE_PYTHON=python3.13: with that Python
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/house/say.sh
. tests/house/say.sh
# shellcheck source=tests/cli/helpers.sh
. tests/cli/helpers.sh
build=$(cd "${JR_TEST_BUILD:-build/current}" && pwd) || exit 1
export JITREDUCE_DEVICE=${JITREDUCE_DEVICE:-sim} JITREDUCE_SIM=${JITREDUCE_SIM-$build/libjrsim.so}

if [ ! -e "$build/python/jitreduce/_jitreduce.abi3.so" ]; then
    skip "the Python package" "it was not built: Python's headers are missing (make deps installs python3-dev)"
    finish
elif ! python=${JITREDUCE_PYTHON:-$(find_numpy)}; then
    skip "the Python package" "no Python here has NumPy (make deps installs python3-numpy)"
    finish
elif ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    skip "the Python package" "$python is older than 3.11"
    finish
else
    # shellcheck disable=SC2046  # words of env
    exec env PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$build/python:tests/python" $(preloads "$build") "$python" \
        tests/python/run_all.py
fi
