#!/usr/bin/env bash
# The wheel installs into a fresh environment, away from the build folder, and README's lines of Python run there.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/house/say.sh
. tests/house/say.sh
# shellcheck source=tests/cli/helpers.sh
. tests/cli/helpers.sh
build=$(cd "${JR_TEST_BUILD:-build/current}" && pwd) || exit 1
wheel=$(compgen -G "$build/wheel/jitreduce-*.whl")
make_work

if [ -z "$wheel" ]; then
    skip "the wheel" "it was not built: Python's headers are missing (make deps installs python3-dev)"
    finish
    exit
elif sanitized "$build/jitreduce"; then
    skip "the wheel" "a wheel with a sanitizer is for nobody"
    finish
    exit
elif ! python=$(find_numpy) || ! "$python" -m venv --system-site-packages "$work/venv" >"$work/log" 2>&1 ||
    ! "$work/venv/bin/python" -c 'import numpy' 2>>"$work/log"; then
    skip "the wheel" "no Python here has NumPy and makes environments that see it (make deps installs python3-numpy and python3-venv)"
    finish
    exit
fi

# installed COMMAND...: runs it with nothing of the build folder around, but with the NVRTC that there is.
installed() { (cd "$work" && env -u JITREDUCE_SIM -u LD_LIBRARY_PATH -u PYTHONPATH JITREDUCE_DEVICE=sim "$@"); }

check "pip installs it" "$work/venv/bin/pip" install -q --no-index --no-deps "$wheel"
tools/dev/readme_example.sh --language python >"$work/lines.py"
same "README's lines print what stands there" "$(tools/dev/readme_example.sh --language python --output)" \
    "$(installed "$work/venv/bin/python" lines.py 2>&1)"
same "the command is there" "9" "$(echo 3 9 4 | installed "$work/venv/bin/jitreduce" --op max)"
same "the simulator is the wheel's" "yes" \
    "$(installed "$work/venv/bin/python" -c 'import jitreduce
print(*{"yes" if "venv" in found[2] else found[2] for found in jitreduce.doctor() if found[0] == "simulator" and found[3]})')"
same "headers are in it" "yes" "$(test -e "$work"/venv/lib/python3*/site-packages/jitreduce/include/jitreduce.h && echo yes)"
check "the manual is in it" test -s "$work/venv/share/doc/jitreduce/manual/scan.md"
same "nothing but glibc is needed" "ld-linux-x86-64.so.2 libc.so.6 libjitreduce.so.0 libm.so.6" \
    "$(readelf -d "$work"/venv/lib/python3*/site-packages/jitreduce/{*.so*,jitreduce} | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort -u | paste -sd' ')"
same "the same files make the same bytes" "$(sha256sum <"$wheel")" \
    "$(mkdir "$work/again" && cp "$build"/wheel/{lib*,jitreduce} "$work/again" && tools/python/wheel.py "$(basename "$wheel" | cut -d- -f2)" "$build/python/jitreduce" "$work/again" >/dev/null && sha256sum <"$(compgen -G "$work/again/*.whl")")"
if "$python" -c 'import auditwheel' 2>/dev/null; then
    check "auditwheel finds the platform that it is named after" grep -q "$(basename "$wheel" .whl | cut -d- -f5)" <("$python" -m auditwheel show "$wheel" 2>&1)
else
    skip "auditwheel" "it is not installed (pip install auditwheel)"
fi
check "pip removes it" "$work/venv/bin/pip" uninstall -q -y jitreduce
check "pip removes the manual, too" test ! -e "$work/venv/share/doc/jitreduce/manual/scan.md"
finish
