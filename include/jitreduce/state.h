/* Partial states: a reduction in parts, which may be on different devices, in different processes, or computed at
 * different times; and states that are kept: stored as bytes, and continued later.
 * Manual: state.md. */
#ifndef JITREDUCE_STATE_H
#define JITREDUCE_STATE_H

#include "reduce.h"

#ifdef __cplusplus
extern "C" {
#endif

/* JR_WORK_STATE (work.h) folds a part of the input to its state; JR_WORK_MERGE and JR_WORK_MERGE_STATES merge states.
 *
 * The state of a part is the fold of its elements before the initial value and `finish`: jr_result_layout.state_bytes,
 * as many for every state of a spec, that may be copied and sent (padding between members may differ from run to run).
 * States of the same spec, made by the same version of the library on any device, are merged in the order in which they
 * are given, so a custom operator need not be commutative. Every operator, type, expression and list can be reduced in
 * parts.
 *
 * Operators that round: the result depends on how the elements are cut into parts, and on block, unroll factor and grid
 * of each part's plan, as a result without parts does. It does not depend on when, where and in which order the parts
 * were computed. With JR_ACCURACY_EXACT, sum, mean, dot, sumsq, norm1, norm2, var, std and lists of these are exact
 * sums: they depend on none of this, and are merged on the host.
 *
 * To keep a state, write it as bytes with jr_state_write, and read it later with jr_state_read. Two specs are alike for
 * them if their operators, inputs, types, NaN rule, map, where, combine, parameters and structs are equal, and, of
 * states that are not exact sums, `kept` and the type of the result; tuning, initial value, finish and ddof may
 * differ, of exact sums also the type of the result. Exact sums are written alike by all versions: the same elements
 * give the same bytes, whatever was merged with what, on any device. Other states are read only by the version that
 * wrote them.
 *
 * The bytes, format 1. Numbers have their lowest byte first.
 *
 *     at  bytes
 *      0  8   "JREXACT\n" of exact sums, "JRSTATE\n" of other states
 *      8  2   the format, 1
 *     10  1   how many operators, 1 to 8
 *     11  1   how many inputs, 1 to 4
 *     12  4   bytes in all
 *     16  8   elements seen: the n of finish
 *     24  8   exact sums: elements added: those that neither `where` nor JR_NAN_IGNORE skipped; else 0
 *     32  8   the operators, a byte each (jr_op), then 0
 *     40  4   the types of the inputs, a byte each (jr_type), then 0
 *     44  1   the type of the values of map, or of the elements (jr_type); for dot 0
 *     45  1   1: NaNs are skipped; else 0
 *     46  1   how many sums: 2 for var and std (of elements, then of squares), 1 for others; 0 of other states
 *     47  1   0
 *     48  32  with map or where: a hash of these, their parameters and structs; else 0. Of other states a hash of all
 *             that they depend on
 *     80      the sums, in the operators' order; or the version of the library, 16 bytes, and the state as in memory
 *             the last 32: SHA-256 of all bytes before them
 *
 * and of each sum
 *
 *      0  1   0: nothing was added, 1: a number, 2: -0 (all elements are -0), 3: infinity, 4: -infinity, 5: NaN
 *      1  1   1: the number is negative; else 0
 *      2  2   m, how many bytes the magnitude has; 0 for the number 0, and if the first byte is not 1
 *      4  4   e, a signed exponent: the magnitude is (those m bytes as an integer) * 2^e; the integer is odd
 *      8  m   the magnitude, lowest byte first; its last byte is not 0
 *
 * Later formats will keep the meaning of the first 16 bytes. */

/* Writes a state as bytes.
 *
 * spec: what the state is of.
 * state: in host memory, no alignment required: jr_result_layout.state_bytes, from jr_work_run_host, or copied from
 *   device memory.
 * elements: how many it has seen.
 * bytes: where they are written; no alignment required; may be NULL if `room` is 0.
 * room: how many bytes there is room for; 0 to find the size only.
 * size: how many bytes it takes; written on success only.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT (too little room: the message says how much is needed; with `room` 0 it is not an
 *   error), JR_ERROR_STATE (the sums are of more elements), JR_ERROR_OUT_OF_MEMORY, those of jr_reduce_check.
 * Since: 0.3. */
JR_API jr_status jr_state_write(const jr_spec *spec, const void *state, uint64_t elements, void *bytes, size_t room,
                                size_t *size);

/* Reads a state that was written by jr_state_write. All bytes are checked first; they need not be trusted.
 *
 * spec: alike the one that it was written with.
 * bytes: no alignment required.
 * size: how many bytes.
 * state: room for jr_result_layout.state_bytes of the spec; written on success only.
 * elements: how many elements the state has seen; written on success only.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_STATE (not a state, truncated, damaged, of another format or version, or the specs are not alike:
 *   the message names both), JR_ERROR_OUT_OF_MEMORY, those of jr_reduce_check.
 * Since: 0.3. */
JR_API jr_status jr_state_read(const jr_spec *spec, const void *bytes, size_t size, void *state, uint64_t *elements);

/* What the bytes of a state describe. */
typedef struct jr_state_info {
    size_t size;     /* sizeof(jr_state_info) */
    int op_count;    /* 1 to JR_OPS_MAX */
    int input_count; /* 1 to JR_INPUTS_MAX */
    jr_op ops[JR_OPS_MAX];
    jr_type types[JR_INPUTS_MAX]; /* of the inputs; JR_STRUCT: a struct */
    uint64_t elements;            /* elements seen */
    uint64_t kept;                /* exact sums: of these, elements added; else 0 */
    int exact;                    /* 1: exact sums; 0: another state */
    int skips_nan;                /* 1: JR_NAN_IGNORE skipped NaNs */
} jr_state_info;

/* Reads what the bytes of a state describe, without a spec and a device, and checks all of them.
 *
 * bytes: no alignment required; they need not be trusted.
 * size: how many bytes.
 * info: `size` must be set; the rest is written, on success only.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_STATE.
 * Since: 0.3. */
JR_API jr_status jr_state_look(const void *bytes, size_t size, jr_state_info *info);

#ifdef __cplusplus
}
#endif
#endif
