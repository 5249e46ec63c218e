/* The native tier: kernels that run long are translated to C, compiled in the background by the system's C compiler,
 * and from then on run as machine code, to the same bits, reports and turns as the interpreter's.
 *
 * Registers lie in the frames as they do for the interpreter, and what is not computed lane by lane is done by the same
 * handlers; so each may take over from the other wherever a group of lanes may stop. */
#ifndef JRS_NATIVE_H
#define JRS_NATIVE_H

#include "sim/exec/native_abi.h"
#include "sim/exec/sim_machine.h"

/* Before the workers of a launch begin: takes code that is ready; with JRS_NATIVE_ONLY, waits for it. False: there is
 * none though there must be; the report says why. */
bool jrs_native_begin(jrs_run *run, jrs_report *report);

/* Between a worker's turns: looks for code, and asks for it, when the kernel has run long enough. */
void jrs_native_look(jrs_worker *worker);

/* Runs the entered group of a warp that is not looked at closely by compiled code; *next is what the
 * interpreter's loop would return. False: that loop must go on where the group is. */
bool jrs_native_group(jrs_warp *warp, jrs_native_run *kernel, int32_t *left, jrs_next *next);

/* What the tier has done in this process. */
typedef struct jrs_native_told {
    uint32_t found, compiled, failed; /* kernels: in the cache, by the compiler, not at all */
    char why[JRS_MESSAGE_BYTES];      /* the last failure; "": none */
} jrs_native_told;
void jrs_native_tell(jrs_native_told *told);

#endif
