#!/usr/bin/env bash
# NumPy as the judge of every operator and type: runs judge.py on the library in the build folder.
# usage: [JITREDUCE_JUDGE=full] run.sh     full: every algorithm, larger arrays (for a GPU)
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/house/say.sh
. tests/house/say.sh
build=$(cd "${JR_TEST_BUILD:-build/current}" && pwd) || exit 1
export JITREDUCE_DEVICE=${JITREDUCE_DEVICE:-sim} JITREDUCE_SIM=${JITREDUCE_SIM-$build/libjrsim.so}

# The first Python that has NumPy: the user's own may hide Debian's.
find_python() {
    local python
    for python in python3 /usr/bin/python3; do
        if "$python" -c 'import numpy' 2>/dev/null; then echo "$python" && return; fi
    done
    return 1
}

if ! python=$(find_python); then
    skip "all operators" "no Python here has NumPy (make deps installs python3-numpy)"
    finish
elif [[ $(ldd "$build/libjitreduce.so") =~ lib(a|t|ub)san ]]; then
    skip "all operators" "the library is built with a sanitizer, which Python cannot load"
    finish
elif [ -n "${WRAPPER:-}" ]; then
    skip "all operators" "compute-sanitizer would take hours"
    finish
else
    PYTHONDONTWRITEBYTECODE=1 exec "$python" tests/judge/judge.py "$build/libjitreduce.so" ${JITREDUCE_JUDGE:+"$JITREDUCE_JUDGE"}
fi
