/* A command line given as one text. */
#ifndef TESTS_SUPPORT_CLI_LINE_H
#define TESTS_SUPPORT_CLI_LINE_H

#include "parse/option_parse.h"
#include "support/fixtures/check.h"

/* Parses it; its words stay in static memory until the next one. */
cli_exit parse(const char *line, cli_options *options, cli_error *error);

#endif
