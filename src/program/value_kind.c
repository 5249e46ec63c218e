/* Reads expressions for the kinds of their values. Source: C++17 standard, [expr], [lex.icon], [lex.fcon]. */
#include "value_kind.h"

#include <string.h>

#include "dtype.h"

typedef struct reader {
    const jr_names *names;
    const jr_value_kind *variables;
    jr_kind_stack stack;
} reader;

jr_value_kind jr_value_kind_of_type(jr_type type) {
    const jr_dtype *row = jr_dtype_find(type);
    if (row == NULL) return JR_KIND_UNKNOWN;
    return !jr_dtype_is_float(row) ? JR_KIND_INTEGER : type == JR_F64 ? JR_KIND_DOUBLE : JR_KIND_FLOAT;
}

/* ---- operands ---- */

/* Of C's number. */
static jr_value_kind kind_of_number(jr_token token) {
    const bool hex = token.length > 1 && token.text[0] == '0' && strchr("xX", token.text[1]) != NULL;
    bool floats = false;
    for (size_t i = 0; i < token.length; i++) floats |= strchr(hex ? ".pP" : ".eE", token.text[i]) != NULL;
    if (!floats) return JR_KIND_INTEGER;
    return strchr("fF", token.text[token.length - 1]) != NULL ? JR_KIND_FLOAT : JR_KIND_DOUBLE;
}

static jr_token next_of(jr_token token) {
    return jr_token_next(token.text + token.length);
}

/* Reads the words of a type up to a sign, which *token then is; false when something else stands there. */
static bool read_type(const jr_names *names, const char *end, jr_token *token, jr_value_kind *kind) {
    jr_token at = *token;
    size_t weight, count = 0;
    *kind = JR_KIND_INTEGER;
    for (; at.kind == JR_TOKEN_WORD; at = next_of(at), count++) {
        if (jr_names_find(names, at, &weight) != JR_NAME_TYPE) return false;
        if (jr_token_is_one_of(at, "float")) *kind = JR_KIND_FLOAT;
        if (jr_token_is_one_of(at, "double")) *kind = JR_KIND_DOUBLE;
        if (names->structure != NULL && jr_token_is_one_of(at, names->structure->name)) *kind = JR_KIND_UNKNOWN;
    }
    *token = at;
    return count > 0 && jr_token_is_one_of(at, end);
}

static jr_function_gives gives_of_kind(jr_value_kind kind) {
    static const jr_function_gives all[] = {[JR_KIND_UNKNOWN] = JR_GIVES_ANYTHING,
                                            [JR_KIND_INTEGER] = JR_GIVES_INTEGER,
                                            [JR_KIND_FLOAT] = JR_GIVES_FLOAT,
                                            [JR_KIND_DOUBLE] = JR_GIVES_DOUBLE};
    return all[kind];
}

/* Begins a call whose bracket follows a token; returns the bracket. */
static jr_token begin_call(reader *r, jr_token token, jr_function_gives gives) {
    const jr_token bracket = next_of(token);
    if (!r->stack.operand_due || !jr_token_is_one_of(bracket, "(")) {
        r->stack.failed = true;
        return token;
    }
    jr_kind_stack_wait(
        &r->stack, (jr_kind_operator){.action = JR_KINDS_CALL, .binds = JR_BINDS_NOT, .gives = (unsigned char)gives});
    return bracket;
}

/* static_cast<type>( */
static jr_token begin_static_cast(reader *r, jr_token token) {
    jr_value_kind kind;
    jr_token at = next_of(token);
    if (jr_token_is_one_of(at, "<")) at = next_of(at);
    if (read_type(r->names, ">", &at, &kind)) return begin_call(r, at, gives_of_kind(kind));
    r->stack.failed = true;
    return token;
}

/* sizeof(type), or sizeof before an operand. */
static jr_token take_size(reader *r, jr_token token) {
    jr_value_kind kind;
    jr_token at = next_of(token);
    if (jr_token_is_one_of(at, "(")) {
        at = next_of(at);
        if (read_type(r->names, ")", &at, &kind)) {
            jr_kind_stack_push(&r->stack, JR_KIND_INTEGER);
            return at;
        }
    }
    jr_kind_stack_wait(&r->stack,
                       (jr_kind_operator){.action = JR_KINDS_CAST, .binds = JR_BINDS_PREFIX, .kind = JR_KIND_INTEGER});
    return token;
}

static jr_value_kind kind_of_value(const reader *r, jr_token word) {
    const char *variable = word.length == 1 ? strchr(r->names->variables, *word.text) : NULL;
    if (jr_token_is_one_of(word, "true false")) return JR_KIND_INTEGER;
    if (jr_token_is_one_of(word, "INFINITY NAN")) return JR_KIND_FLOAT;
    if (variable != NULL) return r->variables[(variable - r->names->variables) / 2]; /* blanks stand between them */
    for (int i = 0; i < r->names->parameter_count; i++)
        if (jr_token_is_one_of(word, r->names->parameters[i].name))
            return jr_value_kind_of_type(r->names->parameters[i].value.type);
    return JR_KIND_UNKNOWN;
}

/* Returns the last token of what it takes. */
static jr_token take_word(reader *r, jr_token word) {
    size_t weight;
    jr_value_kind kind;
    jr_function function;
    jr_token at = word;
    if (jr_token_is_one_of(word, "static_cast")) return begin_static_cast(r, word);
    if (jr_token_is_one_of(word, "sizeof alignof")) return take_size(r, word);
    switch (jr_names_find(r->names, word, &weight)) {
    case JR_NAME_VALUE: jr_kind_stack_push(&r->stack, kind_of_value(r, word)); return word;
    case JR_NAME_TYPE:
        if (read_type(r->names, "(", &at, &kind)) return begin_call(r, word, gives_of_kind(kind));
        r->stack.failed = true;
        return word;
    case JR_NAME_FUNCTION:
        return begin_call(r, word, jr_functions_find(word, &function) ? function.gives : JR_GIVES_ANYTHING);
    default: break;
    }
    if (jr_token_is_one_of(next_of(word), "(")) return begin_call(r, word, JR_GIVES_ANYTHING);
    jr_kind_stack_push(&r->stack, JR_KIND_UNKNOWN);
    return word;
}

/* A bracket that opens where an operand is due: a cast, or one around something. */
static jr_token take_bracket(reader *r, jr_token bracket) {
    jr_value_kind kind;
    jr_token at = next_of(bracket);
    if (read_type(r->names, ")", &at, &kind)) {
        jr_kind_stack_wait(
            &r->stack,
            (jr_kind_operator){.action = JR_KINDS_CAST, .binds = JR_BINDS_PREFIX, .kind = (unsigned char)kind});
        return at;
    }
    jr_kind_stack_wait(&r->stack, (jr_kind_operator){.action = JR_KINDS_OPEN, .binds = JR_BINDS_NOT});
    return bracket;
}

static jr_token take_operand(reader *r, jr_token token) {
    if (token.kind == JR_TOKEN_WORD) return take_word(r, token);
    if (token.kind == JR_TOKEN_NUMBER) {
        jr_kind_stack_push(&r->stack, kind_of_number(token));
        return token;
    }
    if (jr_token_is_one_of(token, "(")) return take_bracket(r, token);
    const bool keeps = jr_token_is_one_of(token, "+ -");
    if (keeps || jr_token_is_one_of(token, "! ~"))
        jr_kind_stack_wait(&r->stack, (jr_kind_operator){.action = keeps ? JR_KINDS_KEEP : JR_KINDS_CAST,
                                                         .binds = JR_BINDS_PREFIX,
                                                         .kind = JR_KIND_INTEGER});
    else
        r->stack.failed = true;
    return token;
}

/* ---- operators ---- */

static void take_between(reader *r, jr_token sign) {
    static const struct {
        const char *signs;
        jr_kind_action action;
        unsigned binds;
    } rows[] = {{"* /", JR_KINDS_JOIN, 13},      {"%", JR_KINDS_COMPARE, 13},         {"+ -", JR_KINDS_JOIN, 12},
                {"<< >>", JR_KINDS_COMPARE, 11}, {"< > <= >=", JR_KINDS_COMPARE, 10}, {"== !=", JR_KINDS_COMPARE, 9},
                {"&", JR_KINDS_COMPARE, 8},      {"^", JR_KINDS_COMPARE, 7},          {"|", JR_KINDS_COMPARE, 6},
                {"&&", JR_KINDS_COMPARE, 5},     {"||", JR_KINDS_COMPARE, 4}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!jr_token_is_one_of(sign, rows[i].signs)) continue;
        jr_kind_stack_wait_between(&r->stack, rows[i].action, rows[i].binds);
        return;
    }
    r->stack.failed = true;
}

/* A member of a vector is of the vector's kind, and one of a struct as unknown as that. */
static jr_token take_operator(reader *r, jr_token sign) {
    if (jr_token_is_one_of(sign, ".")) return next_of(sign);
    if (jr_token_is_one_of(sign, ")"))
        jr_kind_stack_close(&r->stack);
    else if (jr_token_is_one_of(sign, ","))
        jr_kind_stack_comma(&r->stack);
    else if (jr_token_is_one_of(sign, "?"))
        jr_kind_stack_ask(&r->stack);
    else if (jr_token_is_one_of(sign, ":"))
        jr_kind_stack_choose(&r->stack);
    else
        take_between(r, sign);
    return sign;
}

jr_value_kind jr_value_kind_of(const jr_names *names, const jr_value_kind *kinds, const char *expression) {
    reader r = {.names = names, .variables = kinds, .stack.operand_due = true};
    for (jr_token token = jr_token_next(expression); token.kind != JR_TOKEN_END; token = next_of(token)) {
        const bool closes = jr_token_is_one_of(token, ")"); /* perhaps a call without arguments */
        token = r.stack.operand_due && !closes ? take_operand(&r, token) : take_operator(&r, token);
        if (r.stack.failed) return JR_KIND_UNKNOWN;
    }
    return jr_kind_stack_end(&r.stack);
}
