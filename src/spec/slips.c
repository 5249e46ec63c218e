/* Explains slips: with the operands as they stand in the expression, where these are short. */
#include "slips.h"

#include <stdio.h>
#include <string.h>

enum { SHOWN = 40 };

/* Two operands and the sign between them, each as text. */
typedef struct shown {
    char left[SHOWN + 1], sign[SHOWN + 1], right[SHOWN + 1];
} shown;

static void copy(char *to, const char *text, size_t begin, size_t end, const char *instead) {
    const bool fits = end >= begin && end - begin <= SHOWN;
    snprintf(to, SHOWN + 1, "%.*s", fits ? (int)(end - begin) : SHOWN, fits ? text + begin : instead);
}

static shown show(const jr_slip *slip, const char *text) {
    shown made;
    copy(made.left, text, slip->left.begin, slip->left.end, "a");
    copy(made.right, text, slip->right.begin, slip->right.end, "b");
    copy(made.sign, slip->sign.text, 0, slip->sign.length, "");
    return made;
}

static bool is_digits(const char *text) {
    return *text != '\0' && text[strspn(text, "0123456789")] == '\0';
}

/* % and the bits of floats. */
static void explain_float(const shown *of, char *reason, size_t bytes) {
    if (strcmp(of->sign, "%") == 0)
        snprintf(reason, bytes, "it takes whole numbers: of floats write fmod(%s, %s)", of->left, of->right);
    else if (strcmp(of->sign, "^") == 0 && strcmp(of->right, "2") == 0 && strlen(of->left) <= 3)
        snprintf(reason, bytes, "it is exclusive or, of whole numbers: write %s*%s or pow(%s, 2)", of->left, of->left,
                 of->left);
    else if (strcmp(of->sign, "^") == 0)
        snprintf(reason, bytes, "it is exclusive or, of whole numbers: write pow(%s, %s)", of->left, of->right);
    else if (strcmp(of->sign, "<<") == 0 || strcmp(of->sign, ">>") == 0)
        snprintf(reason, bytes, "it shifts the bits of whole numbers: write ldexp(%s, %s%s)", of->left,
                 *of->sign == '>' ? "-" : "", of->right);
    else
        snprintf(reason, bytes, "it takes the bits of whole numbers: convert a float with (long long), or write %s",
                 *of->sign == '&'   ? "&& between conditions"
                 : *of->sign == '|' ? "|| between conditions"
                                    : "! for not");
}

/* "write 1000000.0 or 1000000LL" */
static void explain_overflow(const jr_slip *slip, const shown *of, char *reason, size_t bytes) {
    const bool shifts = strcmp(of->sign, "<<") == 0, one = slip->left.begin == slip->right.begin;
    const int type =
        slip->left.number.type > slip->right.number.type || shifts ? slip->left.number.type : slip->right.number.type;
    const char *name = type >= JR_WHOLE_LONG ? "long long" : "int";
    char whole[3 * SHOWN + 8];
    snprintf(whole, sizeof whole, "%s%s%s%s%s", one ? of->sign : of->left, one ? "" : " ", one ? of->left : of->sign,
             one ? "" : " ", one ? "" : of->right);
    if (shifts && type < JR_WHOLE_LONG && is_digits(of->left))
        snprintf(reason, bytes, "%s does not fit %s: write %sLL << %s", whole, name, of->left, of->right);
    else if (is_digits(of->left) && type < JR_WHOLE_LONG)
        snprintf(reason, bytes, "%s does not fit %s: write %s.0 or %sLL", whole, name, of->left, of->left);
    else if (is_digits(of->right) && type < JR_WHOLE_LONG)
        snprintf(reason, bytes, "%s does not fit %s: write %s.0 or %sLL", whole, name, of->right, of->right);
    else
        snprintf(reason, bytes, "%s does not fit %s: convert one side, as (double)%s", whole, name, of->left);
}

static void explain_shift(const jr_slip *slip, const shown *of, char *reason, size_t bytes) {
    const bool wide = slip->left.number.type >= JR_WHOLE_LONG;
    if (!wide && slip->right.number.low >= 32 && slip->right.number.low < 64)
        snprintf(reason, bytes, "%s is an int, which has 32 bits: write %s%s %s %s", of->left,
                 is_digits(of->left) ? of->left : "(long long)", is_digits(of->left) ? "LL" : of->left, of->sign,
                 of->right);
    else
        snprintf(reason, bytes, "a number of %d bits is shifted by 0 to %d, not by %s", wide ? 64 : 32, wide ? 63 : 31,
                 of->right);
}

/* x & 1 == 0 and x ^ 2 > 4: side is what the sign was meant to take, rest the comparison after it. */
static void explain_loose(const shown *of, bool whole, const char *side, const char *rest, char *reason, size_t bytes) {
    const bool powers = *of->sign == '^' && is_digits(side);
    char power[3 * SHOWN];
    if (strcmp(side, "2") == 0)
        snprintf(power, sizeof power, "%s*%s", of->left, of->left);
    else
        snprintf(power, sizeof power, "pow(%s, %s)", of->left, side);
    if (!powers)
        snprintf(reason, bytes, "it binds less tightly than the comparison: write (%s %s %s) %s", of->left, of->sign,
                 side, rest);
    else
        snprintf(reason, bytes, "it is exclusive or, not a power: write %s %s%s", power, rest,
                 whole ? ", or brackets around its two sides" : "");
}

/* a < x < b; c == a < b; x & 1 == 0; x == 1 & y. */
static void explain_chain(const jr_slip *slip, const char *text, char *reason, size_t bytes) {
    const shown of = show(slip, text);
    const jr_operand *inner = slip->left.compares ? &slip->left : &slip->right;
    char side[SHOWN + 1], rest[SHOWN + 1];
    const bool bits = strchr("&|^", *of.sign) != NULL;
    if (bits && !slip->left.compares) {
        copy(side, text, inner->begin, inner->sign, "b");
        copy(rest, text, inner->sign, inner->end, "== c");
        side[strcspn(side, " ")] = '\0';
        explain_loose(&of, slip->left.number.kind == JR_KIND_INTEGER, side, rest, reason, bytes);
    } else if (bits) {
        snprintf(reason, bytes, "it takes the bits of a comparison, %s: write && or ||, or brackets around %s", of.left,
                 of.left);
    } else if (slip->left.compares) {
        copy(side, text, inner->right, inner->end, "x");
        snprintf(reason, bytes, "it compares the 0 or 1 of %s with %s: write %s && %s %s %s, or brackets around %s",
                 of.left, of.right, of.left, side, of.sign, of.right, of.left);
    } else {
        snprintf(reason, bytes,
                 "it compares %s with the 0 or 1 of %s: write two comparisons and &&, or brackets around %s", of.left,
                 of.right, of.right);
    }
}

static void explain_count(const jr_slip *slip, char *reason, size_t bytes) {
    jr_function function = {.takes = 0};
    const bool selects = jr_token_is_one_of(slip->sign, "max min");
    (void)jr_functions_find(slip->sign, &function);
    snprintf(reason, bytes, "it takes %d argument%s%s", function.takes, function.takes == 1 ? "" : "s",
             selects ? "; over all elements it is an operator" : "");
}

static void explain_signs(const jr_slip *slip, const shown *of, char *reason, size_t bytes) {
    const bool left = slip->left.number.type == JR_WHOLE_UINT || slip->left.number.type == JR_WHOLE_ULONG;
    const char *positive = left ? of->left : of->right, *other = left ? of->right : of->left;
    snprintf(reason, bytes,
             "%s %s %s: %s is unsigned, and so %s is taken as unsigned, too: write (double)%s or (long long)%s",
             of->left, of->sign, of->right, positive, other, positive, positive);
}

/* x == 1 || 2 */
static void explain_always(const jr_slip *slip, const char *text, char *reason, size_t bytes) {
    const shown of = show(slip, text);
    const bool right = slip->right.number.constant;
    char compared[SHOWN + 1] = "x == ";
    if (right && slip->left.compares) copy(compared, text, slip->left.begin, slip->left.right, compared);
    if (right && slip->left.compares)
        snprintf(reason, bytes, "%s alone is always true: write %s %s %s%s", of.right, of.left, of.sign, compared,
                 of.right);
    else
        snprintf(reason, bytes, "%s alone is always true: write a comparison, as x == %s", right ? of.right : of.left,
                 right ? of.right : of.left);
}

/* x ^ 2 of whole numbers. */
static void explain_power(const shown *of, char *reason, size_t bytes) {
    if (strcmp(of->right, "2") == 0 && strlen(of->left) <= 3)
        snprintf(reason, bytes, "%s ^ 2 is exclusive or in C; a square is %s*%s or pow(%s, 2)", of->left, of->left,
                 of->left, of->left);
    else
        snprintf(reason, bytes, "%s ^ %s is exclusive or in C; a power is pow(%s, %s)", of->left, of->right, of->left,
                 of->right);
}

/* fabs(a) > fabs(b), which chooses neither. */
static void explain_comparison(const char *text, char *reason, size_t bytes) {
    char whole[SHOWN + 1];
    copy(whole, text, 0, strlen(text), "condition");
    snprintf(reason, bytes, "it gives 0 or 1, and neither a nor b: write %s ? a : b", whole);
}

/* x == NAN, x != NAN and x < NAN */
static void explain_nan(const shown *of, char *reason, size_t bytes) {
    const char *value = strcmp(of->right + strspn(of->right, "+- "), "NAN") == 0 ? of->left : of->right;
    const bool differs = strcmp(of->sign, "!=") == 0;
    snprintf(reason, bytes, "a comparison with NAN is always %s: write %sisnan(%s)", differs ? "true" : "false",
             differs ? "!" : "", value);
}

/* x == 0.1 of a float */
static void explain_rounding(const jr_slip *slip, const shown *of, char *reason, size_t bytes) {
    const bool right = slip->right.number.constant;
    const char *value = right ? of->left : of->right, *constant = right ? of->right : of->left;
    if (jr_token_is_one_of(slip->sign, "== !="))
        snprintf(reason, bytes, "%s is a float and never exactly %s, a double: write %sf", value, constant, constant);
    else
        snprintf(reason, bytes, "%s is a float, and the float nearest to %s, a double, is not equal to it: write %sf",
                 value, constant, constant);
}

static void explain_member(const shown *of, const jr_slip *slip, char *reason, size_t bytes) {
    jr_function function;
    if (jr_functions_find(slip->sign, &function))
        snprintf(reason, bytes, "%s is a number and has no members: a function is called as %s(%s)", of->left, of->sign,
                 of->left);
    else
        snprintf(reason, bytes, "%s is a number and has no members", of->left);
}

/* What C calls the type of a sign's value. */
static const char *type_of(const jr_slip *slip) {
    static const char *const names[] = {[JR_WHOLE_INT] = "int",
                                        [JR_WHOLE_UINT] = "unsigned int",
                                        [JR_WHOLE_LONG] = "long long",
                                        [JR_WHOLE_ULONG] = "unsigned long long"};
    const bool shifts = jr_token_is_one_of(slip->sign, "<<");
    const int left = slip->left.number.type, right = slip->right.number.type;
    return names[!shifts && right > left ? right : left];
}

/* i * i * i, 1 << x */
static void explain_wrapping(const jr_slip *slip, const char *text, char *reason, size_t bytes) {
    const shown of = show(slip, text);
    const bool one = slip->left.begin == slip->right.begin && slip->left.end == slip->right.end;
    const bool digits = *of.left >= '0' && *of.left <= '9', in_long = slip->right.number.high < 63;
    char whole[2 * SHOWN + 1];
    copy(whole, text, slip->left.begin, slip->right.end, "it");
    if (strcmp(of.sign, "<<") == 0 && is_digits(of.left) && in_long)
        snprintf(reason, bytes, "%s may not fit int: write %sLL << %s", whole, of.left, of.right);
    else if (strcmp(of.sign, "<<") == 0)
        snprintf(reason, bytes, "%s may not fit %s: write ldexp(%s%.*s%s, %s)", whole, type_of(slip),
                 digits ? "" : "(double)", (int)(digits ? strspn(of.left, "0123456789") : SHOWN), of.left,
                 digits ? ".0" : "", of.right);
    else if (one)
        snprintf(reason, bytes, "%s%s may not fit %s, and wraps: write %s(double)%s", of.sign, of.left, type_of(slip),
                 of.sign, of.left);
    else
        snprintf(reason, bytes, "%s may not fit %s, and wraps: convert one side, as (double)%s", whole, type_of(slip),
                 is_digits(of.right) ? of.left : of.right);
}

/* k / 3, which keeps no fraction */
static void explain_cut(const shown *of, char *reason, size_t bytes) {
    const bool right = is_digits(of->right), left = !right && is_digits(of->left);
    snprintf(reason, bytes, "%s / %s divides whole numbers as in C, and cuts the quotient: write %s%s / %s%s%s",
             of->left, of->right, of->left, left ? ".0" : "", left || right ? "" : "(double)", of->right,
             right ? ".0" : "");
}

void jr_slip_explain(const jr_slip *slip, const char *text, char *reason, size_t bytes) {
    const shown of = show(slip, text);
    const unsigned doubts = slip->doubts;
    if (doubts & JR_DOUBT_COMPARES)
        explain_comparison(text, reason, bytes);
    else if (doubts & JR_DOUBT_NOT)
        snprintf(reason, bytes, "! binds more tightly than it: write !(%s %s %s)", of.left + 1, of.sign, of.right);
    else if (doubts & JR_DOUBT_MISSING)
        snprintf(reason, bytes, "an operator is missing before it: a product is %s * %s", of.left, of.sign);
    else if (doubts & JR_DOUBT_MEMBER)
        explain_member(&of, slip, reason, bytes);
    else if (doubts & JR_DOUBT_NAN)
        explain_nan(&of, reason, bytes);
    else if (doubts & JR_DOUBT_CHAIN)
        explain_chain(slip, text, reason, bytes);
    else if (doubts & JR_DOUBT_FLOAT)
        explain_float(&of, reason, bytes);
    else if (doubts & JR_DOUBT_COUNT)
        explain_count(slip, reason, bytes);
    else if (doubts & JR_DOUBT_OVERFLOWS)
        explain_overflow(slip, &of, reason, bytes);
    else if (doubts & JR_DOUBT_SHIFT)
        explain_shift(slip, &of, reason, bytes);
    else if (doubts & JR_DOUBT_TRUTH)
        snprintf(reason, bytes, "it turns all bits of %s, which is 0 or 1, and never gives 0: write !%s", of.left,
                 of.left);
    else if (doubts & JR_DOUBT_ALWAYS)
        explain_always(slip, text, reason, bytes);
    else if (doubts & JR_DOUBT_CUT)
        snprintf(reason, bytes, "%s / %s is a whole number in C, cut: write %s.0 / %s", of.left, of.right, of.left,
                 of.right);
    else if (doubts & JR_DOUBT_LEAST)
        snprintf(reason, bytes,
                 "-%s is a positive number in C, where %s alone is unsigned: write (-9223372036854775807 - 1)", of.left,
                 of.left);
    else if (doubts & JR_DOUBT_ROUNDS)
        explain_rounding(slip, &of, reason, bytes);
    else if (doubts & JR_DOUBT_POWER)
        explain_power(&of, reason, bytes);
    else if (doubts == JR_DOUBT_CUTS)
        explain_cut(&of, reason, bytes);
    else if (doubts & JR_DOUBT_SIGNS)
        explain_signs(slip, &of, reason, bytes);
    else
        explain_wrapping(slip, text, reason, bytes);
}
