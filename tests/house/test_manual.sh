#!/usr/bin/env bash
# Every command and program of README and the manual runs and prints what its page says; pages are short and can be reached.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/house/say.sh
. tests/house/say.sh
# shellcheck source=tests/cli/helpers.sh
. tests/cli/helpers.sh

make_work
if python=$(find_numpy) && [ -d "${JR_TEST_BUILD:?}/python" ] && ! sanitized "$JR_TEST_BUILD/jitreduce"; then export JITREDUCE_PYTHON=$python; fi
for page in include/manual/*.md; do check "$page has 300 lines at most" test "$(wc -l <"$page")" -le 300; done
tests/house/page_blocks.py README.md include/manual/*.md >"$work/log" 2>&1
# What page_blocks.py says of the pages joins our own counts.
read -r p f s < <(tail -n 1 "$work/log" | sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p')
sed '$d' "$work/log"
passed=$((passed + ${p:-0})) failed=$((failed + ${f:-1})) skipped=$((skipped + ${s:-0}))

# A page that says something wrong fails: the runner itself is tried.
cat >"$work/wrong.md" <<'END'
```console
$ echo 1 2 | jitreduce
4
```
```sh
rm -rf everything
```
```c
int main(void) { return 1; }
```
```fortran
end
```
END
same "a wrong output, an unknown command, a program that fails and says nothing of its output, and a language that is unknown are failures" \
    "1 passed, 5 failed, 0 skipped" "$(tests/house/page_blocks.py "$work/wrong.md" | tail -n 1)"
finish
