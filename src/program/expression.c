/* Checks expressions of users who are not trusted. */
#include "expression.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "caret.h"
#include "refused.h"

/* What the tokens so far end with; it decides what the next sign means. */
typedef enum ending {
    ENDS_OPEN,    /* an operand is due: the beginning, an operator, an open bracket, a cast */
    ENDS_SIZEOF,  /* an operand is due, or a type in brackets that make no cast */
    ENDS_OPERAND, /* a name, a number, or a name in brackets */
    ENDS_GROUP    /* brackets around more */
} ending;

typedef struct open_bracket {
    jr_token token;
    size_t token_count; /* behind it so far */
    bool maybe_cast;    /* an operand was due, and only types stand behind it so far: "(unsigned int" */
} open_bracket;

/* An expression while it is looked through, token by token. */
typedef struct expression_scan {
    const char *what, *text;
    size_t length;
    ending ending;
    size_t depth;
    open_bracket open[JR_EXPRESSION_DEPTH];
} expression_scan;

static const char type_words[] = "bool char short int long signed unsigned float double size_t";

/* Records what is wrong with the expression, with the caret at a column from 0. */
static jr_status fail_at(const expression_scan *scan, size_t column, const char *found, const char *reason) {
    jr_text log = {0};
    jr_caret_append(&log, scan->text, scan->length, column);
    jr_fail_with(JR_ERROR_INVALID_EXPRESSION, NULL, jr_text_failed(&log) ? NULL : jr_text_string(&log),
                 "the %s expression %s%s", scan->what, found, reason);
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

/* Counts a token among those of the innermost bracket. */
static void count_token(expression_scan *scan, jr_token token) {
    if (scan->depth == 0) return;
    open_bracket *inner = &scan->open[scan->depth - 1];
    inner->token_count++;
    if (!jr_token_is_one_of(token, type_words)) inner->maybe_cast = false;
}

/* A choice between functions could choose a null one, so that only a name can be called. */
static jr_status open_one(expression_scan *scan, jr_token token) {
    if (scan->depth == JR_EXPRESSION_DEPTH) return refuse(scan, token, "brackets nest deeper than 64");
    if (scan->ending == ENDS_GROUP) return refuse(scan, token, "only a name can be called; * multiplies");
    scan->open[scan->depth++] = (open_bracket){token, 0, scan->ending == ENDS_OPEN};
    scan->ending = ENDS_OPEN;
    return JR_OK;
}

static jr_status close_one(expression_scan *scan, jr_token token) {
    if (scan->depth == 0) return refuse(scan, token, "no bracket is open here");
    const open_bracket open = scan->open[--scan->depth];
    scan->ending = open.maybe_cast ? ENDS_OPEN : open.token_count == 1 ? ENDS_OPERAND : ENDS_GROUP;
    count_token(scan, token); /* what nests counts as two tokens, so that brackets around brackets are a group */
    return JR_OK;
}

/* Whether an operand may begin with a token. Of the signs that may, & and * are refused when their turn comes. */
static bool begins_operand(jr_token token) {
    return token.kind != JR_TOKEN_END && (token.kind != JR_TOKEN_SIGN || jr_token_is_one_of(token, "( + - ! ~ * & &&"));
}

/* '*', '&' and '&&' must stand between two operands: else they make or follow a pointer or reference. */
static jr_status check_between(expression_scan *scan, jr_token token) {
    if (scan->ending == ENDS_OPEN || scan->ending == ENDS_SIZEOF)
        return refuse(scan, token, "nothing stands on its left, so it would be about a pointer");
    if (!begins_operand(jr_token_next(token.text + token.length)))
        return refuse(scan, token, "nothing stands on its right, so it would make a pointer type");
    scan->ending = ENDS_OPEN;
    return JR_OK;
}

static jr_status check_sign(expression_scan *scan, jr_token token) {
    if (*token.text == '(') return open_one(scan, token);
    if (*token.text == ')') return close_one(scan, token);
    if (jr_token_is_one_of(token, "* & &&")) return check_between(scan, token);
    scan->ending = ENDS_OPEN;
    return JR_OK;
}

static jr_status check_token(expression_scan *scan, jr_token token) {
    const char *reason = jr_refused_reason(token);
    if (token.kind == JR_TOKEN_BYTE) reason = "write printable ASCII characters on one line";
    if (token.kind == JR_TOKEN_WRONG_NUMBER) reason = "it is not a number";
    if (reason != NULL) return refuse(scan, token, reason);
    if (*token.text != ')') count_token(scan, token);
    if (token.kind == JR_TOKEN_SIGN) return check_sign(scan, token);
    scan->ending = jr_token_is_one_of(token, "sizeof alignof") ? ENDS_SIZEOF : ENDS_OPERAND;
    return JR_OK;
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
