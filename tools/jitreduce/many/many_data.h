/* Works that share a table, and the columns that they read of it. */
#ifndef CLI_MANY_DATA_H
#define CLI_MANY_DATA_H

#include "reduce/sink.h"

typedef struct cli_many_work {
    cli_options options;       /* of it alone */
    char *text, *label;        /* its expression or column; what it is called */
    int inputs[JR_INPUTS_MAX]; /* of its columns, those of all */
    cli_sink sink;
} cli_many_work;

typedef struct cli_many {
    cli_many_work *works;
    int count, room;
    cli_column_name *columns; /* of all works, each once */
    int column_count;
} cli_many;

#endif
