/* Values as texts, in the form that --round and --format ask for. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/structure.h"
#include "options/cli_operator.h"
#include "report.h"

const char *cli_value_text(const jr_value *value, const jr_structure *structure, char *text) {
    if (value->type == JR_STRUCT && cli_structure_print(structure, value->as.bytes, text, CLI_VALUE_BYTES)) return text;
    if (jr_value_print(value, text, CLI_VALUE_BYTES) != JR_OK) return strcpy(text, "?"); /* a value without a type */
    if (value->type == JR_STRUCT) text[structure != NULL ? 2 * structure->bytes : 0] = '\0';
    return text;
}

/* A number of 64 bits is a long double without loss. */
static long double exact(const jr_value *value) {
    double number = 0;
    if (value->type == JR_I64) return (long double)value->as.i64;
    if (value->type == JR_U64) return (long double)value->as.u64;
    (void)jr_value_number(value, &number);
    return number;
}

/* Whether a value is a number that is no index, count or truth value. */
static bool has_form(jr_op op, const jr_value *value) {
    double number;
    const bool whole = op == JR_OP_NONE || cli_operator_is(op, CLI_OP_COUNTS);
    return !whole && value->type != JR_STRUCT && value->type != JR_BOOL && jr_value_number(value, &number) == JR_OK &&
           isfinite(number);
}

jr_value cli_value_rounded(const cli_options *options, jr_op op, const jr_value *value) {
    char text[CLI_VALUE_BYTES];
    jr_value rounded = *value;
    if (options == NULL || !options->rounds || !has_form(op, value) || jr_type_class_of(value->type) != JR_CLASS_FLOAT)
        return *value;
    const int length = snprintf(text, sizeof text, "%.*Lf", options->decimals, exact(value));
    const bool held = cli_number_parse(value->type, text, text + length, &rounded.as) == CLI_NUMBER_OK;
    return held ? rounded : *value;
}

const char *cli_value_shown(const cli_options *options, jr_op op, const jr_value *value, const jr_structure *structure,
                            char *text) {
    char format[32];
    if (options == NULL || (!options->rounds && options->number_format == NULL))
        return cli_value_text(value, structure, text);
    const jr_value rounded = cli_value_rounded(options, op, value);
    if (options->number_format == NULL || !has_form(op, value)) return cli_value_text(&rounded, structure, text);
    const char *given = options->number_format; /* checked: one conversion of a float, which is its last character */
    const size_t length = strlen(given);
    snprintf(format, sizeof format, "%.*sL%s", (int)length - 1, given, given + length - 1);
    /* NOLINTNEXTLINE(clang-diagnostic-format-nonliteral): it is the user's, checked when it was taken */
    snprintf(text, CLI_VALUE_BYTES, format, exact(&rounded));
    return text;
}
