/* Refuses expressions that C takes in another way than they were meant. */
#include "value_check.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "dtype.h"
#include "slips.h"
#include "spec_expressions.h"

static jr_status refuse(jr_spec_text text, const char *expression, const jr_slip *slip) {
    char reason[320];
    jr_slip_explain(slip, expression, reason, sizeof reason);
    return jr_spec_expressions_refuse(text, expression, slip->sign, reason);
}

static jr_status check(const jr_spec *spec, jr_spec_text text, const jr_number *numbers) {
    const char *expression = jr_spec_expression(spec, text);
    jr_value_doubts doubts;
    if (expression == NULL) return JR_OK;
    (void)jr_spec_expressions_value(spec, text, numbers, &doubts);
    return doubts.mistake.doubts == 0 ? JR_OK : refuse(text, expression, &doubts.mistake);
}

/* Which of a and b an operand names: 1, 2, or both. */
static int names_of(const char *expression, const jr_operand *operand) {
    int names = 0;
    for (jr_token token = jr_token_next(expression + operand->begin);
         token.kind != JR_TOKEN_END && token.text < expression + operand->end;
         token = jr_token_next(token.text + token.length))
        names |= jr_token_is_one_of(token, "a") ? 1 : jr_token_is_one_of(token, "b") ? 2 : 0;
    return names;
}

/* fabs(a) > fabs(b), without ? a : b after it: no such order is associative, whatever the elements are. Equality is, of
 * 0 and 1 as whole numbers. */
static jr_status check_combine(const jr_spec *spec, jr_type accumulator) {
    const jr_number element = jr_number_of_type(accumulator), pair[] = {element, element};
    const char *expression = jr_spec_expression(spec, JR_TEXT_COMBINE);
    jr_value_doubts doubts;
    JR_TRY(check(spec, JR_TEXT_COMBINE, pair));
    if (expression == NULL) return JR_OK;
    (void)jr_spec_expressions_value(spec, JR_TEXT_COMBINE, pair, &doubts);
    const jr_slip *slip = &doubts.comparison;
    if (slip->doubts == 0) return JR_OK;
    const int left = names_of(expression, &slip->left), right = names_of(expression, &slip->right);
    if (left + right != 3 || left == 0 || right == 0) return JR_OK; /* a + b > 0 */
    const bool equality = jr_token_is_one_of(slip->sign, "== !=");
    return equality && element.kind == JR_KIND_INTEGER ? JR_OK : refuse(JR_TEXT_COMBINE, expression, slip);
}

jr_status jr_values_check_items(const jr_spec *spec, const jr_input *inputs, int input_count) {
    jr_number numbers[JR_INPUTS_MAX + 1];
    for (int i = 0; i < JR_INPUTS_MAX; i++)
        numbers[i] = i < input_count ? jr_number_of_type(inputs[i].type) : jr_number_of_kind(JR_KIND_UNKNOWN);
    numbers[JR_INPUTS_MAX] = jr_number_of_type(JR_I64); /* i */
    jr_status status = check(spec, JR_TEXT_MAP, numbers);
    if (status == JR_OK) status = check(spec, JR_TEXT_WHERE, numbers);
    return status == JR_OK ? check(spec, JR_TEXT_IDENTITY, numbers) : status;
}

static void print_whole(jr_whole number, char text[static 24]) {
    const unsigned long long size = (unsigned long long)(number < 0 ? -number : number);
    snprintf(text, 24, "%s%llu", number < 0 ? "-" : "", size);
}

/* A whole number that its type does not hold, but for ~0, which is all bits of an unsigned type. */
static jr_status check_identity_fits(const char *expression, const jr_number *number, jr_type accumulator) {
    const jr_number any = jr_number_of_type(accumulator);
    const bool whole = number->kind == JR_KIND_INTEGER && any.kind == JR_KIND_INTEGER && number->constant && !any.truth;
    char reason[160], value[24], low[24], high[24];
    if (!whole || (number->low >= any.low && number->low <= any.high) || strchr(expression, '~') != NULL) return JR_OK;
    print_whole(number->low, value);
    print_whole(any.low, low);
    print_whole(any.high, high);
    snprintf(reason, sizeof reason,
             "%s does not fit %s, which holds %s to %s: write one of these, or accumulate in a wider type", value,
             jr_dtype_find(accumulator)->name, low, high);
    return jr_spec_expressions_refuse(JR_TEXT_IDENTITY, expression, jr_token_next(expression), reason);
}

/* 0, INFINITY or -1 where a struct is needed; a number that the type does not hold. */
static jr_status check_identity(const jr_spec *spec, jr_type accumulator) {
    const char *expression = jr_spec_expression(spec, JR_TEXT_IDENTITY);
    char reason[360];
    if (expression == NULL) return JR_OK;
    const jr_number number = jr_spec_expressions_value(spec, JR_TEXT_IDENTITY, NULL, NULL);
    if (accumulator != JR_STRUCT) return check_identity_fits(expression, &number, accumulator);
    if (number.kind == JR_KIND_UNKNOWN) return JR_OK;
    const char *name = spec->structure->name;
    snprintf(
        reason, sizeof reason,
        "it is a number, not a %.64s: add '__device__ %.64s make() { return {%.40s}; }' to the struct's text, with "
        "the values of its members, and write make()",
        name, name, expression);
    return jr_spec_expressions_refuse(JR_TEXT_IDENTITY, expression, jr_token_next(expression), reason);
}

jr_status jr_values_check_results(const jr_spec *spec, jr_type accumulator, jr_type before) {
    const jr_number result[] = {jr_number_of_type(before), jr_number_of_type(JR_I64)};
    JR_TRY(check_identity(spec, accumulator));
    const jr_status status = check_combine(spec, accumulator);
    return status == JR_OK ? check(spec, JR_TEXT_FINISH, result) : status;
}

/* What combine makes of an identity and a range of elements holds that range. A rest, as in (a + b) % 97, also stands
 * for the elements that are larger. */
void jr_identity_note(const jr_spec *spec, const jr_number *element, jr_type type, char *note, size_t bytes) {
    const jr_number any = jr_number_of_type(type);
    const jr_number identity = jr_spec_expressions_value(spec, JR_TEXT_IDENTITY, NULL, NULL);
    if (strpbrk(spec->combine, "%&") != NULL || any.kind != JR_KIND_INTEGER || identity.kind != JR_KIND_INTEGER ||
        !identity.constant)
        return;
    const jr_number pair[] = {jr_number_cast(&any, &identity), jr_number_cast(&any, element)};
    const jr_number made = jr_spec_expressions_value(spec, JR_TEXT_COMBINE, pair, NULL);
    if (made.kind != JR_KIND_INTEGER || (made.low <= pair[1].low && made.high >= pair[1].high)) return;
    snprintf(
        note, bytes,
        "identity: combine of %s and an element has to give the element, and does not of all from %lld to %lld: the "
        "result may be wrong",
        spec->identity, (long long)pair[1].low, (long long)pair[1].high);
}
