/* Checks expressions of users who are not trusted. */
#include "expression.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "meant.h"
#include "refused.h"
#include "spelling.h"

/* What the tokens so far end with; it decides what the next sign means. */
typedef enum ending {
    ENDS_OPEN,    /* an operand is due: the beginning, an operator, an open bracket */
    ENDS_CAST,    /* an operand is due after a type in brackets, unless the struct's text declares it as a value */
    ENDS_SIZEOF,  /* an operand is due, or a type in brackets that make no cast */
    ENDS_MEMBER,  /* the name of a member is due */
    ENDS_OPERAND, /* a name, a number, or a name in brackets */
    ENDS_GROUP    /* brackets around more */
} ending;

/* What compilers nest within one pair of brackets, each in the one before. */
typedef struct nesting {
    size_t prefixes;   /* signs and casts before the operand that is due or has just ended */
    size_t choices;    /* ?: of which the last part has begun, or will */
    size_t asked;      /* ? that wait for their : */
    jr_token question; /* the last ? */
} nesting;

typedef struct open_bracket {
    jr_token token;
    size_t token_count; /* tokens after it so far */
    bool maybe_cast;    /* an operand is due, and only types follow so far: "(unsigned int" */
    bool called;        /* a name precedes it */
    nesting around;
    size_t factor; /* outside */
} open_bracket;

/* An expression while it is looked through, token by token. */
typedef struct expression_scan {
    const jr_names *names;
    const char *text;
    size_t length, tokens;
    ending ending;
    bool macro;    /* the name of a macro has just ended */
    size_t factor; /* how often what stands here may be repeated by macros */
    size_t weight; /* of this expression and those before */
    nesting here;
    size_t around; /* levels around the innermost bracket */
    size_t depth;
    open_bracket open[JR_EXPRESSION_DEPTH];
} expression_scan;

/* A text of which something is wrong. */
typedef struct shown_text {
    const char *what, *text;
    size_t length;
} shown_text;

/* Records what is wrong with the expression, with the caret at a column from 0. */
static jr_status fail_at(const shown_text *of, size_t column, const char *found, const char *reason) {
    jr_text log = {0};
    jr_text_append_caret(&log, of->text, of->length, column);
    jr_fail_with(JR_ERROR_INVALID_EXPRESSION, NULL, jr_text_failed(&log) ? NULL : jr_text_string(&log),
                 "the %s expression %s%s", of->what, found, reason);
    jr_text_free(&log);
    return JR_ERROR_INVALID_EXPRESSION;
}

static jr_status refuse_token(const shown_text *of, jr_token token, const char *reason) {
    enum { SHOWN = 40 };
    char found[SHOWN + 48];
    const size_t column = (size_t)(token.text - of->text);
    if (token.kind == JR_TOKEN_BYTE && (unsigned char)*token.text >= 0xc0)
        snprintf(found, sizeof found, "has a character beyond ASCII in column %zu (byte 0x%02x): ", column + 1,
                 (unsigned char)*token.text);
    else if (token.kind == JR_TOKEN_BYTE)
        snprintf(found, sizeof found, "has a byte 0x%02x in column %zu: ", (unsigned char)*token.text, column + 1);
    else if (token.length <= SHOWN)
        snprintf(found, sizeof found, "has '%.*s' in column %zu: ", (int)token.length, token.text, column + 1);
    else
        snprintf(found, sizeof found, "has '%.*s...' in column %zu: ", SHOWN, token.text, column + 1);
    return fail_at(of, column, found, reason);
}

static shown_text text_of(const expression_scan *scan) {
    return (shown_text){scan->names->what, scan->text, scan->length};
}

static jr_status refuse(const expression_scan *scan, jr_token token, const char *reason) {
    const shown_text of = text_of(scan);
    return refuse_token(&of, token, reason);
}

jr_status jr_expression_refuse(const char *what, const char *text, jr_token token, const char *reason) {
    const shown_text of = {what, text, strlen(text)};
    return refuse_token(&of, token, reason);
}

/* Says with a number what is too much. */
static jr_status refuse_limit(const expression_scan *scan, jr_token token, const char *format, int limit) {
    char reason[160];
    snprintf(reason, sizeof reason, format, limit); /* NOLINT(clang-diagnostic-format-nonliteral): three below */
    return refuse(scan, token, reason);
}

static jr_status add_weight(expression_scan *scan, jr_token token, size_t weight) {
    scan->weight += weight * scan->factor;
    if (scan->weight <= JR_EXPRESSION_WEIGHT) return JR_OK;
    return refuse_limit(scan, token, "what the expressions compute weighs more than %d here: make them simpler",
                        JR_EXPRESSION_WEIGHT);
}

static jr_status check_depth(const expression_scan *scan, jr_token token) {
    if (scan->around + scan->here.prefixes + scan->here.choices <= JR_EXPRESSION_DEPTH) return JR_OK;
    return refuse_limit(scan, token, "brackets, signs before operands, casts and ?: nest deeper than %d here",
                        JR_EXPRESSION_DEPTH);
}

static bool is_operand_due(const expression_scan *scan) {
    return scan->ending <= ENDS_MEMBER;
}

/* A ? without its :, before a bracket closes, a comma or the end. */
static jr_status check_asked(const expression_scan *scan) {
    return scan->here.asked == 0 ? JR_OK
                                 : refuse(scan, scan->here.question, "it has no ':': write condition ? one : other");
}

/* ---- brackets ---- */

/* Counts a token among those of the innermost bracket. */
static void count_token(expression_scan *scan, bool may_be_type) {
    if (scan->depth == 0) return;
    open_bracket *inner = &scan->open[scan->depth - 1];
    inner->token_count++;
    if (!may_be_type) inner->maybe_cast = false;
}

static size_t levels_of(const nesting *nested) {
    return 1 + nested->prefixes + nested->choices;
}

/* A choice between functions could choose a null one, so that only a name can be called. */
static jr_status open_one(expression_scan *scan, jr_token token) {
    if (scan->ending == ENDS_GROUP) return refuse(scan, token, "only a name can be called; * multiplies");
    const nesting around = scan->here;
    const bool maybe_cast = scan->ending == ENDS_OPEN || scan->ending == ENDS_CAST;
    const bool called = scan->ending == ENDS_OPERAND;
    scan->around += levels_of(&around);
    scan->here = (nesting){0};
    scan->ending = ENDS_OPEN;
    const jr_status status = check_depth(scan, token); /* so that there is room in open */
    if (status != JR_OK) return status;
    scan->open[scan->depth++] = (open_bracket){
        .token = token, .maybe_cast = maybe_cast, .called = called, .around = around, .factor = scan->factor};
    if (scan->macro) scan->factor *= 8;
    return JR_OK;
}

static jr_status close_one(expression_scan *scan, jr_token token) {
    if (scan->depth == 0) return refuse(scan, token, "no bracket is open here");
    const open_bracket open = scan->open[scan->depth - 1];
    if (open.token_count == 0 && !open.called) return refuse(scan, token, "nothing stands between the brackets");
    if (check_asked(scan) != JR_OK) return JR_ERROR_INVALID_EXPRESSION;
    scan->depth--;
    scan->here = open.around;
    scan->around -= levels_of(&open.around);
    scan->factor = open.factor;
    scan->ending = open.maybe_cast ? ENDS_CAST : open.token_count == 1 ? ENDS_OPERAND : ENDS_GROUP;
    scan->here.prefixes += open.maybe_cast;
    count_token(scan, false); /* what nests counts as two tokens, so that brackets around brackets are a group */
    return check_depth(scan, token);
}

/* ---- signs ---- */

/* '*', '&' and '&&' must stand between two operands: else they make or follow a pointer or reference. */
static jr_status check_between(const expression_scan *scan, jr_token token) {
    if (is_operand_due(scan)) return refuse(scan, token, "nothing precedes it, so it would apply to a pointer");
    if (!jr_spelling_begins_operand(jr_token_next(token.text + token.length)))
        return refuse(scan, token, "nothing follows it, so it would make a pointer type");
    return JR_OK;
}

static size_t weight_of(jr_token sign) {
    if (jr_token_is_one_of(sign, "/ % && ||")) return 32; /* a call of code, or a branch */
    if (jr_token_is_one_of(sign, "?")) return 8;
    if (jr_token_is_one_of(sign, "< > <= >= == !=")) return 4; /* with what makes a number of it */
    return !jr_token_is_one_of(sign, ", : .");
}

/* ? : and commas. */
static jr_status check_divider(expression_scan *scan, jr_token token) {
    if (*token.text == '?') {
        scan->here.choices++;
        scan->here.asked++;
        scan->here.question = token;
        return JR_OK;
    }
    if (*token.text == ':') {
        if (scan->here.asked == 0) return refuse(scan, token, "it belongs to a ?: write condition ? one : other");
        scan->here.asked--;
        return JR_OK;
    }
    scan->here.choices = 0;
    if (scan->depth == 0 || !scan->open[scan->depth - 1].called)
        return refuse(scan, token, jr_spelling_comma(scan->text, token));
    return check_asked(scan);
}

static jr_status check_sign(expression_scan *scan, jr_token token) {
    if (*token.text == '(') return open_one(scan, token);
    if (*token.text == ')') return close_one(scan, token);
    const bool missing = is_operand_due(scan) && (scan->ending != ENDS_CAST || scan->names->structure == NULL);
    const char *reason = jr_spelling_sign(scan->text, token, missing);
    if (reason != NULL) return refuse(scan, token, reason);
    if (jr_token_is_one_of(token, "? : ,") && check_divider(scan, token) != JR_OK) return JR_ERROR_INVALID_EXPRESSION;
    jr_status status = jr_token_is_one_of(token, "* & &&") ? check_between(scan, token) : JR_OK;
    if (status == JR_OK) status = add_weight(scan, token, weight_of(token));
    if (status != JR_OK) return status;
    scan->here.prefixes = is_operand_due(scan) ? scan->here.prefixes + 1 : 0;
    scan->ending = jr_token_is_one_of(token, ".") ? ENDS_MEMBER : ENDS_OPEN;
    return check_depth(scan, token);
}

/* ---- names ---- */

static jr_status refuse_unknown(const expression_scan *scan, jr_token token) {
    char reason[320];
    jr_meant(scan->names, token, reason, sizeof reason);
    return refuse(scan, token, reason);
}

/* A variable of an input of which there is no array; the struct's text may declare its letter. */
static jr_status check_input(const expression_scan *scan, jr_token token) {
    char reason[96];
    return jr_meant_input(scan->names, token, reason, sizeof reason) && !jr_names_declared(scan->names, token)
               ? refuse(scan, token, reason)
               : JR_OK;
}

static jr_status check_name(expression_scan *scan, jr_token token) {
    size_t weight = 0;
    const bool member = scan->ending == ENDS_MEMBER;
    const jr_name_kind kind = member ? JR_NAME_VALUE : jr_names_find(scan->names, token, &weight);
    const jr_token next = jr_token_next(token.text + token.length);
    if (kind == JR_NAME_UNKNOWN) return refuse_unknown(scan, token);
    if (!member && check_input(scan, token) != JR_OK) return JR_ERROR_INVALID_EXPRESSION;
    scan->macro = kind == JR_NAME_MACRO;
    if ((kind == JR_NAME_FUNCTION || scan->macro) && *next.text != '(')
        return refuse(scan, token, "it is a function, which can only be called: add its arguments in ( )");
    count_token(scan, kind == JR_NAME_TYPE || kind == JR_NAME_DECLARED);
    const bool measures = jr_token_is_one_of(token, "sizeof alignof");
    scan->here.prefixes += measures;
    scan->ending = measures ? ENDS_SIZEOF : ENDS_OPERAND;
    const jr_status status = check_depth(scan, token);
    return status == JR_OK ? add_weight(scan, token, weight) : status;
}

static jr_status check_token(expression_scan *scan, jr_token token) {
    const char *reason = jr_spelling_token(scan->text, token);
    char brace[320];
    if (jr_meant_brace(scan->names, token, brace, sizeof brace)) reason = brace;
    if (reason == NULL) reason = jr_refused_reason(token);
    if (reason != NULL) return refuse(scan, token, reason);
    if (++scan->tokens > JR_EXPRESSION_TOKENS)
        return refuse_limit(scan, token, "it is one more than the %d words, numbers and signs of an expression",
                            JR_EXPRESSION_TOKENS);
    if (token.kind == JR_TOKEN_WORD) return check_name(scan, token);
    if (*token.text != ')') count_token(scan, false);
    jr_status status = JR_OK;
    if (token.kind == JR_TOKEN_SIGN)
        status = check_sign(scan, token);
    else
        scan->ending = ENDS_OPERAND;
    scan->macro = false;
    return status;
}

jr_status jr_expression_check(const jr_names *names, const char *text, size_t *weight) {
    expression_scan scan = {.names = names, .text = text != NULL ? text : "", .factor = 1, .weight = *weight};
    jr_status status = JR_OK;
    scan.length = strnlen(scan.text, JR_EXPRESSION_BYTES);
    const shown_text shown = text_of(&scan);
    if (scan.text[scan.length] != '\0') return fail_at(&shown, scan.length, "", "is longer than 4096 bytes");
    jr_token token = jr_token_next(scan.text);
    if (token.kind == JR_TOKEN_END) return fail_at(&shown, 0, "", "is empty: write C for one value, as x * y");
    for (; status == JR_OK && token.kind != JR_TOKEN_END; token = jr_token_next(token.text + token.length))
        status = check_token(&scan, token);
    if (status == JR_OK && scan.depth == 0) status = check_asked(&scan);
    if (status == JR_OK && scan.depth > 0)
        status = refuse(&scan, scan.open[scan.depth - 1].token, "it is never closed");
    if (status == JR_OK) *weight = scan.weight;
    return status;
}
