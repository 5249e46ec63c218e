/* Refuses expressions that C takes in another way than they were meant. */
#include "value_check.h"

#include "slips.h"
#include "spec_expressions.h"

static jr_status check(const jr_spec *spec, jr_spec_text text, const jr_number *numbers) {
    char reason[320];
    const char *expression = jr_spec_expression(spec, text);
    jr_value_doubts doubts;
    if (expression == NULL) return JR_OK;
    (void)jr_spec_expressions_value(spec, text, numbers, &doubts);
    if (doubts.mistake.doubts == 0) return JR_OK;
    jr_slip_explain(&doubts.mistake, expression, reason, sizeof reason);
    return jr_spec_expressions_refuse(text, expression, doubts.mistake.sign, reason);
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

jr_status jr_values_check_results(const jr_spec *spec, jr_type accumulator, jr_type before) {
    const jr_number pair[] = {jr_number_of_type(accumulator), jr_number_of_type(accumulator)};
    const jr_number result[] = {jr_number_of_type(before), jr_number_of_type(JR_I64)};
    const jr_status status = check(spec, JR_TEXT_COMBINE, pair);
    return status == JR_OK ? check(spec, JR_TEXT_FINISH, result) : status;
}
