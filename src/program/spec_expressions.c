/* Lists and checks the expressions of specs. */
#include "spec_expressions.h"

#include <ctype.h>
#include <string.h>

#include "base/error.h"
#include "dtype.h"
#include "expression.h"
#include "refused.h"
#include "token.h"

enum { NAME_BYTES = 32 };

static bool is_taken(const char *name) {
    static const char *const taken[] = {"x", "y", "z", "w", "i", "a", "b", "n", "INFINITY", "NAN"};
    for (size_t t = 0; t < sizeof taken / sizeof taken[0]; t++)
        if (strcmp(name, taken[t]) == 0) return true;
    return false;
}

/* Words of the language that expressions may have: they cannot name a parameter. */
static bool is_keyword(jr_token name) {
    return jr_token_is_one_of(name, "alignof bool char char16_t char32_t double false float int long short signed "
                                    "sizeof size_t true unsigned void wchar_t");
}

static bool is_identifier(const char *name) {
    if (name == NULL || name[0] == '\0' || isdigit((unsigned char)name[0]) || strlen(name) >= NAME_BYTES) return false;
    for (const char *c = name; *c != '\0'; c++)
        if (!isalnum((unsigned char)*c) && *c != '_') return false;
    return true;
}

static jr_status check_parameter(const jr_spec *spec, int index) {
    const jr_parameter *parameter = &spec->parameters[index];
    const jr_dtype *dtype = jr_dtype_find(parameter->value.type);
    if (!is_identifier(parameter->name) || is_taken(parameter->name))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "parameter %d cannot have the name '%s': take an identifier of at most %d characters other than "
                       "x y z w i a b n and jr_...",
                       index, parameter->name != NULL ? parameter->name : "(NULL)", NAME_BYTES - 1);
    const jr_token word = jr_token_next(parameter->name);
    const char *reason = is_keyword(word) ? "it is a word of the language" : jr_refused_reason(word);
    if (reason != NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "parameter %d cannot have the name '%s': %s", index, parameter->name,
                       reason);
    if (dtype == NULL || dtype->value_type != dtype->type)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "parameter %s is of type %s: i32 u32 i64 u64 f32 f64 are allowed",
                       parameter->name, dtype != NULL ? dtype->name : "none");
    for (int i = 0; i < index; i++)
        if (strcmp(spec->parameters[i].name, parameter->name) == 0)
            return jr_fail(JR_ERROR_INVALID_ARGUMENT, "parameter %s is given twice", parameter->name);
    return JR_OK;
}

size_t jr_spec_expressions_list(const jr_spec *spec, jr_expression present[JR_EXPRESSIONS_MAX]) {
    const jr_expression all[JR_EXPRESSIONS_MAX] = {{"combine", spec->combine},
                                                   {"identity", spec->identity},
                                                   {"map", spec->map},
                                                   {"where", spec->where},
                                                   {"finish", spec->finish}};
    size_t count = 0;
    for (size_t i = 0; i < JR_EXPRESSIONS_MAX; i++)
        if (all[i].text != NULL) present[count++] = all[i];
    return count;
}

jr_status jr_spec_expressions_check(const jr_spec *spec) {
    jr_expression present[JR_EXPRESSIONS_MAX];
    const size_t count = jr_spec_expressions_list(spec, present);
    for (size_t i = 0; i < count; i++) {
        const jr_status status = jr_expression_check(present[i].what, present[i].text);
        if (status != JR_OK) return status;
    }
    for (int i = 0; i < spec->parameter_count; i++) {
        const jr_status status = check_parameter(spec, i);
        if (status != JR_OK) return status;
    }
    return JR_OK;
}
