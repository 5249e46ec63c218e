/* Computes grid, block and shared memory of a launch. */
#include "run_shape.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AXES = 3 };

/* The end of a formula in a list: the next comma outside all parentheses. */
static const char *end_of(const char *text) {
    int depth = 0;
    for (; *text != '\0' && (*text != ',' || depth > 0); text++) depth += (*text == '(') - (*text == ')' && depth > 0);
    return text;
}

/* "32x8" */
static bool is_product(const char *text) {
    const size_t first = strspn(text, "0123456789");
    return first > 0 && text[first] == 'x' && text[first + 1] >= '1' && text[first + 1] <= '9' && text[0] != '0';
}

static cli_exit compute(const char *option, const char *text, const cli_names *names, int64_t least, unsigned *value,
                        cli_error *error) {
    int64_t found;
    if (is_product(text))
        return cli_fail(error, CLI_USAGE, "%s: '%.200s' is not a whole number or a formula; extents have commas: 32,8",
                        option, text);
    const cli_exit code = cli_formula(option, text, names, &found, error);
    if (code != CLI_OK) return code;
    if (found < least || found > INT_MAX)
        return cli_fail(error, CLI_USAGE, "%s: '%.200s' is %lld, out of the range %lld to %d", option, text,
                        (long long)found, (long long)least, INT_MAX);
    *value = (unsigned)found;
    return CLI_OK;
}

/* "X[,Y[,Z]]" */
static cli_exit compute_extents(const char *option, const char *text, const cli_names *names, unsigned extents[AXES],
                                cli_error *error) {
    cli_exit code = CLI_OK;
    int axis = 0;
    for (const char *at = text, *end; code == CLI_OK; at = end + 1) {
        if (axis == AXES) return cli_fail(error, CLI_USAGE, "%s: '%.200s' has more than 3 extents", option, text);
        end = end_of(at);
        char *one = strndup(at, (size_t)(end - at));
        if (one == NULL) return cli_fail(error, CLI_FAILURE, "%s: out of memory", option);
        code = compute(option, one, names, 1, &extents[axis++], error);
        free(one);
        if (*end == '\0') break;
    }
    return code;
}

static void name_block(cli_run_names *names, const unsigned block[AXES]) {
    static const char *const words[] = {"BLOCK", "BLOCK_X", "BLOCK_Y", "BLOCK_Z"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        cli_define *item = &names->items[i];
        snprintf(item->name, sizeof item->name, "%s", words[i]);
        snprintf(names->numbers[i], sizeof names->numbers[i], "%llu",
                 i > 0 ? (unsigned long long)block[i - 1] : (unsigned long long)block[0] * block[1] * block[2]);
        item->text = names->numbers[i];
    }
}

cli_exit cli_run_shape(const cli_run_options *run, jr_launch *launch, cli_run_names *names, cli_error *error) {
    const cli_names defines = {run->defines, run->define_count};
    jr_launch found = JR_INIT(jr_launch, .block = {CLI_RUN_BLOCK, 1, 1});
    cli_exit code = CLI_OK;
    if (run->block != NULL) code = compute_extents("--block", run->block, &defines, found.block, error);
    if (code != CLI_OK) return code;
    for (int i = 0; i < AXES; i++)
        if (found.block[i] > 1024)
            return cli_fail(error, CLI_USAGE, "--block: '%.200s' has %u threads in one dimension; the limit is 1024",
                            run->block, found.block[i]);
    name_block(names, found.block);
    memcpy(names->items + 4, run->defines, run->define_count * sizeof *run->defines);
    names->count = run->define_count + 4;
    const cli_names all = {names->items, names->count};
    if (run->grid != NULL) {
        found.grid[1] = found.grid[2] = 1;
        code = compute_extents("--grid", run->grid, &all, found.grid, error);
    }
    if (code == CLI_OK && run->shared != NULL)
        code = compute("--shared", run->shared, &all, 0, &found.shared_bytes, error);
    found.cooperative = run->cooperative;
    found.priority = run->priority;
    memcpy(found.cluster, run->cluster, sizeof found.cluster);
    if (code == CLI_OK) *launch = found;
    return code;
}
