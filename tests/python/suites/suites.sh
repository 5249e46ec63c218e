#!/usr/bin/env bash
# Tests by others: those of the array API standard, and NumPy's own of reductions, with this package's functions.
# usage: suites.sh      JITREDUCE_PYTHON=python3.13: with that Python, which has NumPy 2, pytest, hypothesis and ndindex;
#                       ARRAY_API_TESTS=FOLDER: a clone of github.com/data-apis/array-api-tests with its submodule;
#                       EXAMPLES=500: of each test of the array API
# Without them they are fetched into .deps/suites. What is skipped, and why: the first comments of array_api_numpy.py
# and numpy_by_jitreduce.py, and left_out.txt.
set -euo pipefail
cd "$(dirname "$0")/../../.."
build=$(cd "${JR_TEST_BUILD:-build/current}" && pwd)
suites=$PWD/tests/python/suites kept=$PWD/.deps/suites
commit=55fcc60179efa2680ddd6cd926ddf17b83530e2b

python=${JITREDUCE_PYTHON:-}
if [ -z "$python" ]; then
    python=$kept/venv/bin/python
    [ -x "$python" ] || python3 -m venv "$kept/venv"
    "$python" -c 'import numpy, pytest, hypothesis, ndindex' 2>/dev/null ||
        "$python" -m pip install -q numpy pytest hypothesis ndindex pytest-json-report
fi
api=${ARRAY_API_TESTS:-$kept/array-api-tests}
fetch() {
    git clone -q https://github.com/data-apis/array-api-tests "$api" && git -C "$api" checkout -q "$commit" &&
        git -C "$api" submodule -q update --init
}
if [ ! -d "$api/array_api_tests" ] && ! fetch; then
    echo "array-api-tests is missing, and could not be fetched: ARRAY_API_TESTS=FOLDER says where a clone of it is" >&2
    exit 1
fi

export PYTHONPATH=$build/python:$suites PYTHONDONTWRITEBYTECODE=1 ARRAY_API_TESTS_MODULE=array_api_numpy.xp
export JITREDUCE_DEVICE=${JITREDUCE_DEVICE:-sim} JITREDUCE_SIM=${JITREDUCE_SIM-$build/libjrsim.so}
run() { "$python" -W ignore -m pytest -q -p no:cacheprovider "$@"; }
failed=0
(cd "$api" && run --disable-deadline --max-examples="${EXAMPLES:-100}" array_api_tests/test_statistical_functions.py \
    array_api_tests/test_searching_functions.py array_api_tests/test_utility_functions.py \
    -k "statistical or count_nonzero or argmin or argmax or test_all or test_any") || failed=1
numpys() { (cd "$suites" && run -p numpy_by_jitreduce --pyargs "$@") || failed=1; }
numpys numpy._core.tests.test_numeric -k "NonarrayArgs or StdVar or BoolArray or Nonzero or Keepdims"
numpys numpy._core.tests.test_multiarray \
    -k "TestArgmaxArgminCommon or TestArgmax or TestArgmin or TestMinMax or TestStats"
numpys numpy._core.tests.test_ufunc -k "test_sum or test_reduc"
numpys numpy.lib.tests.test_nanfunctions -k "not Median and not Percentile and not Quantile"
exit $failed
