/* Finds formulas of --expr by their names. */
#include "ready_made.h"

#include <string.h>

static const struct ready {
    const char *name;
    jr_op ops[2];
    int op_count;
    const char *expression;
} formulas[] = {{"softmax", {JR_OP_LOGSUMEXP}, 1, "exp(x - r)"},
                {"log_softmax", {JR_OP_LOGSUMEXP}, 1, "x - r"},
                {"rms_norm", {JR_OP_SUMSQ}, 1, "x * rsqrt(r / (double)n + 1e-6)"},
                {"layer_norm", {JR_OP_MEAN, JR_OP_VAR}, 2, "(x - r0) * rsqrt(r1 + 1e-5)"},
                {"zscore", {JR_OP_MEAN, JR_OP_STD}, 2, "(x - r0) / r1"},
                {"minmax_scale", {JR_OP_MIN, JR_OP_MAX}, 2, "(x - r0) / ((double)r1 - r0)"},
                {"l1_normalize", {JR_OP_NORM1}, 1, "x / fmax(r, 1e-12)"},
                {"l2_normalize", {JR_OP_NORM2}, 1, "x / fmax(r, 1e-12)"}};

static const struct ready *find(const char *name) {
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++)
        if (strcmp(formulas[i].name, name) == 0) return &formulas[i];
    return NULL;
}

cli_exit cli_ready_settle(cli_options *options, cli_error *error) {
    const char *given = options->spec.apply;
    if (given == NULL)
        return cli_fail(error, CLI_USAGE,
                        "--expr: is missing: the value of each element, as 'x / r', or one of " CLI_READY_NAMES);
    if (options->axis_count == 0 && options->segment_length == 0 && options->offsets == NULL)
        options->axes[options->axis_count++] = -1;
    const struct ready *ready = find(given);
    if (ready == NULL) return CLI_OK;
    if (!options->op_open)
        return cli_fail(error, CLI_USAGE, "--expr: %s has operators of its own: leave --op and --combine out", given);
    memcpy(options->ops, ready->ops, sizeof ready->ops);
    options->op_count = ready->op_count;
    options->spec.apply = ready->expression;
    return CLI_OK;
}
