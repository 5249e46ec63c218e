#!/usr/bin/env bash
# Plants one breach of each rule of the house in a copy of the tree: check_rules.sh must name each of them.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
. tests/house/say.sh
if ! command -v ctags >/dev/null; then
    skip "all rules" "ctags is missing (make deps LINT=1)"
    finish
    exit
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r Makefile include src kernels_src tools tests .ci "$work"

# caught RULE SENTENCE FILE: plants a file, with a letter of its own in its name, from standard input; once all are
# planted, the rules must say the sentence about it.
rules=() sentences=() files=()
caught() {
    local letters=abcdefghijklmnopqrstuvwxyz
    local file=${3/planted/planted_${letters:${#files[@]}:1}}
    rules+=("$1") sentences+=("$2") files+=("$file")
    cat >"$work/$file"
}

# said SENTENCE FILE: does a line of the rules say so?
said() { awk -v sentence="$1" -v file="$2:" 'index($0, file) == 1 && index($0, sentence) {found = 1} END {exit !found}' "$work/said"; }

caught "a long file" "301 lines" src/base/planted.c < <(echo '/* x */' && seq 300 | sed 's/.*/int v&;/')
caught "a long header" "301 lines" include/jitreduce/planted.h < <(echo '/* x */' && seq 301 | sed 's/.*/int w&;/')
caught "a long function" "f has 62 lines" src/base/planted.c < <(
    echo '/* x */ void f(void) {' && seq 60 | sed 's/.*/g&();/' && echo '}'
)
caught "many parameters" "f has more than 6 parameters" src/base/planted.c <<<'/* x */ int f(int a, int b, int c, int d, int e, int g, int h) { return 1; }'
caught "an include to the right" "includes loader/driver.h" src/base/planted.c <<<'/* x */
#include "loader/driver.h"'
caught "an include of the simulator" "includes sim/exec/launch.h" src/api/planted.c <<<'/* x */
#include "sim/exec/launch.h"'
caught "the simulator's include of the library" "cuda_abi.h only" src/sim/exec/planted.c <<<'/* x */
#include "loader/driver.h"'
caught "an include against the simulator's rooms" "includes sim/exec/launch.h" src/sim/ptx/planted.c <<<'/* x */
#include "sim/exec/launch.h"'
caught "the command's include of the library" "public headers only" tools/jitreduce/planted.c <<<'/* x */
#include "base/text.h"'
caught "a CUDA header" "no CUDA header" src/base/planted.c <<<'/* x */
#include <cuda.h>'
caught "a kernel's include of another clan" "no room that reduce may use" kernels_src/reduce/planted.cuh <<<'// x
#include "segmented/walk.cuh"'
caught "a kernel's include upwards" "no room that core may use" kernels_src/core/planted.cuh <<<'// x
#include "fold/load.cuh"'
caught "a kernel's include without its room" "which is not in kernels_src" kernels_src/scan/planted.cu <<<'// x
#include "tiles.cuh"'
caught "a kernel file outside the rooms" "a kernel file outside" kernels_src/planted.cuh <<<'// x'
caught "no first comment" "line one is no comment" src/base/planted.c <<<'int x;'
caught "no first comment in a script" "no comment at the top" tools/dev/planted.sh <<<'echo x'
caught "open work" "(finish it)" src/base/planted.c <<<'/* TO''DO x */'
caught "getenv" "only a settings.c" src/base/planted.c <<<'/* x */
char *f(void) { return getenv("X"); }'
caught "printing" "never prints" src/base/planted.c <<<'/* x */
void f(void) { puts("x"); }'
caught "an exit in the simulator" "simulator never exits" src/sim/exec/planted.c <<<'/* x */
void f(void) { exit(1); }'
caught "a public comment without an owner" 'jr_f: its comment lacks "Owns:"' include/jitreduce/planted.h <<<'/* x */
/* Does. Threads: any. Errors: none. Since: 0.1. */
JR_API void jr_f(void);'

{ echo '/* x' && seq 400 | sed 's/^/ * /' && echo ' */'; } >"$work/include/jitreduce/commented.h"
"$work/tools/dev/check_rules.sh" >"$work/said"
for n in "${!files[@]}"; do check "${rules[n]}" said "${sentences[n]}" "${files[n]}"; done
not_said() { ! said "$@"; }
check "a header's comments may be long" not_said "300 is the limit" include/jitreduce/commented.h
finish
