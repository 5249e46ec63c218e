/* The file that gives the segments: offsets or keys. */
#ifndef CLI_SEGMENT_FILE_H
#define CLI_SEGMENT_FILE_H

#include "input.h"

/* The file, kept for work that is done twice, since it may be a pipe. */
typedef struct cli_segment_file {
    bool read;
    cli_input input;
} cli_segment_file;

/* Reads the file that gives the segments; takes it from options->segment_file if it was read before. */
cli_exit cli_segment_file_read(const cli_options *options, const cli_options *asked, cli_input *segment_file,
                               cli_error *error);

#endif
