/* Computes formulas by recursive descent. A value is a fraction, reduced, with a divisor above 0: within ceil() a
 * quotient keeps its fraction, elsewhere it loses it at once. */
#include "formula.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "suggest.h"

enum { DEPTH_MOST = 64, NAMES_MOST = 10000 };

typedef struct fraction {
    int64_t above, below;
} fraction;

typedef struct formula {
    const char *where, *text; /* for messages: the whole one */
    const char *at;
    const cli_names *names;
    unsigned depth, *looked_up; /* names so far: of those that stand for each other there may be no end */
    bool exact;                 /* within ceil() */
    cli_error *error;
} formula;

static cli_exit sum_of(formula *in, fraction *value);

/* The reason, with the formula that it is about. */
#define fail(in, format, ...)                                                                                          \
    cli_fail((in)->error, CLI_USAGE, "%s: '%.200s': " format, (in)->where, (in)->text, __VA_ARGS__)

static cli_exit fail_overflow(const formula *in) {
    return fail(in, "%s", "a number in it does not fit into 64 bits");
}

static void skip_space(formula *in) {
    while (isspace((unsigned char)*in->at)) in->at++;
}

static bool accept(formula *in, char c) {
    skip_space(in);
    if (*in->at != c) return false;
    in->at++;
    return true;
}

static cli_exit expect(formula *in, char c) {
    if (accept(in, c)) return CLI_OK;
    if (*in->at == '\0') return fail(in, "'%c' is missing at its end", c);
    return fail(in, "'%c' is expected before '%.40s'", c, in->at);
}

/* ---- arithmetic ---- */

/* Neither is INT64_MIN. */
static int64_t common_divisor(int64_t a, int64_t b) {
    while (b != 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

/* below is not 0. */
static bool reduce(fraction *value) {
    if (value->above == INT64_MIN || value->below == INT64_MIN) {
        if (value->below == 1) return true;
        return false;
    }
    const int64_t common = common_divisor(value->above, value->below), sign = value->below < 0 ? -1 : 1;
    value->above = value->above / common * sign;
    value->below = value->below / common * sign;
    return true;
}

/* a + sign * b */
static bool add(fraction a, fraction b, int sign, fraction *sum) {
    int64_t left, right;
    if (__builtin_mul_overflow(a.above, b.below, &left) || __builtin_mul_overflow(b.above, a.below, &right) ||
        __builtin_mul_overflow(a.below, b.below, &sum->below))
        return false;
    const bool over =
        sign > 0 ? __builtin_add_overflow(left, right, &sum->above) : __builtin_sub_overflow(left, right, &sum->above);
    return !over && reduce(sum);
}

static bool multiply(fraction a, fraction b, fraction *product) {
    return !__builtin_mul_overflow(a.above, b.above, &product->above) &&
           !__builtin_mul_overflow(a.below, b.below, &product->below) && reduce(product);
}

/* b is not 0. */
static bool divide(const formula *in, fraction a, fraction b, fraction *quotient) {
    if (in->exact) return multiply(a, (fraction){b.below, b.above}, quotient);
    if (a.above == INT64_MIN && b.above == -1) return false; /* both are whole */
    *quotient = (fraction){a.above / b.above, 1};
    return true;
}

static cli_exit rest_of(const formula *in, fraction a, fraction b, fraction *rest) {
    if (a.below != 1 || b.below != 1) return fail(in, "%s", "'%' is of whole numbers");
    *rest = (fraction){b.above == -1 ? 0 : a.above % b.above, 1};
    return CLI_OK;
}

static bool less(fraction a, fraction b) {
    fraction difference;
    if (a.below == 1 && b.below == 1) return a.above < b.above;
    return add(a, b, -1, &difference) && difference.above < 0;
}

static int64_t ceiling(fraction value) {
    return value.above / value.below + (value.above % value.below > 0);
}

/* ---- words ---- */

static cli_exit number(formula *in, fraction *value) {
    char *end;
    errno = 0;
    const unsigned long long found = strtoull(in->at, &end, 0);
    if (errno == ERANGE || found > INT64_MAX) return fail_overflow(in);
    const char *behind = end + strspn(end, "uUlL");
    if (isalnum((unsigned char)*behind) || *behind == '.' || *behind == '_')
        return fail(in, "'%.40s' does not begin with a whole number", in->at);
    in->at = behind;
    *value = (fraction){(int64_t)found, 1};
    return CLI_OK;
}

/* ceil(x), min(x, ...), max(x, ...): behind the word. */
static cli_exit function(formula *in, const char *name, fraction *value) {
    const bool exact = in->exact, is_ceil = strcmp(name, "ceil") == 0, is_min = strcmp(name, "min") == 0;
    cli_exit code = expect(in, '(');
    in->exact |= is_ceil;
    if (code == CLI_OK) code = sum_of(in, value);
    while (code == CLI_OK && !is_ceil && accept(in, ',')) {
        fraction other;
        code = sum_of(in, &other);
        if (code == CLI_OK && less(is_min ? other : *value, is_min ? *value : other)) *value = other;
    }
    in->exact = exact;
    if (code == CLI_OK) code = expect(in, ')');
    if (code == CLI_OK && is_ceil) *value = (fraction){ceiling(*value), 1};
    return code;
}

/* What is defined as a name: a formula of its own. */
static cli_exit defined(formula *in, const cli_define *define, fraction *value) {
    formula inner = *in;
    inner.text = inner.at = define->text;
    cli_exit code = sum_of(&inner, value);
    skip_space(&inner);
    if (code == CLI_OK && *inner.at != '\0')
        code = fail(&inner, "%s is no formula: '%.40s' cannot stand there", define->name, inner.at);
    return code;
}

static cli_exit word(formula *in, fraction *value) {
    char name[sizeof((cli_define *)NULL)->name], hint[CLI_HINT_BYTES];
    const char *begin = in->at;
    cli_nearest nearest = {.typed = name};
    while (isalnum((unsigned char)*in->at) || *in->at == '_') in->at++;
    const size_t bytes = (size_t)(in->at - begin);
    if (bytes >= sizeof name) return fail(in, "a name of %zu characters", bytes);
    memcpy(name, begin, bytes);
    name[bytes] = '\0';
    if (++*in->looked_up > NAMES_MOST) return fail(in, "more than %d names", NAMES_MOST);
    for (size_t i = in->names->count; i-- > 0;) { /* the last one counts */
        const cli_define *define = &in->names->items[i];
        if (strcmp(define->name, name) == 0) return defined(in, define, value);
        cli_nearest_offer(&nearest, define->name, strlen(define->name));
    }
    skip_space(in);
    if (*in->at == '(' && (strcmp(name, "ceil") == 0 || strcmp(name, "min") == 0 || strcmp(name, "max") == 0))
        return function(in, name, value);
    return fail(in, "'%s' is not defined: --define %s=...%s", name, name,
                nearest.word[0] != '\0' ? cli_nearest_hint(&nearest, "", hint) : "");
}

/* ---- the grammar ---- */

static cli_exit primary(formula *in, fraction *value) {
    skip_space(in);
    if (isdigit((unsigned char)*in->at)) return number(in, value);
    if (isalpha((unsigned char)*in->at) || *in->at == '_') return word(in, value);
    if (*in->at == '\0')
        return fail(in, "%s", *in->text == '\0' ? "is empty" : "a number or name is missing at its end");
    if (!accept(in, '(')) return fail(in, "'%.40s' does not begin with a number, a name or '('", in->at);
    const cli_exit code = sum_of(in, value);
    return code == CLI_OK ? expect(in, ')') : code;
}

static cli_exit signed_of(formula *in, fraction *value) {
    bool negative = false;
    for (;;) {
        if (accept(in, '-'))
            negative = !negative;
        else if (!accept(in, '+'))
            break;
    }
    const cli_exit code = primary(in, value);
    if (code != CLI_OK || !negative) return code;
    if (value->above == INT64_MIN) return fail_overflow(in);
    value->above = -value->above;
    return CLI_OK;
}

static cli_exit product_of(formula *in, fraction *value) {
    cli_exit code = signed_of(in, value);
    while (code == CLI_OK) {
        skip_space(in);
        const char sign = *in->at;
        const fraction left = *value;
        fraction right;
        if (sign != '*' && sign != '/' && sign != '%') break;
        in->at++;
        code = signed_of(in, &right);
        if (code != CLI_OK) break;
        if (sign != '*' && right.above == 0) return fail(in, "%s", "divides by 0");
        if (sign == '%')
            code = rest_of(in, left, right, value);
        else if (!(sign == '*' ? multiply(left, right, value) : divide(in, left, right, value)))
            code = fail_overflow(in);
    }
    return code;
}

static cli_exit sum_of(formula *in, fraction *value) {
    if (++in->depth > DEPTH_MOST) return fail(in, "nested deeper than %d", DEPTH_MOST);
    cli_exit code = product_of(in, value);
    while (code == CLI_OK) {
        skip_space(in);
        const char sign = *in->at;
        const fraction left = *value;
        fraction right;
        if (sign != '+' && sign != '-') break;
        in->at++;
        code = product_of(in, &right);
        if (code == CLI_OK && !add(left, right, sign == '+' ? 1 : -1, value)) code = fail_overflow(in);
    }
    in->depth--;
    return code;
}

cli_exit cli_formula(const char *where, const char *text, const cli_names *names, int64_t *value, cli_error *error) {
    unsigned looked_up = 0;
    formula in = {.where = where, .text = text, .at = text, .names = names, .looked_up = &looked_up, .error = error};
    fraction found;
    const cli_exit code = sum_of(&in, &found);
    if (code != CLI_OK) return code;
    skip_space(&in);
    if (*in.at != '\0') return fail(&in, "'%.40s' cannot stand there", in.at);
    *value = found.above; /* whole: fractions live within ceil() alone */
    return CLI_OK;
}
