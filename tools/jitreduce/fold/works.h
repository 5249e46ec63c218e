/* The works of a command line that has many: operators (one by one, or all in one pass) times types. */
#ifndef CLI_WORKS_H
#define CLI_WORKS_H

#include "request.h"

/* Makes the options of the index-th work, f32 where no type is given; false: there are no more. */
bool cli_works_at(const cli_options *options, int index, cli_options *own);

/* The sizes that were given; else those of the list, in *chosen. */
const cli_sizes *cli_works_sizes(const cli_options *options, const char *list, cli_sizes *chosen);

/* Makes the request of a work's own options. Whatever is wrong stands on the command line: a usage error. */
cli_exit cli_works_request(const cli_options *own, cli_request *request, cli_error *error);

#endif
