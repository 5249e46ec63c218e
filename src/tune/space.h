/* The space of a tunable: its parameters' values, and what formulas say of a setting. */
#ifndef JR_TUNE_SPACE_H
#define JR_TUNE_SPACE_H

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

/* Makes the space of a tunable for a problem of these sizes (NULL: there are none) on a device; what it has of texts is
 * the caller's. Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_space_open(const jr_tunable *tunable, const int64_t *sizes, const jr_device_info *device, jr_space *space);
void jr_space_close(jr_space *space); /* one that was zeroed is fine */

/* Steps over a whole number and the blanks around it; false: there is none that fits. */
bool jr_space_read_whole(const char **at, int64_t *value);

/* The values of a setting by its number, the last parameter's going round first. */
void jr_space_point(const jr_space *space, uint64_t number, int64_t values[]);

/* Do values meet all restrictions? Errors: JR_ERROR_INVALID_ARGUMENT, of a formula. */
jr_status jr_space_allows(const jr_space *space, const int64_t values[], bool *allowed);

/* Grid, block and shared memory. Errors: JR_ERROR_INVALID_ARGUMENT. */
jr_status jr_space_launch(const jr_space *space, const int64_t values[], jr_launch *launch);

/* Makes the program of a setting; its constants lie in room for the program's and the parameters'. */
jr_program jr_space_program(const jr_space *space, const int64_t values[], jr_named_text *constants);

/* "BLOCK=256,UF=4", from values and back. Errors: JR_ERROR_INVALID_ARGUMENT: no setting of this space. */
void jr_space_print(const jr_space *space, const int64_t values[], char text[JR_SETTING_BYTES]);
jr_status jr_space_read(const jr_space *space, const char *text, int64_t values[]);

/* Finds the preferred setting. Errors: JR_ERROR_INVALID_ARGUMENT: it is none, or not possible; no setting is. */
jr_status jr_space_preferred(const jr_space *space, int64_t values[]);

enum { JR_SPACE_LOOKED_AT = 1 << 20 }; /* settings of which the first possible one is looked for */

#endif
