/* Finds out what was meant by an option that there is not, but that other programs have. */
#include "slip_option.h"

#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "option_removed.h"
#include "option_take.h"
#include "slip_operator.h"

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
    {"na-rm", "--nan ignore"},
    {"na.rm", "--nan ignore"},
    {"skip-na", "--nan ignore"},
    {"skip-nan", "--nan ignore"},
    {"drop-na", "--nan ignore"},
    {"ignore-nan", "--nan ignore"},
    {"ignore-na", "--nan ignore"},
    {"nan-ignore", "--nan ignore"},
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
    {"no-header", "--header no"},
    {"noheader", "--header no"},
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

/* What no option does, and what does it. */
static const char *const ways[][2] = {
    {"precision", "numbers are printed with all digits that count; --round 2 and --format '%.2f' print two"},
    {"digits", "numbers are printed with all digits that count; --round 2 and --format '%.2f' print two"},
    {"decimals", "numbers are printed with all digits that count; --round 2 and --format '%.2f' print two"},
    {"tsv", "-o FILE.tsv writes columns with tabs between them"},
    {"reverse", "tac turns the lines of a text around"},
    {"sort", "groups are sorted by key; sort -k2n sorts what is printed by another column"},
    {"names", "--column takes names of the first line"},
    {"threads", "--block N sets the threads of a block on the device; nothing sets those of the CPU"},
    {"jobs", "--block N sets the threads of a block on the device; nothing sets those of the CPU"},
    {"parallel", "--block N sets the threads of a block on the device; nothing sets those of the CPU"},
    {"R", "--round 2 rounds what is printed to two digits"},
};

const char *cli_slip_find_way(const char *name) {
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp(ways[i][0], name) == 0) return ways[i][1];
    return NULL;
}

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
        if (strcmp(option->name, name) == 0) return true;
    }
    return false;
}

/* Names that are no begin of what an option does: --size may well be --sizes. */
static bool is_sure(const char *name) {
    jr_op op;
    return find_other(name) != NULL || jr_op_find(name, &op) == JR_OK;
}

/* -column, which getopt would take for -c. */
static cli_exit check_dashes(const char *word, cli_error *error) {
    char name[CLI_SUGGEST_BYTES];
    if (strncmp(word, "\xe2\x80\x93", 3) == 0 || strncmp(word, "\xe2\x80\x94", 3) == 0)
        return cli_fail(error, CLI_USAGE, "%s: begins with a long dash; an option begins with two short ones: --%s",
                        word, word + 3);
    const size_t length = word[0] == '-' ? strcspn(word + 1, "=") : 0;
    if (word[0] != '-' || word[1] == '-' || length < 2 || length >= sizeof name) return CLI_OK;
    snprintf(name, sizeof name, "%.*s", (int)length, word + 1);
    if (!is_option(name) && strcmp(name, "help") != 0 && strcmp(name, "version") != 0) return CLI_OK;
    return cli_fail(error, CLI_USAGE, "%s: an option of several letters has two dashes: -%s", word, word);
}

cli_exit cli_slip_check_words(int argc, char **argv, cli_error *error) {
    char meant[CLI_SUGGEST_BYTES], name[CLI_SUGGEST_BYTES];
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const bool is_long = strncmp(argv[i], "--", 2) == 0;
        if (check_dashes(argv[i], error) != CLI_OK) return CLI_USAGE;
        snprintf(name, sizeof name, "%.*s", is_long ? (int)strcspn(argv[i] + 2, "=") : 0, argv[i] + (is_long ? 2 : 0));
        if (is_long && cli_check_removed(name, error) != CLI_OK) return CLI_USAGE;
        if (is_long && cli_slip_find_way(name) != NULL)
            return cli_fail(error, CLI_USAGE, "--%s: is not an option: %s", name, cli_slip_find_way(name));
        if (is_long && !is_option(argv[i] + 2) && is_sure(argv[i] + 2) &&
            cli_slip_find_option(argv[i] + 2, meant, sizeof meant))
            return cli_fail(error, CLI_USAGE, "%s: is not an option; did you mean '%s'?", argv[i], meant);
    }
    return CLI_OK;
}
