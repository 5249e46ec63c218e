/* Computes formulas by recursive descent. A value is a fraction, reduced, with a divisor above 0: within ceil() a
 * quotient keeps its fraction, elsewhere it loses it at once. What && and || leave out is read, and never fails for its
 * numbers. */
#include "formula.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "fraction.h"

enum { DEPTH_MAX = 64, NAMES_MAX = 10000, NAME_BYTES = 64 };

typedef struct formula {
    const char *text; /* for messages: the whole one */
    const char *at;
    const jr_named_text *names;
    size_t name_count;
    unsigned depth, *looked_up; /* names so far: of those that stand for each other there may be no end */
    unsigned left_out;          /* by how many && and || around it */
    bool exact;                 /* within ceil() */
} formula;

static jr_status any_of(formula *in, jr_fraction *value);

/* The reason, with the formula that it is about. */
#define fail(in, format, ...) jr_fail(JR_ERROR_INVALID_ARGUMENT, "'%.200s': " format, (in)->text, __VA_ARGS__)

/* In a part that is not evaluated a number may be anything. */
static jr_status fail_number(const formula *in, const char *what, jr_fraction *value) {
    *value = (jr_fraction){1, 1};
    return in->left_out > 0 ? JR_OK : fail(in, "%s", what);
}
static jr_status fail_overflow(const formula *in, jr_fraction *value) {
    return fail_number(in, "a number in it does not fit into 64 bits", value);
}

static void skip_space(formula *in) {
    while (isspace((unsigned char)*in->at)) in->at++;
}

/* Two characters. */
static bool accept_pair(formula *in, const char *pair) {
    skip_space(in);
    if (strncmp(in->at, pair, 2) != 0) return false;
    in->at += 2;
    return true;
}

static bool accept(formula *in, char c) {
    skip_space(in);
    if (*in->at != c) return false;
    in->at++;
    return true;
}

static jr_status expect(formula *in, char c) {
    if (accept(in, c)) return JR_OK;
    if (*in->at == '\0') return fail(in, "'%c' is missing at its end", c);
    return fail(in, "'%c' is expected before '%.40s'", c, in->at);
}

/* ---- arithmetic ---- */

/* b is not 0. */
static bool divide(const formula *in, jr_fraction a, jr_fraction b, jr_fraction *quotient) {
    if (in->exact) return jr_fraction_multiply(a, (jr_fraction){b.below, b.above}, quotient);
    if (a.above == INT64_MIN && b.above == -1) return false; /* both are whole */
    *quotient = (jr_fraction){a.above / b.above, 1};
    return true;
}

static jr_status rest_of(const formula *in, jr_fraction a, jr_fraction b, jr_fraction *rest) {
    if (a.below != 1 || b.below != 1) return fail(in, "%s", "'%' takes whole numbers only");
    *rest = (jr_fraction){b.above == -1 ? 0 : a.above % b.above, 1};
    return JR_OK;
}

/* ---- words ---- */

static jr_status number(formula *in, jr_fraction *value) {
    char *end;
    errno = 0;
    const unsigned long long found = strtoull(in->at, &end, 0);
    const char *behind = end + strspn(end, "uUlL");
    if (isalnum((unsigned char)*behind) || *behind == '.' || *behind == '_')
        return fail(in, "'%.40s' does not begin with a whole number", in->at);
    in->at = behind;
    if (errno == ERANGE || found > INT64_MAX) return fail_overflow(in, value);
    *value = (jr_fraction){(int64_t)found, 1};
    return JR_OK;
}

/* Reads ceil(x), min(x, ...) or max(x, ...), after the word. */
static jr_status function(formula *in, const char *name, jr_fraction *value) {
    const bool exact = in->exact, is_ceil = strcmp(name, "ceil") == 0, is_min = strcmp(name, "min") == 0;
    jr_status status = expect(in, '(');
    in->exact |= is_ceil;
    if (status == JR_OK) status = any_of(in, value);
    while (status == JR_OK && !is_ceil && accept(in, ',')) {
        jr_fraction other;
        status = any_of(in, &other);
        if (status == JR_OK && jr_fraction_less(is_min ? other : *value, is_min ? *value : other)) *value = other;
    }
    in->exact = exact;
    if (status == JR_OK) status = expect(in, ')');
    if (status == JR_OK && is_ceil) *value = (jr_fraction){jr_fraction_ceiling(*value), 1};
    return status;
}

/* What a name stands for: a formula of its own. */
static jr_status defined(formula *in, const jr_named_text *define, jr_fraction *value) {
    formula inner = *in;
    inner.text = inner.at = define->text;
    jr_status status = any_of(&inner, value);
    skip_space(&inner);
    if (status == JR_OK && *inner.at != '\0')
        status = fail(&inner, "%s is not a formula: '%.40s' is not allowed there", define->name, inner.at);
    return status;
}

/* "BLOCK, UF": the names that there are. */
static const char *list_names(const formula *in, char text[256]) {
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < in->name_count && length < 200; i++)
        length +=
            (size_t)snprintf(text + length, 256 - length, "%s%.48s", i > 0 ? ", " : "; there are: ", in->names[i].name);
    return text;
}

static jr_status word(formula *in, jr_fraction *value) {
    char name[NAME_BYTES], all[256];
    const char *begin = in->at;
    while (isalnum((unsigned char)*in->at) || *in->at == '_') in->at++;
    const size_t bytes = (size_t)(in->at - begin);
    if (bytes >= sizeof name) return fail(in, "a name of %zu characters", bytes);
    memcpy(name, begin, bytes);
    name[bytes] = '\0';
    if (++*in->looked_up > NAMES_MAX) return fail(in, "more than %d names", NAMES_MAX);
    for (size_t i = in->name_count; i-- > 0;) /* the last one counts */
        if (strcmp(in->names[i].name, name) == 0) return defined(in, &in->names[i], value);
    skip_space(in);
    if (*in->at == '(' && (strcmp(name, "ceil") == 0 || strcmp(name, "min") == 0 || strcmp(name, "max") == 0))
        return function(in, name, value);
    return fail(in, "'%s' is not defined%s", name, list_names(in, all));
}

/* ---- the grammar ---- */

static jr_status primary(formula *in, jr_fraction *value) {
    skip_space(in);
    if (isdigit((unsigned char)*in->at)) return number(in, value);
    if (isalpha((unsigned char)*in->at) || *in->at == '_') return word(in, value);
    if (*in->at == '\0')
        return fail(in, "%s", *in->text == '\0' ? "is empty" : "a number or name is missing at its end");
    if (!accept(in, '(')) return fail(in, "'%.40s' does not begin with a number, a name or '('", in->at);
    const jr_status status = any_of(in, value);
    return status == JR_OK ? expect(in, ')') : status;
}

static bool is_sign(const char *at) {
    return *at == '-' || *at == '+' || (*at == '!' && at[1] != '=');
}

/* Signs, of which the last one is the first to be applied. */
static jr_status signed_of(formula *in, jr_fraction *value) {
    skip_space(in);
    const char *const begin = in->at;
    for (; is_sign(in->at); skip_space(in)) in->at++;
    const char *sign = in->at;
    jr_status status = primary(in, value);
    while (status == JR_OK && sign-- > begin) {
        if (*sign == '!')
            *value = (jr_fraction){value->above == 0, 1};
        else if (*sign == '-' && value->above == INT64_MIN)
            status = fail_overflow(in, value);
        else if (*sign == '-')
            value->above = -value->above;
    }
    return status;
}

static jr_status product_of(formula *in, jr_fraction *value) {
    jr_status status = signed_of(in, value);
    while (status == JR_OK) {
        skip_space(in);
        const char sign = *in->at;
        const jr_fraction left = *value;
        jr_fraction right;
        if (sign != '*' && sign != '/' && sign != '%') break;
        in->at++;
        status = signed_of(in, &right);
        if (status != JR_OK) break;
        if (sign != '*' && right.above == 0)
            status = fail_number(in, "divides by 0", value);
        else if (sign == '%')
            status = rest_of(in, left, right, value);
        else if (!(sign == '*' ? jr_fraction_multiply(left, right, value) : divide(in, left, right, value)))
            status = fail_overflow(in, value);
    }
    return status;
}

static jr_status sum_of(formula *in, jr_fraction *value) {
    if (++in->depth > DEPTH_MAX) return fail(in, "nested deeper than %d", DEPTH_MAX);
    jr_status status = product_of(in, value);
    while (status == JR_OK) {
        skip_space(in);
        const char sign = *in->at;
        const jr_fraction left = *value;
        jr_fraction right;
        if (sign != '+' && sign != '-') break;
        in->at++;
        status = product_of(in, &right);
        if (status == JR_OK && !jr_fraction_add(left, right, sign == '+' ? 1 : -1, value))
            status = fail_overflow(in, value);
    }
    in->depth--;
    return status;
}

/* a < b, and the like; several in a row go from left to right, as in C. */
static jr_status compared_of(formula *in, jr_fraction *value) {
    jr_status status = sum_of(in, value);
    while (status == JR_OK) {
        skip_space(in);
        const char sign = *in->at;
        const jr_fraction left = *value;
        jr_fraction right;
        if (sign != '<' && sign != '>') break;
        const bool or_equal = in->at[1] == '=';
        in->at += or_equal ? 2 : 1;
        status = sum_of(in, &right);
        if (status != JR_OK) break;
        const bool holds = sign == '<' ? (or_equal ? !jr_fraction_less(right, left) : jr_fraction_less(left, right))
                                       : (or_equal ? !jr_fraction_less(left, right) : jr_fraction_less(right, left));
        *value = (jr_fraction){holds, 1};
    }
    return status;
}

static jr_status equal_of(formula *in, jr_fraction *value) {
    jr_status status = compared_of(in, value);
    while (status == JR_OK) {
        const jr_fraction left = *value;
        jr_fraction right;
        const bool equal = accept_pair(in, "==");
        if (!equal && !accept_pair(in, "!=")) break;
        status = compared_of(in, &right);
        if (status != JR_OK) break;
        *value = (jr_fraction){(left.above == right.above && left.below == right.below) == equal, 1};
    }
    return status;
}

static jr_status all_of(formula *in, jr_fraction *value) {
    jr_status status = equal_of(in, value);
    while (status == JR_OK && accept_pair(in, "&&")) {
        const bool left = value->above != 0;
        in->left_out += !left;
        status = equal_of(in, value);
        in->left_out -= !left;
        if (status != JR_OK) break;
        *value = (jr_fraction){left && value->above != 0, 1};
    }
    return status;
}

static jr_status any_of(formula *in, jr_fraction *value) {
    jr_status status = all_of(in, value);
    while (status == JR_OK && accept_pair(in, "||")) {
        const bool left = value->above != 0;
        in->left_out += left;
        status = all_of(in, value);
        in->left_out -= left;
        if (status != JR_OK) break;
        *value = (jr_fraction){left || value->above != 0, 1};
    }
    return status;
}

jr_status jr_formula_of(const char *text, const jr_named_text *names, size_t name_count, int64_t *value) {
    unsigned looked_up = 0;
    formula in = {.text = text, .at = text, .names = names, .name_count = name_count, .looked_up = &looked_up};
    jr_fraction found;
    const jr_status status = any_of(&in, &found);
    if (status != JR_OK) return status;
    skip_space(&in);
    if (*in.at != '\0') return fail(&in, "'%.40s' is not allowed there", in.at);
    *value = found.above; /* whole: fractions live within ceil() alone */
    return JR_OK;
}
