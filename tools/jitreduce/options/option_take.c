/* Takes lists, parameters, structs and shapes from the command line. */
#include "option_take.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/suggest.h"
#include "slip_operator.h"

int cli_option_find(const char *name) {
    int row = 0;
    while (strcmp(cli_option_row(row)->name, name) != 0) row++;
    return row;
}

/* Names are written with '_'; '-' is understood: two-pass. */
static char *underscored(char *word) {
    for (char *at = word; (at = strchr(at, '-')) != NULL;) *at = '_';
    return word;
}

/* Copies the next word of a list separated by commas, truncated if it is too long; false after the last one. */
static bool next_word(const char **list, char *word, size_t bytes) {
    if (*list == NULL) return false;
    const char *comma = strchr(*list, ',');
    const size_t length = comma ? (size_t)(comma - *list) : strlen(*list);
    snprintf(word, bytes, "%.*s", (int)(length < bytes ? length : bytes - 1), *list);
    *list = comma ? comma + 1 : NULL;
    return true;
}

static cli_exit add_op(cli_options *options, jr_op op, cli_error *error) {
    for (int i = 0; i < options->op_count; i++)
        if (options->ops[i] == op) return cli_fail(error, CLI_USAGE, "--op: '%s' is given twice", jr_op_name(op));
    if (options->op_count == JR_OPS_MAX)
        return cli_fail(error, CLI_USAGE, "--op: a list of more than %d operators", JR_OPS_MAX);
    options->ops[options->op_count++] = op;
    return CLI_OK;
}

cli_exit cli_take_ops(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    (void)option;
    cli_exit code = CLI_OK;
    char word[48];
    if (strchr(argument, '(') != NULL) {
        if (options->op_count > 0)
            return cli_fail(error, CLI_USAGE, "--op: '%s': operators with columns stand in one list", argument);
        options->op_calls = argument;
        options->many = true;
        options->ops[options->op_count++] = JR_OP_SUM; /* stands for them until each has a work */
        options->ops_done = true;
        return CLI_OK;
    }
    if (options->ops_done)
        return cli_fail(error, CLI_USAGE, "--op: count must come last, after all operators: sum,count");
    for (const char *rest = argument; code == CLI_OK && next_word(&rest, word, sizeof word);) {
        char typed[sizeof word];
        const size_t blanks = strspn(word, " ");
        memmove(word, word + blanks, strlen(word + blanks) + 1); /* "sum, mean" */
        memcpy(typed, word, sizeof word);
        jr_op op;
        if (strcmp(word, "minmax") == 0) {
            code = add_op(options, JR_OP_MIN, error);
            if (code == CLI_OK) code = add_op(options, JR_OP_MAX, error);
        } else if (strcmp(word, "count") == 0) { /* not an operator: spec.kept's count, which follows the
                                                  * operators' results */
            options->ops_done = true;
            options->counts = options->op_count == 0;
            options->spec.kept = !options->counts;
            if (options->counts) options->ops[options->op_count++] = JR_OP_COUNT_NONZERO;
            if (rest != NULL)
                code = cli_fail(error, CLI_USAGE, "--op: count must come last, after all operators: sum,count");
        } else if (jr_op_find(underscored(word), &op) == JR_OK) {
            code = add_op(options, op, error);
        } else {
            code = cli_slip_op(typed, error);
        }
    }
    return code;
}

cli_exit cli_take_types(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    (void)option;
    cli_exit code = CLI_OK;
    char word[48];
    if (strlen(argument) == 1 && strchr(",;|:", argument[0]) != NULL)
        return cli_fail(error, CLI_USAGE, "--type: '%s' is not a type; the character between columns is --delimiter",
                        argument);
    options->type_count = 0;
    for (const char *rest = argument; code == CLI_OK && next_word(&rest, word, sizeof word); options->type_count++) {
        if (options->type_count == CLI_TYPES_MAX)
            return cli_fail(error, CLI_USAGE, "--type: '%s' lists more than %d types", argument, CLI_TYPES_MAX);
        jr_type *type = &options->types[options->type_count];
        *type = JR_STRUCT;
        if (strcmp(word, "struct") != 0) code = cli_find_type("type", word, type, error);
    }
    return code;
}

/* Reads the number after '='. Its type may follow after ':'; else a whole number is i64, any other f64. */
static cli_exit take_value(const char *text, const char *colon, jr_value *value, cli_error *error) {
    char number[64];
    const size_t length = colon ? (size_t)(colon - text) : strlen(text);
    if (length >= sizeof number) return cli_fail(error, CLI_USAGE, "--param: a number of %zu characters", length);
    memcpy(number, text, length);
    number[length] = '\0';
    if (colon) {
        cli_exit code = cli_find_type("param", colon + 1, &value->type, error);
        return code == CLI_OK ? cli_parse_number("param", number, value->type, &value->as, error) : code;
    }
    value->type = JR_I64;
    if (cli_number_parse(JR_I64, number, number + length, &value->as) == CLI_NUMBER_OK) return CLI_OK;
    value->type = JR_F64;
    if (cli_parse_number("param", number, JR_F64, &value->as, error) == CLI_OK) return CLI_OK;
    const char *advice = strchr(number, ' ') != NULL   ? "; it stands next to the '=', without a blank"
                         : strchr(number, ',') != NULL ? ", and each parameter has its own --param"
                         : strchr(number, '/') != NULL ? ", or divide in the expression"
                                                       : "";
    const size_t used = strlen(error->message);
    snprintf(error->message + used, sizeof error->message - used, "%s", advice);
    return CLI_USAGE;
}

/* A parameter of a name that another one has. */
static cli_exit check_other_names(const cli_options *options, const cli_parameter *made, cli_error *error) {
    char before[32] = "", now[32] = "";
    for (int i = 0; i < options->parameter_count; i++) {
        const cli_parameter *other = &options->parameters[i];
        if (strcmp(other->name, made->name) != 0) continue;
        (void)jr_value_print(&other->value, before, sizeof before);
        (void)jr_value_print(&made->value, now, sizeof now);
        return cli_fail(error, CLI_USAGE, "--param: %s is given twice, as %s and as %s: give one of them", made->name,
                        before, now);
    }
    return CLI_OK;
}

cli_exit cli_take_param(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    (void)option;
    const char *equals = strchr(argument, '=');
    cli_parameter made = {.value.type = JR_F64};
    if (options->parameter_count == JR_PARAMETERS_MAX)
        return cli_fail(error, CLI_USAGE, "--param: more than %d of them", JR_PARAMETERS_MAX);
    if (equals == NULL || equals == argument)
        return cli_fail(error, CLI_USAGE, "--param: '%s' is not name=value or name=value:type" SEE_HELP, argument);
    const size_t length = (size_t)(equals - argument);
    if (length >= sizeof made.name)
        return cli_fail(error, CLI_USAGE, "--param: the name '%.*s' is longer than %zu characters", (int)length,
                        argument, sizeof made.name - 1);
    memcpy(made.name, argument, length);
    cli_exit code = take_value(equals + 1, strchr(equals, ':'), &made.value, error);
    if (code == CLI_OK) code = check_other_names(options, &made, error);
    if (code == CLI_OK) options->parameters[options->parameter_count++] = made;
    return code;
}

cli_exit cli_take_struct(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    (void)option;
    options->structure = cli_structure_of(argument);
    if (options->structure.name[0] != '\0') return CLI_OK;
    return cli_fail(error, CLI_USAGE, "--struct: '%s' is not like 'struct pair { float key; int id; };'" SEE_HELP,
                    argument);
}

cli_exit cli_take_axis(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    (void)option;
    char word[48];
    options->axis_count = 0;
    for (const char *rest = argument; next_word(&rest, word, sizeof word);) {
        int32_t axis;
        if (options->axis_count == JR_DIMENSIONS_MAX)
            return cli_fail(error, CLI_USAGE, "--axis: '%s' lists more than %d axes", argument, JR_DIMENSIONS_MAX);
        if (cli_number_parse(JR_I32, word, word + strlen(word), &axis) != CLI_NUMBER_OK)
            return cli_fail(error, CLI_USAGE,
                            "--axis: '%s' is not the number of an axis: 0 is the first, -1 the last one", word);
        options->axes[options->axis_count++] = axis;
    }
    return CLI_OK;
}

cli_exit cli_take_shape(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    (void)option;
    cli_shape shape = {0};
    char word[48];
    for (const char *rest = argument; next_word(&rest, word, sizeof word);) {
        if (shape.dimensions == JR_DIMENSIONS_MAX)
            return cli_fail(error, CLI_USAGE, "--shape: '%s' has more than %d dimensions", argument, JR_DIMENSIONS_MAX);
        const bool whole = strlen(word) < sizeof word - 1;
        if (!whole || !cli_count_parse(word, &shape.sizes[shape.dimensions++]))
            return cli_fail(error, CLI_USAGE, "--shape: '%s' is not a shape like 4,5,6%s", argument,
                            strpbrk(argument, "x*([ ") != NULL ? ": commas alone stand between sizes" : SEE_HELP);
    }
    options->shape = shape;
    return CLI_OK;
}

cli_exit cli_take_algorithm(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    (void)option;
    char name[48], hint[CLI_HINT_BYTES];
    options->spec.algorithm = JR_ALGORITHM_AUTO;
    options->bench.every = strcmp(argument, "all") == 0;
    if (options->bench.every || strcmp(argument, "auto") == 0) return CLI_OK;
    snprintf(name, sizeof name, "%s", argument);
    if (jr_algorithm_find(underscored(name), &options->spec.algorithm) == JR_OK) return CLI_OK;
    return cli_fail(error, CLI_USAGE,
                    "--algorithm: '%s' is not one of auto" JR_ALGORITHMS(WORD) JR_SCAN_ALGORITHMS(WORD) "%s", argument,
                    cli_hint(name, "auto" JR_ALGORITHMS(WORD) JR_SCAN_ALGORITHMS(WORD), hint));
}

cli_exit cli_take_sizes(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    (void)option;
    return cli_sizes_parse(argument, &options->sizes, error);
}

/* Sets the flag of each word of a list: flags are in the order of the row's words. */
static cli_exit take_flags(const cli_option *option, bool *const *flags, const char *argument, cli_error *error) {
    char word[48];
    unsigned index;
    for (const char *rest = argument; next_word(&rest, word, sizeof word); *flags[index] = true)
        if (cli_find_word(option, word, &index, error) != CLI_OK) return CLI_USAGE;
    return CLI_OK;
}

cli_exit cli_take_bench_data(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    cli_bench_options *bench = &options->bench;
    bool cold = false, *const flags[] = {&cold, &bench->warm, &bench->hostile, &bench->misaligned};
    if (take_flags(option, flags, argument, error) != CLI_OK) return CLI_USAGE;
    if (cold && bench->warm) return cli_fail(error, CLI_USAGE, "--data: is cold or warm: give one of them");
    return CLI_OK;
}

cli_exit cli_take_show(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    cli_run_options *run = &options->run;
    bool *const flags[] = {&run->time, &run->resources, &run->ptx, &run->sass, &run->kernels};
    return take_flags(option, flags, argument, error);
}

cli_exit cli_take_peer(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    (void)option;
    if (options->bench.peer_count == CLI_PEERS_MAX)
        return cli_fail(error, CLI_USAGE, "--peer: more than %d of them", CLI_PEERS_MAX);
    options->bench.peers[options->bench.peer_count++] = argument;
    return CLI_OK;
}

cli_exit cli_take_state(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    cli_states *states = &options->states;
    if (states->add_count == CLI_STATES_MAX)
        return cli_fail(error, CLI_USAGE, "--%s: more than %d of them: add some, save that state, add the others to it",
                        option->name, CLI_STATES_MAX);
    states->add[states->add_count++] = argument;
    return CLI_OK;
}

cli_exit cli_take_plot(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    (void)option;
    (void)error;
    options->bench.plots = true;
    options->bench.plot = argument;
    return CLI_OK;
}
