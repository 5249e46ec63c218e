/* Topics of help: expressions, operators, formats. To add one is to add a row of its table and a function. */
#ifndef CLI_HELP_TOPIC_H
#define CLI_HELP_TOPIC_H

#include <stdbool.h>
#include <stdio.h>

typedef struct cli_topic {
    const char *name;
    const char *others; /* names that find it, too, parted by blanks */
    const char *help;   /* what it is about, in one line */
    void (*print)(FILE *out);
} cli_topic;

extern const cli_topic cli_topic_table[];
extern const int cli_topic_count;

/* Finds a topic by a name; NULL if there is no such topic. */
const cli_topic *cli_topic_find(const char *name);

/* Prints the row of one operator; false if there is no operator of that name. */
bool cli_topic_print_operator(FILE *out, const char *name);

#endif
