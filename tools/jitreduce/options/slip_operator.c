/* Finds out what was meant by a word that is no operator here. */
#include "slip_operator.h"

#include <stdio.h>
#include <string.h>

#include "base/suggest.h"

/* Names of other programs for operators. */
static const char *const other_names[][2] = {
    {"avg", "mean"},      {"average", "mean"}, {"stdev", "std"},    {"stddev", "std"},  {"sd", "std"},
    {"total", "sum"},     {"add", "sum"},      {"plus", "sum"},     {"times", "prod"},  {"mul", "prod"},
    {"len", "count"},     {"size", "count"},   {"l1", "norm1"},     {"l2", "norm2"},    {"linf", "norminf"},
    {"amin", "min"},      {"amax", "max"},     {"nanmin", "min"},   {"nanmax", "max"},  {"nansum", "sum"},
    {"least", "min"},     {"greatest", "max"}, {"smallest", "min"}, {"largest", "max"}, {"idxmin", "argmin"},
    {"idxmax", "argmax"}, {"band", "and"},     {"bor", "or"},       {"bxor", "xor"},    {"inner", "dot"},
    {"cnt", "count"},     {"nobs", "count"},   {"+", "sum"},        {"*", "prod"},
};

/* What takes more than an operator's name. */
static const char *const longer[][2] = {
    {"range", "--op min,max prints both ends"},
    {"ptp", "--op min,max prints both ends"},
    {"rms", "--op sumsq --finish 'sqrt(a / n)' computes it"},
    {"geomean", "--map 'log(x)' --op mean --finish 'exp(a)' computes it"},
    {"cumsum", "'jitreduce scan' makes running sums"},
    {"cumprod", "'jitreduce scan --op prod' makes running products"},
    {"cummax", "'jitreduce scan --op max' makes running maxima"},
    {"cummin", "'jitreduce scan --op min' makes running minima"},
    {"first", "--count 1 reads the first element alone"},
    {"last", "tail -n 1 prints the last line of a text"},
    {"sem", "std and count make it: --op std,count"},
};

/* What no operator computes: two values at a time do not suffice. */
static const char *const sorted[] = {"median",   "mode", "quantile", "percentile", "nunique", "unique",
                                     "distinct", "sort", "p95",      "p99",        "iqr"};

static const char *find_other_name(const char *word) {
    for (size_t i = 0; i < sizeof other_names / sizeof *other_names; i++)
        if (strcasecmp(word, other_names[i][0]) == 0) return other_names[i][1];
    return NULL;
}

const char *cli_slip_longer(const char *word) {
    for (size_t i = 0; i < sizeof longer / sizeof *longer; i++)
        if (strcasecmp(word, longer[i][0]) == 0) return longer[i][1];
    return NULL;
}

bool cli_slip_needs_sorting(const char *word) {
    for (size_t i = 0; i < sizeof sorted / sizeof *sorted; i++)
        if (strcasecmp(word, sorted[i]) == 0) return true;
    return false;
}

const char *cli_slip_operator(const char *word) {
    const char *other = find_other_name(word);
    jr_op op;
    return other != NULL ? other : jr_op_find(word, &op) == JR_OK || strcmp(word, "count") == 0 ? word : NULL;
}

cli_exit cli_slip_op(const char *word, cli_error *error) {
    static const char all[] = JR_OPS(WORD) " minmax count";
    const char *meant = find_other_name(word), *way = cli_slip_longer(word);
    char hint[CLI_HINT_BYTES], name[CLI_SUGGEST_BYTES];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "=("), word); /* quantile=0.5 */
    if (word[0] == '\0') return cli_fail(error, CLI_USAGE, "--op: an operator is missing; a list is sum,mean" SEE_HELP);
    if (way != NULL) return cli_fail(error, CLI_USAGE, "--op: '%s' is not an operator: %s", word, way);
    if (strpbrk(word, " ;+/|&") != NULL && strlen(word) > 1)
        return cli_fail(error, CLI_USAGE, "--op: '%s' is not an operator; a list has commas: --op sum,mean", word);
    if (cli_slip_needs_sorting(name))
        return cli_fail(
            error, CLI_USAGE,
            "--op: '%s' is not available: it needs sorted elements, and an operator combines two values at a "
            "time; see 'jitreduce help operators'",
            word);
    if (meant != NULL)
        return cli_fail(error, CLI_USAGE, "--op: '%s' is not one of%s; did you mean '%s'?", word, all, meant);
    if (strchr(word, '=') != NULL)
        return cli_fail(error, CLI_USAGE, "--op: '%s' is not an operator; a parameter is --param %s", word, word);
    return cli_fail(error, CLI_USAGE, "--op: '%s' is not one of%s%s", word, all, cli_hint(word, all, hint));
}
