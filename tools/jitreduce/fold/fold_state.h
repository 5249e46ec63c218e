/* What a fold knows, for the files that fold, measure and merge. */
#ifndef CLI_FOLD_STATE_H
#define CLI_FOLD_STATE_H

#include "base/text_ranges.h"
#include "request.h"
#include "text/column.h"
#include "wide.h"

typedef struct cli_fold {
    const cli_options *options;
    bool repeats; /* the texts can be read again: columns whose type is still open may be folded, too */
    cli_column room[JR_INPUTS_MAX];
    cli_column *columns; /* those that are read: in `room` */
    int column_count;
    uint64_t elements; /* of each column, folded so far; 0: all are kept */
    uint64_t parts;
    jr_context *context; /* from the first part on */
    cli_request request;
    jr_spec spec; /* of the request; with a count of what was kept, where that may be nothing */
    jr_plan *plan;
    void *device_elements[JR_INPUTS_MAX], *device_state;
    cli_vector states;     /* on the host */
    struct cli_fold *wide; /* folds the same elements in f64 (wide.h); NULL: nobody does */
    bool in_f64;           /* it is that one */
    bool converts;         /* its elements are f64; else they stay what they are, and accumulate in f64 */
    bool ended;            /* it cannot do so, */
    bool refuses;          /* though no type was asked for */
    cli_options own;       /* its options */
    double *converted;
    double magnitude;  /* of the elements that were measured */
    uint64_t measured; /* of all that were read */
    bool asleep;       /* the one in f64 is not needed as far as is known */
    bool again;        /* it is, and elements are folded already: the texts must be read again */
    cli_ranges ranges; /* of what was folded */
    double copy_ms, run_ms;
} cli_fold;

/* How many elements every column holds. */
static inline uint64_t cli_fold_held(const cli_fold *fold) {
    uint64_t held = UINT64_MAX;
    for (int i = 0; i < fold->column_count; i++) {
        const cli_vector *vector = &fold->columns[i].vector;
        const uint64_t own = vector->used / vector->size;
        if (own < held) held = own;
    }
    return held;
}

#endif
