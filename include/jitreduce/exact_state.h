/* Exact sums that are kept: stored, added to each other, continued on another machine, finished on any. */
#ifndef JITREDUCE_EXACT_STATE_H
#define JITREDUCE_EXACT_STATE_H

#include "plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* With JR_ACCURACY_EXACT sum, mean, dot, sumsq, norm1, norm2, var, std and lists of these come of exact sums, which can
 * be added up in any order. A jr_exact_state holds such sums of all elements so far, before `finish`, the initial value
 * and rounding: those belong to the spec by which it is finished, and so do ddof and the type of the result. The same
 * elements have the same bytes, whatever was added to what, on whatever device, and the same result, whose every bit is
 * right. (A state of jitreduce/state.h is of any operator, but of one version of the library and not to be kept.)
 *
 * The bytes of a state, format 1. Numbers have their lowest byte first.
 *
 *     at  bytes
 *      0  8   "JREXACT\n"
 *      8  2   the format, 1
 *     10  1   how many operators, 1 to 8
 *     11  1   how many inputs, 1 to 4
 *     12  4   bytes in all
 *     16  8   elements that were gone through: the n of finish
 *     24  8   elements that were added: those that neither `where` nor JR_NAN_IGNORE left out
 *     32  8   the operators, a byte each (jr_op), then 0
 *     40  4   the types of the inputs, a byte each (jr_type), then 0
 *     44  1   the type of what map yields, or of the elements (jr_type); of dot 0
 *     45  1   1: NaNs are left out; else 0
 *     46  1   how many sums: of var and std 2 (of elements, then of squares), of others 1
 *     47  1   0
 *     48  32  of specs with map or where: what tells these, their parameters and structs from others; else 0
 *     80      the sums, in the operators' order
 *             the last 32: SHA-256 of all bytes before them
 *
 * and of each sum
 *
 *      0  1   0: nothing was added, 1: a number, 2: -0, of which alone it is, 3: infinity, 4: -infinity, 5: NaN
 *      1  1   1: the number is negative; else 0
 *      2  2   m, bytes of its size; 0 of the number 0, and of what is none
 *      4  4   e, a signed exponent: the size is worth (those m bytes as an integer) * 2^e; the integer is odd
 *      8  m   the size, lowest byte first; its last byte is not 0
 *
 * Of a later format the first 16 bytes will lie as they do here. */
typedef struct jr_exact_state jr_exact_state;

/* Makes a state of nothing.
 * spec: copied; its accuracy is JR_ACCURACY_EXACT. Its tuning is that of later jr_exact_state_fold_host. Writes *state
 * on success only.
 * Owns: the caller destroys it before closing the context. Threads: any. Errors: as jr_reduce_check, of which
 * JR_ERROR_UNSUPPORTED_TYPE also for what rounds nothing and so keeps no exact sum, as sums of integers into integers.
 * Since: 0.2. */
JR_API jr_status jr_exact_state_create(jr_context *context, const jr_spec *spec, jr_exact_state **state);

/* Destroys a state.
 * state: may be NULL. Owns: takes the state. Threads: no other thread may be using it. Errors: none. Since: 0.2. */
JR_API void jr_exact_state_destroy(jr_exact_state *state);

/* Adds count elements of host memory, as jr_reduce_host_arrays reduces them.
 * data: as many arrays as the spec has inputs, aligned to their elements; one may be NULL when count is 0. first: the
 * number of the first element in the whole, which the i of expressions counts from; else not looked at. A failed call
 * leaves the state as it was.
 * Owns: nothing. Threads: one at a time for a state. Errors: as jr_reduce_host, but for JR_ERROR_EMPTY_INPUT; elements
 * beyond 2^64. Since: 0.2. */
JR_API jr_status jr_exact_state_fold_host(jr_exact_state *state, const void *const *data, uint64_t count,
                                          uint64_t first);

/* Adds what jr_state_plan_run has left of elements in device memory.
 * plan: made by jr_state_plan_create of a spec that means the same; tuning, finish, initial value and type of the
 * result may differ. left: jr_plan_result_bytes of host memory, copied from its d_state. elements: the count of the
 * part. A failed call leaves the state as it was. Owns: nothing. Threads: one at a time for a state. Errors:
 * JR_ERROR_INVALID_ARGUMENT, JR_ERROR_UNSUPPORTED_TYPE, JR_ERROR_STATE (another operator, type or expression; no such
 * sums), JR_ERROR_OUT_OF_MEMORY. Since: 0.2. */
JR_API jr_status jr_exact_state_fold_plan(jr_exact_state *state, const jr_plan *plan, const void *left,
                                          uint64_t elements);

/* Adds another state.
 * state, other: of specs that mean the same, as above, in any contexts; may be one. other is not changed; a failed call
 * leaves both as they were.
 * Owns: nothing. Threads: one at a time for each of both. Errors: JR_ERROR_INVALID_ARGUMENT (NULL, elements beyond
 * 2^64), JR_ERROR_STATE (both are named), JR_ERROR_OUT_OF_MEMORY. Since: 0.2. */
JR_API jr_status jr_exact_state_add(jr_exact_state *state, const jr_exact_state *other);

/* Adds a state that was written: to one of nothing, that is reading it. All of it is checked before; a failed call
 * leaves the state as it was.
 * bytes: size of them, of any alignment and from anywhere.
 * Owns: nothing. Threads: one at a time for a state. Errors: JR_ERROR_STATE (no state, truncated, damaged, of another
 * format, operator, type or expression: the message says which), JR_ERROR_INVALID_ARGUMENT, JR_ERROR_OUT_OF_MEMORY.
 * Since: 0.2. */
JR_API jr_status jr_exact_state_add_bytes(jr_exact_state *state, const void *bytes, size_t size);

/* Writes a state as bytes: the same on every machine.
 * bytes: room of them, of any alignment; may be NULL when room is 0. size: not NULL; how many there are, written on
 * success, and when room is 0.
 * Owns: nothing. Threads: one at a time for a state. Errors: JR_ERROR_INVALID_ARGUMENT (too little room: the message
 * says how much it takes; nothing when room is 0), JR_ERROR_OUT_OF_MEMORY. Since: 0.2. */
JR_API jr_status jr_exact_state_write(const jr_exact_state *state, void *bytes, size_t room, size_t *size);

/* Finishes a state, which stays as it is, on the context's device: what jr_reduce_host_arrays gives of all elements.
 * values: one for each operator of the spec, and one more with spec.kept; written on success only.
 * Owns: nothing. Threads: one at a time for a state. Errors: as jr_plan_value. Since: 0.2. */
JR_API jr_status jr_exact_state_value(const jr_exact_state *state, jr_value *values);

/* Returns how many elements a state has gone through.
 * Owns: nothing. Threads: one at a time for a state. Errors: none; 0 for NULL. Since: 0.2. */
JR_API uint64_t jr_exact_state_elements(const jr_exact_state *state);

/* What bytes say they are of. */
typedef struct jr_exact_state_info {
    size_t size;     /* sizeof(jr_exact_state_info) */
    int op_count;    /* 1 to JR_OPS_MAX */
    int input_count; /* 1 to JR_INPUTS_MAX */
    jr_op ops[JR_OPS_MAX];
    jr_type types[JR_INPUTS_MAX]; /* of the inputs; JR_STRUCT: a struct */
    uint64_t elements;            /* gone through */
    uint64_t kept;                /* of these, added */
} jr_exact_state_info;

/* Looks at bytes without a spec and a device, and checks them as a whole.
 * bytes: as of jr_exact_state_add_bytes. info: written on success only.
 * Owns: nothing. Threads: any. Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_STATE. Since: 0.2. */
JR_API jr_status jr_exact_state_look(const void *bytes, size_t size, jr_exact_state_info *info);

#ifdef __cplusplus
}
#endif
#endif
