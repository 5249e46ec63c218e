#!/usr/bin/env bash
# The patterns of words.sh are found wherever users read and in comments, by their place, and nothing else is.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/house/say.sh
. tests/house/say.sh
make_work
mkdir -p "$work"/{tools/dev,tools/jitreduce,tools/mpi,tools/python/jitreduce,tools/examples,tools/bench,include/jitreduce,include/manual,src/base,src/sim,kernels_src,tests/unit,tests/abi}
cp tools/dev/words.sh "$work/tools/dev"
printf 'Text that is fine: the default is sum; an index out of range is an error.\n' >"$work/README.md"
words() { "$work/tools/dev/words.sh" "$@" 2>&1; }
same "plain words pass" "" "$(words)"

printf 'A sentence. Of results for each, none are written.\n' >>"$work/README.md"
printf '/* The result.\n * left out: sum */\n' >"$work/include/jitreduce/a.h"
printf 'static const char text[] = "which operator that is none";\n' >"$work/src/base/a.c"
printf 'static int told; /* not read by users */\nstatic const char s[] = "what was told";\n' >"$work/tools/jitreduce/a.c"
printf 'def f():\n    """Gives a result a segment."""\n' >"$work/tools/python/jitreduce/a.py"
printf '# kernels of before\n' >"$work/include/manual/a.md"
same "each is found by its place and its pattern" "include/jitreduce/a.h:2 left-out
include/manual/a.md:1 vague
README.md:2 genitive
src/base/a.c:1 none
tools/jitreduce/a.c:2 told
tools/python/jitreduce/a.py:2 per" "$(words | sed -E 's/^words.sh: ([^ ]*): ([a-z-]*): .*/\1 \2/' | LC_ALL=en_US sort -f)"
rm "$work"/{tools/jitreduce,src/base}/a.c
printf 'int none; /* one; "Of" is fine\n * what is told */ int a; // it goes on\nchar s[] = "/* told", c = 0x27; /* anew */\n' >"$work/src/sim/b.c"
printf '// a result a segment\n' >"$work/kernels_src/b.cuh"
printf 'said # told\n    # it is beside it\n' >"$work/tests/unit/b.sh"
printf '/* told */\n' >"$work/tests/abi/b.h"
same "comments are read in all rooms, but for headers that were published" "kernels_src/b.cuh:1 per
src/sim/b.c:2 told
src/sim/b.c:3 private
tests/unit/b.sh:2 order" "$(words | grep -E '/b\.' | sed -E 's/^words.sh: ([^ ]*): ([a-z-]*): .*/\1 \2/' | LC_ALL=C sort)"
printf 'static const char s[] = "what was told";\n' >"$work/tools/jitreduce/a.c"
rm "$work"/{src/sim,kernels_src,tests/unit}/b.*
same "the status says so" 1 "$(words >"$work/out"; echo $?)"
same "they are counted" "1 told" "$(words --count | awk '$2 == "told" {print $1, $2}')"
finish
