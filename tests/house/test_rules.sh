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
make_work
cp -r Makefile include src kernels_src tools tests .ci "$work"

# caught RULE SENTENCE FILE: plants a file, with a letter of its own in its name, from standard input; once all are
# planted, the rules must say the sentence about it.
rules=() sentences=() files=()
caught() {
    local letters=abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ
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
caught "an include of the simulator" "includes sim/exec/sim_launch.h" src/api/planted.c <<<'/* x */
#include "sim/exec/sim_launch.h"'
caught "the simulator's include of the library" "cuda_abi.h only" src/sim/exec/planted.c <<<'/* x */
#include "loader/driver.h"'
caught "an include against the simulator's rooms" "includes sim/exec/sim_launch.h" src/sim/ptx/planted.c <<<'/* x */
#include "sim/exec/sim_launch.h"'
caught "the command's include of the library" "public headers only" tools/jitreduce/planted.c <<<'/* x */
#include "base/text.h"'
caught "a CUDA header" "no CUDA header" src/base/planted.c <<<'/* x */
#include <cuda.h>'
caught "a kernel's include of another clan" "no room that reduce may use" kernels_src/reduce/planted.cuh <<<'// x
#include "segmented/ragged/walk.cuh"'
caught "a kernel's include upwards" "no room that core may use" kernels_src/core/planted.cuh <<<'// x
#include "fold/load.cuh"'
caught "a kernel's include without its room" "which is not in kernels_src" kernels_src/scan/queue/planted.cu <<<'// x
#include "tiles.cuh"'
caught "a kernel's include of a room beside its own" "no room that scan/ring may use" kernels_src/scan/ring/planted.cuh <<<'// x
#include "scan/queue/wave.cuh"'
caught "a kernel file outside the rooms" "a kernel file outside" kernels_src/planted.cuh <<<'// x'
caught "a kernel file between rooms" "a kernel file outside" kernels_src/scan/planted.cuh <<<'// x'
caught "a room beside" "includes plan/scan/scan_queue.h" src/plan/flat/planted.c <<<'/* x */
#include "plan/scan/scan_queue.h"'
caught "a room of the command to the right" "includes reduce/work.h" tools/jitreduce/input/planted.c <<<'/* x */
#include "reduce/work.h"'
caught "a file outside the rooms" "a file outside" src/planted.c <<<'/* x */'
caught "no first comment" "line one is no comment" src/base/planted.c <<<'int x;'
caught "no first comment in a script" "no comment at the top" tools/dev/planted.sh <<<'echo x'
caught "open work" "(finish it)" src/base/planted.c <<<'/* TO''DO x */'
caught "getenv" "only a settings.c" src/base/planted.c <<<'/* x */
char *f(void) { return getenv("X"); }'
caught "printing" "never prints" src/base/planted.c <<<'/* x */
void f(void) { puts("x"); }'
caught "an exit in the simulator" "simulator never exits" src/sim/exec/planted.c <<<'/* x */
void f(void) { exit(1); }'
caught "a test of compiles in the shared cache" "without the line 'cache: own'" tests/unit/planted.c <<<'/* x */
bool none(const jr_counters *counters) { return counters->compiles == 0; }'
caught "a transcript of compiles in the shared cache" "without the line 'cache: own'" tests/cli/planted.case <<<'# x
kernel     disk hit'
# The comment of a public function, one item a line, all but what a rule plants.
contract() { printf '/* x */\n/* Does.\n *\n * %s\n *\n * %s\n * Owns: nothing.\n * Threads: any.\n * Errors: %s.\n * Since: 0.1. */\n%s\n' "$@"; }
caught "a public comment without an owner" 'jr_f: its comment lacks "Owns:"' include/jitreduce/planted.h <<<'/* x */
/* Does. Threads: any. Errors: none. Since: 0.1. */
JR_API void jr_f(void);'
caught "a public comment with two items on a line" 'jr_g: its comment lacks "Threads:"' include/jitreduce/planted.h <<<'/* x */
/* Does.
 *
 * Owns: nothing. Threads: any.
 * Errors: none.
 * Since: 0.1. */
JR_API void jr_g(void);'
caught "an argument without a line" 'jr_h: its comment has no line "second:"' include/jitreduce/planted.h < <(
    contract "first: x." "" none $'JR_API jr_status jr_h(jr_context *context, int first,\n                  int second);'
)
caught "a value without its Returns" 'jr_i: its comment lacks "Returns:"' include/jitreduce/planted.h < <(
    contract "first: x." "" none "JR_API int jr_i(int first);"
)
caught "errors over two steps" "jr_k: its errors are those of jr_j, whose list is not complete" include/jitreduce/planted.h < <(
    contract "first: x." "" "those of jr_work_plan_create" "JR_API jr_status jr_j(int first);"
    contract "first: x." "" "those of jr_j" "JR_API jr_status jr_k(int first);"
)
contract "first, second: x." "Returns: x." "those of jr_work_plan_create" "JR_API int jr_l(const int *first, int second);" \
    >"$work/include/jitreduce/fine.h"
{ echo '/* x' && seq 400 | sed 's/^/ * /' && echo ' */'; } >"$work/include/jitreduce/commented.h"
for n in {1..37}; do echo '/* x */' >"$work/tests/support/every/full_$n.h"; done
cp "$work/src/base/text.h" "$work/src/api/text.h"
sed -i 's/^    XX(HOME,/    XX(IDLE, "JITREDUCE_IDLE", "not read")  \\\n&/' "$work/src/base/settings.h"
echo '/* x */ const char *idle(void) { return jr_setting_variable(JR_SETTING_IDLE); }' >"$work/src/base/idle.c"
"$work/tools/dev/check_rules.sh" >"$work/said"
for n in "${!files[@]}"; do check "${rules[n]}" said "${sentences[n]}" "${files[n]}"; done
check "a room that is full" said "a room has at most 36" tests/support/every
check "a name that stands twice" said "stands twice" src/base/text.h
check "a setting that nothing reads" said 'IDLE: no code reads the setting "JITREDUCE_IDLE"' src/base/settings.h
same "every other setting is read" "1" "$(grep -c 'no code reads' "$work/said")"
not_said() { ! said "$@"; }
check "a comment with every item is fine" not_said "" include/jitreduce/fine.h
check "a header's comments may be long" not_said "300 is the limit" include/jitreduce/commented.h
finish
