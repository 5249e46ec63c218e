/* Formulas of the command line: whole numbers from defines, "ceil(N / BLOCK)". */
#ifndef CLI_FORMULA_H
#define CLI_FORMULA_H

#include <stddef.h>
#include <stdint.h>

#include "cli_error.h"

/* A name and what stands for it: a formula itself. */
typedef struct cli_define {
    char name[64];
    const char *text; /* "1" where none was given; borrowed */
} cli_define;

typedef struct cli_names {
    const cli_define *items;
    size_t count;
} cli_names;

/* Computes a formula as jr_formula_compute does. where: begins the reason, "--grid". Writes *value on success only. */
cli_exit cli_formula(const char *where, const char *text, const cli_names *names, int64_t *value, cli_error *error);

#endif
