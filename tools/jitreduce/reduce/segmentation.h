/* How the command line divides the input: along an axis, in equal segments, by offsets, by keys. */
#ifndef CLI_SEGMENTATION_H
#define CLI_SEGMENTATION_H

#include "groups.h"
#include "input/inputs.h"

typedef struct cli_segmentation {
    jr_segment_layout layout;
    jr_segments segments; /* all but its layout; offsets and keys lie in `told` or in `offsets` */
    cli_shape shape;      /* of the input: of an axis that of the array, else flat */
    cli_input told;       /* what the file of --offsets, --keys or --by-key has */
    cli_data offsets;     /* those of the file and one more */
    cli_input words;      /* what the file of --keys has, where its keys are numbered */
    cli_groups groups;    /* of --keys: of words and NaNs; the elements' keys are numbers of groups, then */
    cli_data numbers;     /* of these */
} cli_segmentation;

/* Finds the segments of the input. complete: what lies behind the last offset is a segment, too; else it belongs to
 * none. Writes *segmentation on success only; the caller frees it. */
cli_exit cli_segmentation_make(const cli_options *options, const cli_inputs *inputs, bool complete,
                               cli_segmentation *segmentation, cli_error *error);

/* The file that tells segments, for work that is done twice: it may be a pipe. */
typedef struct cli_told {
    bool read;
    cli_input input;
} cli_told;

/* Reads what tells segments; from options->told, where it is there. */
cli_exit cli_told_read(const cli_options *options, const cli_options *asked, cli_input *told, cli_error *error);

/* Reads a file of keys, one for each of so many elements: .npy, or raw where --key-type is given, else text. What
 * --offset and --count leave of the input they leave of the keys. Writes *told on success only; the caller frees it. */
cli_exit cli_keys_read(const cli_options *options, const char *name, uint64_t element_count, cli_input *told,
                       cli_error *error);

/* The part of it for --axis: the shape is that of --shape, else that of x. Writes *segmentation on success only. */
cli_exit cli_axis_find(const cli_options *options, const cli_inputs *inputs, cli_segmentation *segmentation,
                       cli_error *error);

/* Frees a segmentation; a zeroed struct is fine. */
void cli_segmentation_free(cli_segmentation *segmentation);

#endif
