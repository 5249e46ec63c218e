/* How the command line divides the input: along an axis, in equal segments, by offsets, by keys. */
#ifndef CLI_SEGMENTATION_H
#define CLI_SEGMENTATION_H

#include "groups.h"
#include "input/inputs.h"

typedef struct cli_segmentation {
    jr_segment_layout layout;
    jr_work_data segments;  /* all but arrays and results; offsets and keys point into `segment_file` or `offsets` */
    cli_shape shape;        /* of the input: of an axis that of the array, else flat */
    cli_input segment_file; /* what the file of --segments or --keys has */
    cli_data offsets;       /* those of the file and one more */
    cli_input words;        /* what the file of --keys has, where its keys are numbered */
    cli_groups groups;      /* of --keys: of words and NaNs; the elements' keys are numbers of groups, then */
    cli_data numbers;       /* of these */
    const void *arrays[JR_INPUTS_MAX]; /* the inputs, without the elements whose key is missing */
    cli_data left[JR_INPUTS_MAX];      /* that hold them where there are such elements */
    cli_data rows;                     /* where those stood that are left */
} cli_segmentation;

/* Finds the segments of the input. complete: the elements after the last offset are a segment, too; else they are in no
 * segment. Writes *segmentation on success only; the caller frees it. */
cli_exit cli_segmentation_make(const cli_options *options, const cli_inputs *inputs, bool complete,
                               cli_segmentation *segmentation, cli_error *error);

/* Frees a segmentation; a zeroed struct is fine. */
void cli_segmentation_free(cli_segmentation *segmentation);

#endif
