/* Finds out what was meant by an option that there is not, but that other programs have. */
#include "slip_option.h"

#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "option_take.h"
#include "slip.h"

/* Options of other programs (awk, cut, datamash, pandas, nvcc), and how they are written here. */
static const char *const others[][2] = {
    {"sep", "--delimiter"},
    {"separator", "--delimiter"},
    {"field-separator", "--delimiter"},
    {"fs", "--delimiter"},
    {"columns", "--column"},
    {"usecols", "--column"},
    {"groupby", "--group-by"},
    {"by", "--group-by"},
    {"skipna", "--nan ignore"},
    {"dropna", "--nan ignore"},
    {"narm", "--nan ignore"},
    {"skiprows", "--skip-lines"},
    {"na-values", "--na"},
    {"dtype", "--type"},
    {"filter", "--where"},
    {"if", "--where"},
    {"operator", "--op"},
    {"operation", "--op"},
    {"func", "--op"},
    {"function", "--op"},
    {"reduce", "--op"},
    {"agg", "--op"},
    {"dim", "--axis"},
    {"threads", "--block"},
    {"verbose", "--stats"},
    {"silent", "--quiet"},
    {"gpu", "--device cuda"},
    {"cuda", "--device cuda"},
    {"cpu", "--device sim"},
    {"sim", "--device sim"},
    {"simulate", "--device sim"},
    {"out", "--output"},
    {"expr", "--map"},
    {"apply", "--map"},
    {"transform", "--map"},
    {"start", "--initial"},
    {"keep-dims", "--keepdims"},
    {"cumsum", "scan"},
    {"cumulative", "scan"},
    {"profile", "--stats"},
    {"n", "--count"},
    {"c", "--column (-k)"},
    {"F", "--delimiter"},
    {"v", "--stats (-s)"},
    {"i", "--where"},
    {"e", "--map"},
    {"H", "--header yes"},
    {"T", "--type (-t)"},
    {"O", "--output (-o)"},
};

static const char *find_other(const char *name) {
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(others[i][0], name) == 0) return others[i][1];
    return NULL;
}

bool cli_slip_find_option(const char *name, char *meant, size_t room) {
    const char *op = cli_slip_operator(name), *other = find_other(name);
    if (op == NULL && other == NULL) return false;
    snprintf(meant, room, "%s%s", op != NULL ? "--op " : "", op != NULL ? op : other);
    return true;
}

/* A word is an option's name, as getopt would take it: whole. */
static bool is_option(const char *name) {
    for (int i = 0; i < cli_option_count(); i++) {
        const cli_option *option = cli_option_row(i);
        if (strcmp(option->name, name) == 0 || (option->alias != NULL && strcmp(option->alias, name) == 0)) return true;
    }
    return false;
}

/* Names that are no begin of what an option does: --size may well be --sizes. */
static bool is_sure(const char *name) {
    jr_op op;
    return find_other(name) != NULL || jr_op_find(name, &op) == JR_OK;
}

cli_exit cli_slip_check_words(int argc, char **argv, cli_error *error) {
    char meant[CLI_SUGGEST_BYTES];
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strncmp(argv[i], "--", 2) == 0 && !is_option(argv[i] + 2) && is_sure(argv[i] + 2) &&
            cli_slip_find_option(argv[i] + 2, meant, sizeof meant))
            return cli_fail(error, CLI_USAGE, "%s: is not an option; did you mean '%s'?", argv[i], meant);
    return CLI_OK;
}
