/* States as bytes that are kept: written, looked at and read. The format stands in jitreduce/state.h. */
#ifndef JR_EXACT_STATE_BYTES_H
#define JR_EXACT_STATE_BYTES_H

#include "exact_sums.h"
#include "state_meaning.h"

enum { JR_STATE_FORMAT = 1, JR_STATE_HEAD_BYTES = 80, JR_STATE_SUM_BYTES = 8, JR_STATE_VERSION_BYTES = 16 };

/* The head of bytes. */
typedef struct jr_state_head {
    jr_state_meaning meaning;
    uint64_t elements,
        kept; /* gone through; of exact sums: without those that `where` or the nan rule skipped, else 0 */
} jr_state_head;

/* Writes a state as bytes. bytes: jr_state_bytes_most of the reduction. size: how many they are. Errors:
 * JR_ERROR_STATE: its sums are of more elements. */
jr_status jr_state_bytes_write(const jr_reduction *reduction, const unsigned char *state, uint64_t elements,
                               uint8_t *bytes, size_t *size);
size_t jr_state_bytes_most(const jr_reduction *reduction);

/* The public jr_state_write, with arguments that were checked for NULL. */
jr_status jr_state_bytes_fit(const jr_reduction *reduction, const void *state, uint64_t elements, void *bytes,
                             size_t room, size_t *size);

/* Checks the bytes as a whole, and reads their head. Errors: JR_ERROR_STATE (not a state, of another format, truncated,
 * followed by other bytes, damaged, or with operators or types that this version does not know). */
jr_status jr_state_bytes_check(const uint8_t *bytes, size_t size, jr_state_head *head);

/* Reads bytes into a state of accumulator_bytes, zeroed, which on failure is spoilt. Errors: JR_ERROR_STATE, also for
 * what a reduction of another meaning has left. */
jr_status jr_state_bytes_read(const jr_reduction *reduction, const uint8_t *bytes, size_t size, unsigned char *state,
                              uint64_t *elements);

#endif
