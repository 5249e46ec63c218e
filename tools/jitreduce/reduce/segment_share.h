/* The share that a rank has of segments: whole ones where it can be, else a part of each. */
#ifndef CLI_SEGMENT_SHARE_H
#define CLI_SEGMENT_SHARE_H

#include "segmentation.h"

typedef struct cli_segment_share {
    bool of_each;             /* it is a part of every segment: rows of an array whose first axis is reduced away */
    jr_segment_layout layout; /* of the share's elements */
    jr_work_data segments;    /* all but arrays and results; offsets: in `offsets` */
    uint64_t first_element, element_count, first_result; /* in the whole */
    uint64_t *offsets;                                   /* owned; NULL: no offsets */
} cli_segment_share;

/* Cuts segments, as they were found in all elements, into so many shares as equal as can be, and writes the index-th
 * one; the caller frees it. */
cli_exit cli_segment_share_make(const cli_segmentation *all, uint64_t element_count, uint64_t index, uint64_t shares,
                                cli_segment_share *share, cli_error *error);

/* Frees a share; a zeroed struct is fine. */
void cli_segment_share_free(cli_segment_share *share);

/* Where the inputs of a share begin. */
void cli_segment_share_arrays(const cli_segment_share *share, const cli_inputs *inputs,
                              const void *arrays[JR_INPUTS_MAX]);

#endif
