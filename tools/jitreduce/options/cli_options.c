/* What options say by themselves. */
#include "cli_options.h"

#include <ctype.h>
#include <string.h>

const char *cli_scan_name(const cli_options *options) {
    return !options->scan ? NULL : options->exclusive ? "exclusive" : "inclusive";
}

int cli_options_input_count(const cli_options *options) {
    int count = 1;
    while (count < JR_INPUTS_MAX && options->more_files[count] != NULL) count++;
    return options->table.column_count > 1 ? options->table.column_count : count;
}

bool cli_options_divide(const cli_options *options) {
    return options->axis_count > 0 || options->segment_length > 0 || options->offsets != NULL || options->keys != NULL;
}

/* Numbers of texts stand in comparisons alone: their type is one that leaves those of values as they are. */
static jr_type code_type(const cli_options *options) {
    const bool may_miss = options->table.missing != NULL && !options->table.skips_missing;
    if (options->type_count == 0) return may_miss ? JR_TYPE_NONE : JR_I64;
    return may_miss ? JR_F16 : JR_I16;
}

jr_type cli_options_type(const cli_options *options, int input) {
    const cli_table_form *table = &options->table;
    const bool named = table->column_count > 0 && input < cli_table_columns(table);
    if (named && cli_table_column(table, input)->texts != NULL) return code_type(options);
    if (options->type_count > 0) return options->types[input < options->type_count ? input : options->type_count - 1];
    return input == 0 && options->structure.text != NULL ? JR_STRUCT : JR_TYPE_NONE;
}

/* ---- expressions that divide ---- */

static bool is_of_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* Does a part of an expression name an element, or what is combined of elements? */
static bool names_element(const char *at, const char *end) {
    while (at < end) {
        const char *begin = at;
        while (at < end && is_of_word(*at)) at++;
        if (at - begin == 1 && strchr("xyzwab", *begin) != NULL) return true;
        if (at == begin) at++;
    }
    return false;
}

bool cli_options_name_x(const cli_options *options) {
    const char *at = options->spec.where;
    while (at != NULL && (at = strchr(at, 'x')) != NULL) {
        if ((at == options->spec.where || !is_of_word(at[-1])) && !is_of_word(at[1])) return true;
        at++;
    }
    return false;
}

/* Where the operand before a sign begins: a word, or brackets with the word before them. */
static const char *operand_before(const char *text, const char *sign) {
    int depth = 0;
    while (sign > text && sign[-1] == ' ') sign--;
    while (sign > text && (depth > 0 || sign[-1] == ')' || is_of_word(sign[-1]))) {
        sign--;
        depth += (*sign == ')') - (*sign == '(');
        if (depth == 0 && *sign == '(' && (sign == text || !is_of_word(sign[-1]))) break;
    }
    return sign;
}

/* Where the operand after a sign ends. */
static const char *operand_after(const char *at) {
    int depth = 0;
    at += strspn(at, " +-!~");
    while (*at != '\0' && (depth > 0 || *at == '(' || is_of_word(*at))) {
        depth += (*at == '(') - (*at == ')');
        at++;
        if (depth == 0 && at[-1] == ')') break;
    }
    return at;
}

/* The length of the sign of an operator that takes whole numbers only; 0: no such sign is here. */
static size_t whole_sign_length(const char *at) {
    const bool twice = at[0] == at[1];
    if (strchr("<>", *at) != NULL) return twice ? 2 : 0;
    if (strchr("&|", *at) != NULL) return twice ? 0 : 1;
    return strchr("%^~", *at) != NULL;
}

/* True if a text has, next to an element, an operator that takes no floats. */
static bool takes_whole_numbers(const char *text) {
    for (const char *at = text; *at != '\0'; at++) {
        const size_t length = whole_sign_length(at);
        if (length == 0) {
            at += (at[0] == '&' || at[0] == '|') && at[0] == at[1];
            continue;
        }
        const char *after = at + length;
        if (names_element(operand_before(text, at), at) || names_element(after, operand_after(after))) return true;
        at = after - 1;
    }
    return false;
}

bool cli_options_read_floats(const cli_options *options) {
    const jr_spec *spec = &options->spec;
    const char *const texts[] = {spec->map, spec->where, spec->combine, spec->identity, spec->finish};
    bool divides = false;
    for (int i = 0; i < options->op_count; i++)
        if (!(jr_op_flags(options->ops[i]) & JR_OP_FLAG_FLOATS)) return false;
    if (spec->apply != NULL) return true; /* values are floats */
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (texts[i] == NULL) continue;
        if (takes_whole_numbers(texts[i])) return false;
        divides |= strchr(texts[i], '/') != NULL;
    }
    return divides;
}
