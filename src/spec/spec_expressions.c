/* Lists and checks the expressions of specs. */
#include "spec_expressions.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "dtype.h"
#include "expression/expression.h"
#include "expression/refused.h"
#include "expression/token.h"

enum { NAME_CHARS_MAX = 31 }; /* characters of a parameter's name */

/* What each expression can use of its surroundings, and where it stands in a spec. */
static const struct {
    const char *what, *variables;
    size_t at;
} rows[JR_EXPRESSIONS_MAX] = {[JR_TEXT_COMBINE] = {"combine", "a b", offsetof(jr_spec, combine)},
                              [JR_TEXT_IDENTITY] = {"identity", "", offsetof(jr_spec, identity)},
                              [JR_TEXT_MAP] = {"map", "x y z w i", offsetof(jr_spec, map)},
                              [JR_TEXT_WHERE] = {"where", "x y z w i", offsetof(jr_spec, where)},
                              [JR_TEXT_FINISH] = {"finish", "a n", offsetof(jr_spec, finish)},
                              [JR_TEXT_APPLY] = {"apply", "x y z w i n r all", offsetof(jr_spec, apply)}};

/* The variables of apply where there is a list of so many operators. */
#define OF_ITEMS "x y z w i n"
static const char *const apply_variables[JR_OPS_MAX + 1] = {
    OF_ITEMS " r all",
    OF_ITEMS " r0 all0",
    OF_ITEMS " r0 r1 all0 all1",
    OF_ITEMS " r0 r1 r2 all0 all1 all2",
    OF_ITEMS " r0 r1 r2 r3 all0 all1 all2 all3",
    OF_ITEMS " r0 r1 r2 r3 r4 all0 all1 all2 all3 all4",
    OF_ITEMS " r0 r1 r2 r3 r4 r5 all0 all1 all2 all3 all4 all5",
    OF_ITEMS " r0 r1 r2 r3 r4 r5 r6 all0 all1 all2 all3 all4 all5 all6",
    OF_ITEMS " r0 r1 r2 r3 r4 r5 r6 r7 all0 all1 all2 all3 all4 all5 all6 all7"};

/* Those that no parameter of a spec with apply may be called. */
#define OF_APPLY "x y z w i a b n r r0 r1 r2 r3 r4 r5 r6 r7 all all0 all1 all2 all3 all4 all5 all6 all7"

const char **jr_spec_expression_place(jr_spec *spec, jr_spec_text text) {
    return (const char **)((char *)spec + rows[text].at);
}

const char *jr_spec_expression(const jr_spec *spec, jr_spec_text text) {
    const char *found;
    memcpy(&found, (const char *)spec + rows[text].at, sizeof found);
    return found;
}

static jr_status check_parameter(const jr_spec *spec, int index) {
    const jr_parameter *parameter = &spec->parameters[index];
    const jr_dtype *dtype = jr_dtype_find(parameter->value.type);
    const char *all = spec->apply != NULL ? OF_APPLY : "x y z w i a b n";
    const jr_names ours = {.variables = all};
    size_t weight;
    if (parameter->name == NULL) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "spec.parameters[%d].name is NULL", index);
    if (!jr_token_is_identifier(parameter->name, NAME_CHARS_MAX))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "a parameter cannot have the name '%s': take an identifier of at most %d characters",
                       parameter->name, NAME_CHARS_MAX);
    const jr_token word = jr_token_next(parameter->name);
    const jr_name_kind kind = jr_names_find(&ours, word, &weight);
    if (kind == JR_NAME_VALUE || kind == JR_NAME_TYPE)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "a parameter cannot have the name '%s': it is a word of the language or of expressions (%s)",
                       parameter->name, all);
    if (jr_refused_reason(word) != NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "a parameter cannot have the name '%s': %s", parameter->name,
                       jr_refused_reason(word));
    if (dtype == NULL || jr_dtype_value_type(dtype) != dtype->type)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "parameter %s is of type %s: i32 u32 i64 u64 f32 f64 are allowed",
                       parameter->name, dtype != NULL ? dtype->name : "none");
    for (int i = 0; i < index; i++)
        if (strcmp(spec->parameters[i].name, parameter->name) == 0)
            return jr_fail(JR_ERROR_INVALID_ARGUMENT, "parameter %s is given twice", parameter->name);
    return JR_OK;
}

size_t jr_spec_expressions_list(const jr_spec *spec, jr_expression present[JR_EXPRESSIONS_MAX]) {
    size_t count = 0;
    for (int i = 0; i < JR_EXPRESSIONS_MAX; i++) {
        const char *text = jr_spec_expression(spec, (jr_spec_text)i);
        if (text != NULL) present[count++] = (jr_expression){rows[i].what, text};
    }
    return count;
}

static bool has_word(const char *text, const char *word) {
    if (text == NULL) return false;
    for (jr_token token = jr_token_next(text); token.kind != JR_TOKEN_END;
         token = jr_token_next(token.text + token.length))
        if (jr_token_is_one_of(token, word)) return true;
    return false;
}

static bool has_call(const char *text) {
    jr_token before = {JR_TOKEN_END, text, 0};
    for (jr_token token = jr_token_next(text); token.kind != JR_TOKEN_END;
         before = token, token = jr_token_next(token.text + token.length))
        if (before.kind == JR_TOKEN_WORD && jr_token_is_one_of(token, "(")) return true;
    return false;
}

bool jr_spec_expressions_call(const jr_spec *spec) {
    jr_expression present[JR_EXPRESSIONS_MAX];
    const size_t count = jr_spec_expressions_list(spec, present);
    for (size_t i = 0; i < count; i++)
        if (has_call(present[i].text)) return true;
    return spec->structure != NULL;
}

bool jr_spec_expressions_of_items_name(const jr_spec *spec, const char *word) {
    return spec->structure != NULL || has_word(spec->map, word) || has_word(spec->where, word);
}

bool jr_spec_expressions_name_all(const jr_spec *spec) {
    char name[16] = "all";
    if (spec->op_count == 0) return has_word(spec->apply, name);
    for (int i = 0; i < spec->op_count; i++) {
        snprintf(name, sizeof name, "all%d", i);
        if (has_word(spec->apply, name)) return true;
    }
    return false;
}

bool jr_spec_expressions_see_index(const jr_spec *spec) {
    return jr_spec_expressions_of_items_name(spec, "i");
}

int jr_spec_count_inputs(const jr_spec *spec) {
    return spec->input_count > 0 ? spec->input_count : spec->op == JR_OP_DOT ? 2 : 1;
}

/* What a text's names mean. */
static jr_names names_of(const jr_spec *spec, jr_spec_text text) {
    return (jr_names){.what = rows[text].what,
                      .variables = text == JR_TEXT_APPLY ? apply_variables[spec->op_count] : rows[text].variables,
                      .parameters = spec->parameters,
                      .parameter_count = spec->parameter_count,
                      .input_count = jr_spec_count_inputs(spec),
                      .structure = spec->structure};
}

jr_number jr_spec_expressions_value(const jr_spec *spec, jr_spec_text text, const jr_number *numbers,
                                    jr_value_doubts *doubts) {
    const jr_names names = names_of(spec, text);
    return jr_value_of(&names, numbers, jr_spec_expression(spec, text), doubts);
}

jr_value_kind jr_spec_expressions_kind(const jr_spec *spec, jr_spec_text text, const jr_number *numbers) {
    return (jr_value_kind)jr_spec_expressions_value(spec, text, numbers, NULL).kind;
}

jr_status jr_spec_expressions_refuse(jr_spec_text text, const char *expression, jr_token token, const char *reason) {
    return jr_expression_refuse(rows[text].what, expression, token, reason);
}

jr_status jr_spec_expressions_check(const jr_spec *spec, size_t *weight) {
    jr_status status = JR_OK;
    *weight = 0;
    for (int i = 0; status == JR_OK && i < spec->parameter_count; i++) status = check_parameter(spec, i);
    for (int i = 0; status == JR_OK && i < JR_EXPRESSIONS_MAX; i++) {
        const jr_names names = names_of(spec, (jr_spec_text)i);
        const char *text = jr_spec_expression(spec, (jr_spec_text)i);
        if (text != NULL) status = jr_expression_check(&names, text, weight);
    }
    return status;
}
