/* The space of a tunable: its parameters' values, and the names that formulas know. */
#ifndef JR_WISDOM_SPACE_H
#define JR_WISDOM_SPACE_H

#include <stdbool.h>

#include "jitreduce/tunable.h"

typedef struct jr_space {
    const jr_tunable *tunable; /* as this version knows it; the caller's texts */
    int64_t *values[JR_TUNABLE_PARAMETERS_MAX];
    uint64_t counts[JR_TUNABLE_PARAMETERS_MAX];
    uint64_t points;      /* settings, possible or not; UINT64_MAX: too many to be numbered */
    jr_named_text *names; /* what formulas know; the parameters last */
    size_t name_count;
    char (*numbers)[24]; /* texts of all names but the constants */
} jr_space;

/* Makes the space of a tunable for a problem of these sizes (NULL: no sizes) on a device; it refers to the caller's
 * texts. Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_space_open(const jr_tunable *tunable, const int64_t *sizes, const jr_device_info *device, jr_space *space);
void jr_space_close(jr_space *space); /* one that was zeroed is fine */

/* Steps over a whole number and the blanks around it; false: no number follows, or it does not fit. */
bool jr_space_read_whole(const char **at, int64_t *value);

#endif
