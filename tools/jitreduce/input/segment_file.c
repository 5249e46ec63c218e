/* Reads the file that gives the segments, once. */
#include "segment_file.h"

cli_exit cli_segment_file_read(const cli_options *options, const cli_options *asked, cli_input *segment_file,
                               cli_error *error) {
    cli_segment_file *kept = options->segment_file;
    if (kept == NULL) return cli_input_read(asked, segment_file, error);
    if (!kept->read) {
        const cli_exit code = cli_input_read(asked, &kept->input, error);
        if (code != CLI_OK) return code;
        kept->read = true;
    }
    *segment_file = kept->input; /* which owns what is lent */
    segment_file->joined = (cli_data){.count = 0};
    segment_file->keys.lent = true;
    segment_file->parts = NULL;
    segment_file->part_count = 0;
    return CLI_OK;
}
