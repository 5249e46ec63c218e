/* Takes --axis and --shape from the command line. */
#include "option_shape.h"

#include <stdio.h>
#include <string.h>

#include "number.h"
#include "option_spec.h"

cli_exit cli_take_axis(cli_options *options, const char *argument, cli_error *error) {
    int32_t axis;
    const cli_number_status status = cli_number_parse(JR_I32, argument, argument + strlen(argument), &axis);
    if (status != CLI_NUMBER_OK)
        return cli_fail(error, CLI_USAGE, "--axis: '%s' is not the number of an axis: 0 is the first, -1 the last one",
                        argument);
    options->axis = axis;
    options->axis_given = true;
    return CLI_OK;
}

static bool parse_size(const char *begin, const char *end, uint64_t *size) {
    char word[32];
    if (end - begin >= (ptrdiff_t)sizeof word) return false;
    snprintf(word, sizeof word, "%.*s", (int)(end - begin), begin);
    return cli_count_parse(word, size);
}

cli_exit cli_take_shape(cli_options *options, const char *argument, cli_error *error) {
    cli_shape shape = {0};
    const char *begin = argument, *comma;
    do {
        comma = strchr(begin, ',');
        const char *end = comma ? comma : begin + strlen(begin);
        if (shape.dimensions == JR_DIMENSIONS_MAX)
            return cli_fail(error, CLI_USAGE, "--shape: '%s' has more than %d dimensions", argument, JR_DIMENSIONS_MAX);
        if (!parse_size(begin, end, &shape.sizes[shape.dimensions++]))
            return cli_fail(error, CLI_USAGE, "--shape: '%s' is not a shape like 4,5,6" SEE_HELP, argument);
        begin = end + 1;
    } while (comma != NULL);
    options->shape = shape;
    return CLI_OK;
}
