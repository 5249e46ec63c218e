/* Exact sums that are kept: stored, added to each other, continued on another machine, finished on any.
 * Manual: accuracy.md ("Exact sums that are kept"). */
#ifndef JITREDUCE_EXACT_STATE_H
#define JITREDUCE_EXACT_STATE_H

#include "plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* With JR_ACCURACY_EXACT, sum, mean, dot, sumsq, norm1, norm2, var, std and lists of these are computed from exact
 * sums, which can be added in any order. A jr_exact_state holds such sums of all elements so far, before the initial
 * value, `finish` and rounding. Those, ddof and the type of the result belong to the spec with which the state is
 * finished. The same elements give the same bytes, whatever was added to what, on any device, and the same result,
 * correctly rounded. (A state of jitreduce/state.h works for any operator, but belongs to one version of the library
 * and must not be kept.)
 *
 * Two specs are alike, for the functions below, if their accuracy is JR_ACCURACY_EXACT and their operators, inputs,
 * types, NaN rule, map, where, parameters and structs are equal; tuning, initial value, finish, ddof and type of the
 * result may differ.
 *
 * The bytes of a state, format 1. Numbers have their lowest byte first.
 *
 *     at  bytes
 *      0  8   "JREXACT\n"
 *      8  2   the format, 1
 *     10  1   how many operators, 1 to 8
 *     11  1   how many inputs, 1 to 4
 *     12  4   bytes in all
 *     16  8   elements seen: the n of finish
 *     24  8   elements added: those that neither `where` nor JR_NAN_IGNORE skipped
 *     32  8   the operators, a byte each (jr_op), then 0
 *     40  4   the types of the inputs, a byte each (jr_type), then 0
 *     44  1   the type of the values of map, or of the elements (jr_type); for dot 0
 *     45  1   1: NaNs are skipped; else 0
 *     46  1   how many sums: 2 for var and std (of elements, then of squares), 1 for others
 *     47  1   0
 *     48  32  with map or where: a hash of these, their parameters and structs; else 0
 *     80      the sums, in the operators' order
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
typedef struct jr_exact_state jr_exact_state;

/* Makes a state without elements.
 *
 * spec: copied; its accuracy must be JR_ACCURACY_EXACT. Its tuning is that of later calls of jr_exact_state_fold_host.
 * state: where the state is written, on success only.
 *
 * Owns: the caller destroys it with jr_exact_state_destroy before closing the context.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_UNSUPPORTED_TYPE (also for results that are never rounded and so need no
 *   exact sum, such as sums of integers into integers), JR_ERROR_INVALID_EXPRESSION, JR_ERROR_OUT_OF_MEMORY.
 * Since: 0.2. */
JR_API jr_status jr_exact_state_create(jr_context *context, const jr_spec *spec, jr_exact_state **state);

/* Destroys a state.
 *
 * state: may be NULL.
 *
 * Owns: takes the state.
 * Threads: no other thread may be using it.
 * Errors: none.
 * Since: 0.2. */
JR_API void jr_exact_state_destroy(jr_exact_state *state);

/* Adds elements in host memory. If the call fails, the state is as it was.
 *
 * data: one array per input of the spec, aligned to their elements; an array may be NULL if `count` is 0.
 * count: elements of each array; may be 0.
 * first: the index of the first element in the whole input, from which the `i` of expressions counts; otherwise
 *   ignored.
 *
 * Owns: nothing.
 * Threads: one at a time for each state.
 * Errors: JR_ERROR_INVALID_ARGUMENT (also if the state would have seen more than 2^64 elements), those of
 *   jr_work_plan_create.
 * Since: 0.2. */
JR_API jr_status jr_exact_state_fold_host(jr_exact_state *state, const void *const *data, uint64_t count,
                                          uint64_t first);

/* Adds the elements in device memory that jr_work_plan_run has folded. If the call fails, the state is as it was.
 *
 * plan: made by jr_work_plan_create from a spec that is alike.
 * left: the bytes that jr_work_plan_run wrote to d_state, copied to host memory: jr_plan_result_bytes, no alignment
 *   required.
 * elements: the count of that part.
 *
 * Owns: nothing.
 * Threads: one at a time for each state.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_UNSUPPORTED_TYPE, JR_ERROR_STATE (the specs are not alike, or `left` does
 *   not hold such sums), JR_ERROR_OUT_OF_MEMORY.
 * Since: 0.2. */
JR_API jr_status jr_exact_state_fold_plan(jr_exact_state *state, const jr_plan *plan, const void *left,
                                          uint64_t elements);

/* Adds another state. If the call fails, both are as they were.
 *
 * other: of a spec that is alike, in any context; not changed; may be `state` itself.
 *
 * Owns: nothing.
 * Threads: one at a time for each of both states.
 * Errors: JR_ERROR_INVALID_ARGUMENT (NULL, or more than 2^64 elements), JR_ERROR_STATE (the specs are not alike; the
 *   message names both), JR_ERROR_OUT_OF_MEMORY.
 * Since: 0.2. */
JR_API jr_status jr_exact_state_add(jr_exact_state *state, const jr_exact_state *other);

/* Adds a state that was written by jr_exact_state_write. To read a stored state, add its bytes to a new state. All
 * bytes are checked first; if the call fails, the state is as it was.
 *
 * bytes: no alignment required; they need not be trusted.
 * size: how many bytes.
 *
 * Owns: nothing; the bytes are read before the call returns.
 * Threads: one at a time for each state.
 * Errors: JR_ERROR_STATE (not a state, truncated, damaged, or of another format, operator, type or expression: the
 *   message says which), JR_ERROR_INVALID_ARGUMENT, JR_ERROR_OUT_OF_MEMORY.
 * Since: 0.2. */
JR_API jr_status jr_exact_state_add_bytes(jr_exact_state *state, const void *bytes, size_t size);

/* Writes a state as bytes, which are the same on every machine.
 *
 * bytes: where they are written; no alignment required; may be NULL if `room` is 0.
 * room: how many bytes there is room for; 0 to find the size only.
 * size: how many bytes the state takes; written on success, and if `room` is 0.
 *
 * Owns: nothing.
 * Threads: one at a time for each state.
 * Errors: JR_ERROR_INVALID_ARGUMENT (too little room: the message says how much is needed; with `room` 0 it is not an
 *   error), JR_ERROR_OUT_OF_MEMORY.
 * Since: 0.2. */
JR_API jr_status jr_exact_state_write(const jr_exact_state *state, void *bytes, size_t room, size_t *size);

/* Finishes a state on the context's device: computes what jr_work_run_host gives for all its elements. The state
 * is not changed, and more can be added afterwards.
 *
 * values: one per operator of the spec, and one more with spec.kept; written on success only.
 *
 * Owns: nothing.
 * Threads: one at a time for each state.
 * Errors: JR_ERROR_EMPTY_INPUT (no elements were added, and the operator has no value for that), those of
 *   jr_work_plan_create.
 * Since: 0.2. */
JR_API jr_status jr_exact_state_value(const jr_exact_state *state, jr_value *values);

/* Returns how many elements a state has seen.
 *
 * state: may be NULL.
 *
 * Returns: elements; 0 if `state` is NULL.
 * Owns: nothing.
 * Threads: one at a time for each state.
 * Errors: none.
 * Since: 0.2. */
JR_API uint64_t jr_exact_state_elements(const jr_exact_state *state);

/* What the bytes of a state describe. */
typedef struct jr_exact_state_info {
    size_t size;     /* sizeof(jr_exact_state_info) */
    int op_count;    /* 1 to JR_OPS_MAX */
    int input_count; /* 1 to JR_INPUTS_MAX */
    jr_op ops[JR_OPS_MAX];
    jr_type types[JR_INPUTS_MAX]; /* of the inputs; JR_STRUCT: a struct */
    uint64_t elements;            /* elements seen */
    uint64_t kept;                /* of these, elements added */
} jr_exact_state_info;

/* Reads what the bytes of a state describe, without a spec and a device, and checks all of them.
 *
 * bytes: no alignment required; they need not be trusted.
 * size: how many bytes.
 * info: `size` must be set; the rest is written, on success only.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_STATE.
 * Since: 0.2. */
JR_API jr_status jr_exact_state_look(const void *bytes, size_t size, jr_exact_state_info *info);

#ifdef __cplusplus
}
#endif
#endif
