/* Says, compares and prints what states are of. */
#include "state_meaning.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "spec/operator.h"
#include "spec/spec_expressions.h"

enum { MEANING_TEXT_BYTES = 160 };

static int op_count_of(const jr_spec *spec) {
    return spec->op_count > 0 ? spec->op_count : 1;
}

static jr_op op_at(const jr_spec *spec, int index) {
    return spec->op_count > 0 ? spec->ops[index] : spec->op;
}

/* Whether two characters of an expression would be read as one word or sign without the white space between them. */
static bool must_stand_apart(char a, char b) {
    static const char *const signs[] = {
        "++", "--", "&&", "||", "<<", ">>", "==", "<=", ">=", "!=", "->", "//", "/*", "*/"};
    const bool words = (isalnum((unsigned char)a) || strchr("_.", a) != NULL) &&
                       (isalnum((unsigned char)b) || strchr("_.", b) != NULL);
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (signs[i][0] == a && signs[i][1] == b) return true;
    return words;
}

/* Digests an expression without the white space that means nothing. */
static void digest_expression(jr_digest *digest, const char *name, const char *text) {
    char *plain = text != NULL ? malloc(strlen(text) + 1) : NULL;
    size_t used = 0;
    for (const char *c = text; plain != NULL && *c != '\0'; c++) {
        const bool parted = used > 0 && isspace((unsigned char)c[0]);
        while (isspace((unsigned char)*c)) c++;
        if (*c == '\0') break;
        if (parted && must_stand_apart(plain[used - 1], *c)) plain[used++] = ' ';
        plain[used++] = *c;
    }
    if (plain != NULL) plain[used] = '\0';
    jr_digest_string(digest, name, plain != NULL ? plain : text);
    free(plain);
}

static void digest_parameter(jr_digest *digest, const jr_parameter *parameter) {
    const jr_value *value = &parameter->value;
    jr_digest_string(digest, "parameter", parameter->name);
    jr_digest_number(digest, "type", (uint64_t)value->type);
    jr_digest_field(digest, "value", value->as.bytes, jr_dtype_find(value->type)->bytes);
}

static void digest_structure(jr_digest *digest, const jr_structure *structure) {
    if (structure == NULL) return;
    jr_digest_string(digest, "structure", structure->name);
    jr_digest_string(digest, "structure", structure->source);
}

/* Parameters that only `finish` may name do not affect a sum, so the digest omits them. as_written: with the white
 * space of map and where. */
static void digest_expressions(const jr_spec *spec, bool as_written, uint8_t out[JR_DIGEST_BYTES]) {
    jr_digest digest;
    memset(out, 0, JR_DIGEST_BYTES);
    if (spec->map == NULL && spec->where == NULL) return;
    jr_digest_begin(&digest);
    (as_written ? jr_digest_string : digest_expression)(&digest, "map", spec->map);
    (as_written ? jr_digest_string : digest_expression)(&digest, "where", spec->where);
    for (int i = 0; i < spec->parameter_count; i++)
        if (jr_spec_expressions_of_items_name(spec, spec->parameters[i].name))
            digest_parameter(&digest, &spec->parameters[i]);
    digest_structure(&digest, spec->structure);
    jr_digest_end(&digest, out);
}

/* Of custom operators parameters are taken without a look at where they are named. */
void jr_state_meaning_digest(const jr_reduction *reduction, jr_digest *digest) {
    const jr_spec *spec = &reduction->spec;
    jr_digest_string(digest, "operator", reduction->operator_text);
    jr_digest_number(digest, "bytes", reduction->accumulator_bytes);
    for (int i = 0; i < reduction->input_count; i++)
        jr_digest_number(digest, "input", (uint64_t)reduction->inputs[i].type);
    jr_digest_string(digest, "mapped", reduction->mapped_name);
    jr_digest_number(digest, "skips NaN", reduction->skips_nan);
    jr_digest_number(digest, "kept", reduction->kept_offset != 0);
    jr_digest_string(digest, "combine", spec->combine);
    jr_digest_string(digest, "identity", spec->identity);
    digest_expression(digest, "map", spec->map);
    digest_expression(digest, "where", spec->where);
    for (int i = 0; i < spec->parameter_count; i++)
        if (spec->combine != NULL || jr_spec_expressions_of_items_name(spec, spec->parameters[i].name))
            digest_parameter(digest, &spec->parameters[i]);
    digest_structure(digest, spec->structure);
}

static void digest_all(const jr_reduction *reduction, uint8_t out[JR_DIGEST_BYTES]) {
    jr_digest digest;
    jr_digest_begin(&digest);
    jr_state_meaning_digest(reduction, &digest);
    jr_digest_end(&digest, out);
}

jr_state_meaning jr_state_meaning_of(const jr_reduction *reduction) {
    const jr_spec *spec = &reduction->spec;
    const jr_type given = spec->map_type != JR_TYPE_NONE ? spec->map_type : spec->type;
    jr_state_meaning meaning = {.op_count = (uint8_t)op_count_of(spec),
                                .input_count = (uint8_t)reduction->input_count,
                                .sum_count = (uint8_t)reduction->sum_count,
                                .added = spec->op == JR_OP_DOT ? 0 : (uint8_t)given,
                                .skips_nan =
                                    reduction->sum_count > 0 ? reduction->skips_nan : spec->nan == JR_NAN_IGNORE};
    for (int i = 0; i < meaning.op_count; i++) meaning.ops[i] = (uint8_t)op_at(spec, i);
    for (int i = 0; i < meaning.input_count; i++) meaning.types[i] = (uint8_t)reduction->inputs[i].type;
    if (reduction->sum_count > 0)
        digest_expressions(spec, false, meaning.expressions);
    else
        digest_all(reduction, meaning.expressions);
    return meaning;
}

jr_state_meaning jr_state_meaning_as_written(const jr_reduction *reduction) {
    jr_state_meaning meaning = jr_state_meaning_of(reduction);
    if (reduction->sum_count > 0) digest_expressions(&reduction->spec, true, meaning.expressions);
    return meaning;
}

/* Of a meaning that was checked. `added` was not: it may be any number. */
static const char *type_name(uint8_t number) {
    const jr_dtype *row = jr_dtype_find((jr_type)number);
    return number == JR_STRUCT ? "a struct" : row != NULL ? row->name : "?";
}

/* "sum,mean of f32, NaNs ignored" */
static void print(const jr_state_meaning *of, char text[MEANING_TEXT_BYTES]) {
    size_t at = 0;
    for (int i = 0; i < of->op_count && at < MEANING_TEXT_BYTES; i++)
        at += (size_t)snprintf(text + at, MEANING_TEXT_BYTES - at, "%s%s", i > 0 ? "," : "",
                               jr_operator_find((jr_op)of->ops[i])->name);
    for (int i = 0; i < of->input_count && at < MEANING_TEXT_BYTES; i++)
        at += (size_t)snprintf(text + at, MEANING_TEXT_BYTES - at, "%s%s", i > 0 ? " and " : " of ",
                               type_name(of->types[i]));
    if (at < MEANING_TEXT_BYTES && of->added != 0 && of->added != of->types[0])
        at += (size_t)snprintf(text + at, MEANING_TEXT_BYTES - at, " mapped to %s", type_name(of->added));
    if (at < MEANING_TEXT_BYTES && of->skips_nan) snprintf(text + at, MEANING_TEXT_BYTES - at, ", NaNs ignored");
}

jr_status jr_state_meaning_compare(const jr_state_meaning *state, const jr_state_meaning *wanted) {
    char one[MEANING_TEXT_BYTES], other[MEANING_TEXT_BYTES];
    if (memcmp(state, wanted, sizeof *state) == 0) return JR_OK;
    print(state, one);
    print(wanted, other);
    const bool alike = strcmp(one, other) == 0, exact = state->sum_count > 0;
    if (alike && exact != (wanted->sum_count > 0))
        return jr_fail(JR_ERROR_STATE, "the state is of %s with accuracy %s, not %s", one, exact ? "exact" : "fast",
                       exact ? "fast" : "exact");
    return jr_fail(JR_ERROR_STATE, "the state is of %s%s%s, not of %s%s", one,
                   alike ? " with other expressions or parameters" : "",
                   alike && wanted->sum_count == 0 ? ", or another type of the result or count of what is kept" : "",
                   other, alike ? " with these" : "");
}
