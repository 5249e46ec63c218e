/* Takes operators, types, parameters and structs from the command line. */
#include "option_spec.h"

#include <stdio.h>
#include <string.h>

#include "number.h"

/* Copies the next word of a list parted by commas; false behind the last one. */
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

cli_exit cli_take_op(cli_options *options, const char *argument, cli_error *error) {
    cli_exit code = CLI_OK;
    char word[48];
    options->op_count = 0;
    for (const char *rest = argument; code == CLI_OK && next_word(&rest, word, sizeof word);) {
        jr_op op;
        if (strcmp(word, "minmax") == 0) {
            code = add_op(options, JR_OP_MIN, error);
            if (code == CLI_OK) code = add_op(options, JR_OP_MAX, error);
        } else if (jr_op_find(word, &op) == JR_OK) {
            code = add_op(options, op, error);
        } else {
            code = cli_fail(error, CLI_USAGE, "--op: '%s' is not one of" JR_OPS(WORD) " minmax" SEE_HELP, word);
        }
    }
    return code;
}

static cli_exit find_type(const char *option, const char *word, jr_type *type, cli_error *error) {
    if (jr_type_find(word, type) == JR_OK) return CLI_OK;
    return cli_fail(error, CLI_USAGE, "%s: '%s' is not one of" JR_TYPES(WORD) SEE_HELP, option, word);
}

cli_exit cli_take_type(cli_options *options, const char *argument, cli_error *error) {
    cli_exit code = CLI_OK;
    char word[48];
    options->type_count = 0;
    for (const char *rest = argument; code == CLI_OK && next_word(&rest, word, sizeof word); options->type_count++) {
        if (options->type_count == CLI_TYPES_MAX)
            return cli_fail(error, CLI_USAGE, "--type: '%s' lists more than %d types", argument, CLI_TYPES_MAX);
        jr_type *type = &options->types[options->type_count];
        *type = JR_STRUCT;
        if (strcmp(word, "struct") != 0) code = find_type("--type", word, type, error);
    }
    return code;
}

cli_exit cli_take_map_type(cli_options *options, const char *argument, cli_error *error) {
    return find_type("--map-type", argument, &options->spec.map_type, error);
}

cli_exit cli_take_accumulate(cli_options *options, const char *argument, cli_error *error) {
    return find_type("--accumulate", argument, &options->spec.accumulate, error);
}

cli_exit cli_take_result(cli_options *options, const char *argument, cli_error *error) {
    return find_type("--result", argument, &options->spec.result, error);
}

cli_exit cli_take_nan(cli_options *options, const char *argument, cli_error *error) {
    const bool ignore = strcmp(argument, "ignore") == 0;
    if (!ignore && strcmp(argument, "propagate") != 0)
        return cli_fail(error, CLI_USAGE, "--nan: '%s' is not one of propagate ignore" SEE_HELP, argument);
    options->spec.nan = ignore ? JR_NAN_IGNORE : JR_NAN_PROPAGATE;
    return CLI_OK;
}

/* Parses a text as one number of a type. */
static cli_exit parse_number(const char *option, const char *text, jr_type type, void *number, cli_error *error) {
    const char *end = text + strlen(text);
    char detail[192];
    const cli_number_status status = cli_number_parse(type, text, end, number);
    if (status == CLI_NUMBER_OK) return CLI_OK;
    return cli_fail(error, CLI_USAGE, "%s: %s", option, cli_number_explain(status, type, text, end, detail));
}

cli_exit cli_take_ddof(cli_options *options, const char *argument, cli_error *error) {
    return parse_number("--ddof", argument, JR_F64, &options->spec.ddof, error);
}

cli_exit cli_take_max_launch_ms(cli_options *options, const char *argument, cli_error *error) {
    double limit = 0;
    cli_exit code = parse_number("--max-launch-ms", argument, JR_F64, &limit, error);
    if (code == CLI_OK && !(limit > 0))
        return cli_fail(error, CLI_USAGE, "--max-launch-ms: '%s' is not above 0", argument);
    options->spec.max_launch_ms = limit;
    return code;
}

/* The number behind '='; its type is said behind ':', else the text decides: i64 where it is whole, f64 where not. */
static cli_exit take_value(const char *text, const char *colon, jr_value *value, cli_error *error) {
    char number[64];
    const size_t length = colon ? (size_t)(colon - text) : strlen(text);
    if (length >= sizeof number) return cli_fail(error, CLI_USAGE, "--param: a number of %zu characters", length);
    memcpy(number, text, length);
    number[length] = '\0';
    if (colon) {
        cli_exit code = find_type("--param", colon + 1, &value->type, error);
        return code == CLI_OK ? parse_number("--param", number, value->type, &value->as, error) : code;
    }
    value->type = JR_I64;
    if (cli_number_parse(JR_I64, number, number + length, &value->as) == CLI_NUMBER_OK) return CLI_OK;
    value->type = JR_F64;
    return parse_number("--param", number, JR_F64, &value->as, error);
}

cli_exit cli_take_param(cli_options *options, const char *argument, cli_error *error) {
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
    if (code == CLI_OK) options->parameters[options->parameter_count++] = made;
    return code;
}

/* What --struct-bytes and --struct-alignment said before stays. */
cli_exit cli_take_struct(cli_options *options, const char *argument, cli_error *error) {
    const cli_structure said = options->structure;
    options->structure = cli_structure_of(argument);
    if (options->structure.name[0] == '\0')
        return cli_fail(error, CLI_USAGE, "--struct: '%s' is not like 'struct pair { float key; int id; };'" SEE_HELP,
                        argument);
    if (said.bytes) options->structure.bytes = said.bytes;
    if (said.alignment) options->structure.alignment = said.alignment;
    return CLI_OK;
}

static cli_exit take_size(const char *option, const char *argument, uint64_t most, size_t *size, cli_error *error) {
    uint64_t number;
    if (!cli_count_parse(argument, &number) || number == 0 || number > most)
        return cli_fail(error, CLI_USAGE, "%s: '%s' is not a number from 1 to %llu" SEE_HELP, option, argument,
                        (unsigned long long)most);
    *size = (size_t)number;
    return CLI_OK;
}

cli_exit cli_take_struct_bytes(cli_options *options, const char *argument, cli_error *error) {
    return take_size("--struct-bytes", argument, JR_STRUCT_BYTES_MAX, &options->structure.bytes, error);
}

cli_exit cli_take_struct_alignment(cli_options *options, const char *argument, cli_error *error) {
    return take_size("--struct-alignment", argument, 16, &options->structure.alignment, error);
}
