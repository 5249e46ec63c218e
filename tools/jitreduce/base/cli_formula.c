/* Hands formulas of the command line to the library. */
#include "cli_formula.h"

#include <stdlib.h>
#include <string.h>

#include "jitreduce/tunable.h"

cli_exit cli_formula(const char *where, const char *text, const cli_names *names, int64_t *value, cli_error *error) {
    jr_named_text *all = calloc(names->count + 1, sizeof *all);
    if (all == NULL) return cli_fail(error, CLI_FAILURE, "%s: out of memory", where);
    for (size_t i = 0; i < names->count; i++) all[i] = (jr_named_text){names->items[i].name, names->items[i].text};
    const jr_status status = jr_formula_compute(text, all, names->count, value);
    free(all);
    if (status == JR_OK) return CLI_OK;
    const char *reason = jr_last_error()->message;
    return cli_fail(error, CLI_USAGE, "%s: %s%s", where, reason,
                    strstr(reason, "is not defined") != NULL ? " (--define NAME=VALUE adds one)" : "");
}
