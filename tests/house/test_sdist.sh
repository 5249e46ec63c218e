#!/usr/bin/env bash
# The source distribution has what pip needs; where everything is to be run, pip builds it in a fresh environment.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/house/say.sh
. tests/house/say.sh
# shellcheck source=tests/cli/helpers.sh
. tests/cli/helpers.sh
export PYTHONDONTWRITEBYTECODE=1
make_work

archive=$(python3 tools/python/backend.py "$work" 2>"$work/log") || cat "$work/log"
check "it is made" test -s "$archive"
mkdir "$work/source" && tar -xzf "$archive" -C "$work/source" --strip-components=1
check "its information has the name of the package" grep -qx "Name: jitreduce" "$work/source/PKG-INFO"
check "the backend is in it" test -s "$work/source/tools/python/backend.py" -a -s "$work/source/pyproject.toml"
check "scripts stay executable" test -x "$work/source/tools/dev/deps.sh"
same "nothing that is built is in it" "" "$(cd "$work/source" && find . -name '*.o' -o -name '*.so*' -o -path ./build -o -path ./.deps)"
same "the same source makes the same bytes" "$(sha256sum <"$archive")" "$(mkdir "$work/again" && sha256sum <"$(python3 tools/python/backend.py "$work/again")")"
same "an unpacked one makes the same bytes" "$(sha256sum <"$archive")" "$(sha256sum <"$(python3 "$work/source/tools/python/backend.py" "$work/again")")"

if whole; then
    check "an environment is made" python3 -m venv "$work/venv"
    check "pip builds it" env -u MAKEFLAGS "$work/venv/bin/pip" install -q --no-index "$archive"
    same "it works" "8.0" "$(cd "$work" && env -u JITREDUCE_SIM -u LD_LIBRARY_PATH -u PYTHONPATH JITREDUCE_DEVICE=sim "$work/venv/bin/python" -c \
        'import array, jitreduce; print(jitreduce.sum(array.array("d", [3, 1, 4])))' 2>&1)"
else
    skip "pip builds it" "it compiles the library once more (make check-whole does)"
fi
finish
