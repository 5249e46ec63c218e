/* Says, compares and prints what exact sums are of. */
#include "exact_meaning.h"

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

/* Parameters that only `finish` may name do not affect a sum, so the digest omits them. as_written: with the white
 * space of map and where. */
static void digest_expressions(const jr_spec *spec, bool as_written, uint8_t out[JR_DIGEST_BYTES]) {
    jr_digest digest;
    memset(out, 0, JR_DIGEST_BYTES);
    if (spec->map == NULL && spec->where == NULL) return;
    jr_digest_begin(&digest);
    (as_written ? jr_digest_string : digest_expression)(&digest, "map", spec->map);
    (as_written ? jr_digest_string : digest_expression)(&digest, "where", spec->where);
    for (int i = 0; i < spec->parameter_count; i++) {
        const jr_value *value = &spec->parameters[i].value;
        if (!jr_spec_expressions_of_items_name(spec, spec->parameters[i].name)) continue;
        jr_digest_string(&digest, "parameter", spec->parameters[i].name);
        jr_digest_number(&digest, "type", (uint64_t)value->type);
        jr_digest_field(&digest, "value", value->as.bytes, jr_dtype_find(value->type)->bytes);
    }
    if (spec->structure != NULL) {
        jr_digest_string(&digest, "structure", spec->structure->name);
        jr_digest_string(&digest, "structure", spec->structure->source);
    }
    jr_digest_end(&digest, out);
}

jr_exact_meaning jr_exact_meaning_of(const jr_reduction *reduction) {
    const jr_spec *spec = &reduction->spec;
    const jr_type given = spec->map_type != JR_TYPE_NONE ? spec->map_type : spec->type;
    jr_exact_meaning meaning = {.op_count = (uint8_t)op_count_of(spec),
                                .input_count = (uint8_t)reduction->input_count,
                                .sum_count = (uint8_t)reduction->sum_count,
                                .added = spec->op == JR_OP_DOT ? 0 : (uint8_t)given,
                                .skips_nan = reduction->skips_nan};
    for (int i = 0; i < meaning.op_count; i++) meaning.ops[i] = (uint8_t)op_at(spec, i);
    for (int i = 0; i < meaning.input_count; i++) meaning.types[i] = (uint8_t)reduction->inputs[i].type;
    digest_expressions(spec, false, meaning.expressions);
    return meaning;
}

jr_exact_meaning jr_exact_meaning_as_written(const jr_reduction *reduction) {
    jr_exact_meaning meaning = jr_exact_meaning_of(reduction);
    digest_expressions(&reduction->spec, true, meaning.expressions);
    return meaning;
}

jr_status jr_exact_check(const jr_reduction *reduction) {
    const jr_spec *spec = &reduction->spec;
    if (spec->accuracy != JR_ACCURACY_EXACT)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "a state of exact sums: set spec.accuracy to JR_ACCURACY_EXACT");
    if (reduction->sum_count > 0) return JR_OK;
    for (int i = 0; i < op_count_of(spec); i++) {
        const jr_operator *row = jr_operator_find(op_at(spec, i));
        if (row->exact == NULL)
            return jr_fail(JR_ERROR_UNSUPPORTED_TYPE,
                           "%s is not an exact sum: a state holds sum, mean, dot, sumsq, norm1, "
                           "norm2, var and std alone",
                           row->name);
    }
    if (jr_dtype_is_float(jr_dtype_find(reduction->outputs[0].type)))
        return jr_fail(JR_ERROR_UNSUPPORTED_TYPE,
                       "%s of integers keeps no exact sum, as it rounds once anyway: keep a sum with a result of f64",
                       jr_operator_find(op_at(spec, 0))->name);
    return jr_fail(
        JR_ERROR_UNSUPPORTED_TYPE,
        "what rounds nothing, as a sum of integers into integers, keeps no exact sum: ask for a result of f64");
}

/* Of a meaning that was checked. `added` was not: it may be any number. */
static const char *type_name(uint8_t number) {
    const jr_dtype *row = jr_dtype_find((jr_type)number);
    return number == JR_STRUCT ? "a struct" : row != NULL ? row->name : "?";
}

/* "sum,mean of f32, NaNs ignored" */
static void print(const jr_exact_meaning *of, char text[MEANING_TEXT_BYTES]) {
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

jr_status jr_exact_meaning_compare(const jr_exact_meaning *state, const jr_exact_meaning *wanted) {
    char one[MEANING_TEXT_BYTES], other[MEANING_TEXT_BYTES];
    if (memcmp(state, wanted, sizeof *state) == 0) return JR_OK;
    print(state, one);
    print(wanted, other);
    const bool alike = strcmp(one, other) == 0;
    return jr_fail(JR_ERROR_STATE, "the state is of %s%s, not of %s%s", one,
                   alike ? " with other expressions or parameters" : "", other, alike ? " with these" : "");
}
