/* Runs of equal keys in host memory: where each begins. */
#ifndef JR_HOST_KEY_RUNS_H
#define JR_HOST_KEY_RUNS_H

#include <stdbool.h>

#include "spec/dtype.h"

/* True if two keys are of different runs, as kernels decide (kernels_src/scan/common/heads.cuh): zeros of either
 * sign are equal, and no NaN is equal to another one. */
bool jr_keys_differ(const jr_dtype *type, const void *one, const void *other);

typedef struct jr_key_runs {
    uint64_t *offsets; /* the first element of each run, then the count of elements */
    uint64_t count;
} jr_key_runs;

/* Finds the runs of keys, aligned to their type. jr_key_runs_free must follow. Errors:
 * JR_ERROR_INVALID_ARGUMENT (more keys than have addresses), JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_key_runs_find(const jr_dtype *type, const void *keys, uint64_t elements, jr_key_runs *runs);
void jr_key_runs_free(jr_key_runs *runs); /* one that was zeroed is fine */

/* Writes the key of each run; to: no alignment required. */
void jr_key_runs_write(const jr_key_runs *runs, const jr_dtype *type, const void *keys, void *to);

#endif
