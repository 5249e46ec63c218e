/* Checks expressions of users who are not trusted. */
#include "expression.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "caret.h"
#include "refused.h"

/* An open bracket. */
typedef struct open_bracket {
    jr_token token;
    bool maybe_cast; /* a '(' where an operand is due, with nothing but types behind it so far: "(unsigned int" */
} open_bracket;

/* An expression while it is looked through, token by token. */
typedef struct expression_scan {
    const char *what, *text;
    size_t length;
    bool after_operand; /* the last token ended an operand, so that * and & now mean "multiply" and "and" */
    bool after_sizeof;
    size_t depth;
    open_bracket open[JR_EXPRESSION_DEPTH];
} expression_scan;

static const char type_words[] = "bool char short int long signed unsigned float double size_t";

/* Records what is wrong with the expression, with the caret at a column from 0. */
static jr_status fail_at(const expression_scan *scan, size_t column, const char *found, const char *reason) {
    jr_text log = {0};
    jr_caret_append(&log, scan->text, scan->length, column);
    jr_fail_with(JR_ERROR_INVALID_EXPRESSION, NULL, jr_text_string(&log), "the %s expression %s%s", scan->what, found,
                 reason);
    jr_text_free(&log);
    return JR_ERROR_INVALID_EXPRESSION;
}

static jr_status refuse(const expression_scan *scan, jr_token token, const char *reason) {
    enum { SHOWN = 40 };
    char found[SHOWN + 48];
    const size_t column = (size_t)(token.text - scan->text);
    if (token.kind == JR_TOKEN_BYTE)
        snprintf(found, sizeof found, "has a byte 0x%02x in column %zu: ", (unsigned char)*token.text, column + 1);
    else if (token.length <= SHOWN)
        snprintf(found, sizeof found, "has '%.*s' in column %zu: ", (int)token.length, token.text, column + 1);
    else
        snprintf(found, sizeof found, "has '%.*s...' in column %zu: ", SHOWN, token.text, column + 1);
    return fail_at(scan, column, found, reason);
}

static jr_status open_one(expression_scan *scan, jr_token token) {
    if (scan->depth == JR_EXPRESSION_DEPTH) return refuse(scan, token, "brackets nest deeper than 64");
    scan->open[scan->depth++] =
        (open_bracket){token, *token.text == '(' && !scan->after_operand && !scan->after_sizeof};
    scan->after_operand = false;
    return JR_OK;
}

static jr_status close_one(expression_scan *scan, jr_token token) {
    if (scan->depth == 0) return refuse(scan, token, "no bracket is open here");
    const open_bracket open = scan->open[--scan->depth];
    if ((*token.text == ')') != (*open.token.text == '('))
        return refuse(scan, token, "the bracket that is open here is of the other kind");
    scan->after_operand = !open.maybe_cast;
    return JR_OK;
}

/* Whether an operand may begin with a token. Of the signs that may, & and * are refused when their turn comes. */
static bool begins_operand(jr_token token) {
    return token.kind != JR_TOKEN_END && (token.kind != JR_TOKEN_SIGN || jr_token_is_one_of(token, "( + - ! ~ * & &&"));
}

/* '*', '&' and '&&' must stand between two operands: else they make or follow a pointer or reference. */
static jr_status check_between(expression_scan *scan, jr_token token) {
    if (!scan->after_operand) return refuse(scan, token, "nothing stands on its left, so it would be about a pointer");
    if (!begins_operand(jr_token_next(token.text + token.length)))
        return refuse(scan, token, "nothing stands on its right, so it would make a pointer type");
    scan->after_operand = false;
    return JR_OK;
}

static jr_status check_sign(expression_scan *scan, jr_token token) {
    if (jr_token_is_one_of(token, "( [")) return open_one(scan, token);
    if (jr_token_is_one_of(token, ") ]")) return close_one(scan, token);
    if (jr_token_is_one_of(token, "* & &&")) return check_between(scan, token);
    scan->after_operand = false;
    return JR_OK;
}

static jr_status check_token(expression_scan *scan, jr_token token) {
    const bool word = token.kind == JR_TOKEN_WORD;
    const char *reason = jr_refused_reason(token);
    jr_status status = JR_OK;
    if (token.kind == JR_TOKEN_BYTE) reason = "write printable ASCII characters on one line";
    if (token.kind == JR_TOKEN_WRONG_NUMBER) reason = "it is no number";
    if (reason != NULL) return refuse(scan, token, reason);
    const bool sizes = word && jr_token_is_one_of(token, "sizeof alignof");
    const bool closes = jr_token_is_one_of(token, ") ]");
    if (scan->depth > 0 && !closes && !(word && jr_token_is_one_of(token, type_words)))
        scan->open[scan->depth - 1].maybe_cast = false;
    if (token.kind == JR_TOKEN_SIGN)
        status = check_sign(scan, token);
    else
        scan->after_operand = !sizes;
    scan->after_sizeof = sizes;
    return status;
}

jr_status jr_expression_check(const char *what, const char *text) {
    expression_scan scan = {.what = what, .text = text != NULL ? text : ""};
    jr_status status = JR_OK;
    scan.length = strnlen(scan.text, JR_EXPRESSION_BYTES);
    if (scan.text[scan.length] != '\0') return fail_at(&scan, scan.length, "", "is longer than 4096 bytes");
    jr_token token = jr_token_next(scan.text);
    if (token.kind == JR_TOKEN_END) return fail_at(&scan, 0, "", "is empty: write C for one value, as x * y");
    for (; status == JR_OK && token.kind != JR_TOKEN_END; token = jr_token_next(token.text + token.length))
        status = check_token(&scan, token);
    if (status == JR_OK && scan.depth > 0)
        status = refuse(&scan, scan.open[scan.depth - 1].token, "it is never closed");
    return status;
}
