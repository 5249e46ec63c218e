/* Parses command lines of tests. */
#include "cli_line.h"

#include <stdio.h>
#include <string.h>

enum { WORDS_LIMIT = 32 };

cli_exit parse(const char *line, cli_options *options, cli_error *error) {
    static char text[256], program[] = "jitreduce";
    static char *words[WORDS_LIMIT];
    int count = 1;
    words[0] = program;
    snprintf(text, sizeof text, "%s", line);
    for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " ")) {
        assert_in_range(count, 1, WORDS_LIMIT - 2);
        words[count++] = word;
    }
    words[count] = NULL;
    return cli_options_parse(count, words, options, error);
}
