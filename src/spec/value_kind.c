/* Reads expressions for the kinds of their values. Source: C++17 standard, [expr], [lex.icon], [lex.fcon]. */
#include "value_kind.h"

#include <string.h>

typedef struct reader {
    const jr_names *names;
    const jr_number *variables;
    jr_kind_stack stack;
} reader;

/* ---- operands ---- */

static jr_token next_of(jr_token token) {
    return jr_token_next(token.text + token.length);
}

/* The integer type that the words of a type name, in any order (unsigned short int, int short unsigned). */
static jr_type whole_of_words(jr_token word, jr_type before) {
    const bool positive = jr_number_of_type(before).low == 0 && before != JR_BOOL;
    const jr_type unsigned_of = before == JR_I64   ? JR_U64
                                : before == JR_I16 ? JR_U16
                                : before == JR_I8  ? JR_U8
                                                   : JR_U32;
    if (jr_token_is_one_of(word, "bool")) return JR_BOOL;
    if (jr_token_is_one_of(word, "unsigned")) return unsigned_of;
    if (jr_token_is_one_of(word, "long")) return positive ? JR_U64 : JR_I64;
    if (jr_token_is_one_of(word, "short")) return positive ? JR_U16 : JR_I16;
    if (jr_token_is_one_of(word, "char")) return positive ? JR_U8 : JR_I8;
    if (jr_token_is_one_of(word, "size_t")) return JR_U64;
    return before;
}

/* Reads the words of a type up to a sign, which *token then is; false when something else stands there. */
static bool read_type(const jr_names *names, const char *end, jr_token *token, jr_type *type) {
    jr_token at = *token;
    size_t weight, count = 0;
    *type = JR_I32;
    for (; at.kind == JR_TOKEN_WORD; at = next_of(at), count++) {
        if (jr_names_find(names, at, &weight) != JR_NAME_TYPE) return false;
        *type = whole_of_words(at, *type);
        if (jr_token_is_one_of(at, "float")) *type = JR_F32;
        if (jr_token_is_one_of(at, "double")) *type = JR_F64;
        if (names->structure != NULL && jr_token_is_one_of(at, names->structure->name)) *type = JR_STRUCT;
    }
    *token = at;
    return count > 0 && jr_token_is_one_of(at, end);
}

/* Begins a call whose bracket follows a token; returns the bracket. */
static jr_token begin_call(reader *r, jr_token token, jr_kind_operator call) {
    const jr_token bracket = next_of(token);
    if (!r->stack.operand_due || !jr_token_is_one_of(bracket, "(")) {
        r->stack.failed = true;
        return token;
    }
    call.action = JR_KINDS_CALL;
    call.binds = JR_BINDS_NOT;
    jr_kind_stack_wait(&r->stack, call);
    return bracket;
}

static jr_kind_operator convert_to(jr_token name, jr_type type) {
    return (jr_kind_operator){.token = name, .gives = JR_GIVES_ANYTHING, .cast = type};
}

/* static_cast<type>( */
static jr_token begin_static_cast(reader *r, jr_token token) {
    jr_type type;
    jr_token at = next_of(token);
    if (jr_token_is_one_of(at, "<")) at = next_of(at);
    if (read_type(r->names, ">", &at, &type)) return begin_call(r, at, convert_to(token, type));
    r->stack.failed = true;
    return token;
}

/* sizeof(type), or sizeof before an operand. */
static jr_token take_size(reader *r, jr_token token) {
    const jr_number size = jr_number_of_type(JR_U64);
    jr_type type;
    jr_token at = next_of(token);
    if (jr_token_is_one_of(at, "(")) {
        at = next_of(at);
        if (read_type(r->names, ")", &at, &type)) {
            jr_kind_stack_push(&r->stack, &size, token);
            return at;
        }
    }
    jr_kind_stack_wait(
        &r->stack,
        (jr_kind_operator){.action = JR_KINDS_CAST, .binds = JR_BINDS_PREFIX, .token = token, .cast = JR_U64});
    return token;
}

/* A parameter has the value that it is given, until it is given another. */
static jr_number value_of_parameter(const jr_value *value) {
    jr_number number = jr_number_of_type(value->type);
    if (value->type == JR_I32) number.low = number.high = value->as.i32;
    if (value->type == JR_U32) number.low = number.high = value->as.u32;
    if (value->type == JR_I64) number.low = number.high = value->as.i64;
    if (value->type == JR_U64) number.low = number.high = value->as.u64;
    return number;
}

static jr_number value_of_word(const reader *r, jr_token word) {
    const char *variable = word.length == 1 ? strchr(r->names->variables, *word.text) : NULL;
    if (jr_token_is_one_of(word, "true false")) return jr_number_of_type(JR_BOOL);
    if (jr_token_is_one_of(word, "INFINITY NAN")) return jr_number_of_kind(JR_KIND_FLOAT);
    if (variable != NULL) return r->variables[(variable - r->names->variables) / 2]; /* blanks stand between them */
    for (int i = 0; i < r->names->parameter_count; i++)
        if (jr_token_is_one_of(word, r->names->parameters[i].name))
            return value_of_parameter(&r->names->parameters[i].value);
    return jr_number_of_kind(JR_KIND_UNKNOWN);
}

static jr_kind_operator call_of(jr_token word) {
    jr_function function = {.gives = JR_GIVES_ANYTHING};
    (void)jr_functions_find(word, &function);
    return (jr_kind_operator){
        .token = word, .gives = (unsigned char)function.gives, .takes = function.takes, .cast = JR_STRUCT};
}

/* Returns the last token of what it takes. */
static jr_token take_word(reader *r, jr_token word) {
    size_t weight;
    const jr_number unknown = jr_number_of_kind(JR_KIND_UNKNOWN);
    jr_number value;
    jr_type type;
    jr_token at = word;
    if (jr_token_is_one_of(word, "static_cast")) return begin_static_cast(r, word);
    if (jr_token_is_one_of(word, "sizeof alignof")) return take_size(r, word);
    switch (jr_names_find(r->names, word, &weight)) {
    case JR_NAME_VALUE:
        value = value_of_word(r, word);
        jr_kind_stack_push(&r->stack, &value, word);
        return word;
    case JR_NAME_TYPE:
        if (read_type(r->names, "(", &at, &type)) return begin_call(r, word, convert_to(word, type));
        r->stack.failed = true;
        return word;
    case JR_NAME_FUNCTION: return begin_call(r, word, call_of(word));
    default: break;
    }
    if (jr_token_is_one_of(next_of(word), "(")) return begin_call(r, word, convert_to(word, JR_STRUCT));
    jr_kind_stack_push(&r->stack, &unknown, word);
    return word;
}

/* A bracket that opens where an operand is due: a cast, or one around something. */
static jr_token take_bracket(reader *r, jr_token bracket) {
    jr_type type;
    jr_token at = next_of(bracket);
    if (read_type(r->names, ")", &at, &type)) {
        jr_kind_stack_wait(
            &r->stack,
            (jr_kind_operator){.action = JR_KINDS_CAST, .binds = JR_BINDS_PREFIX, .token = bracket, .cast = type});
        return at;
    }
    jr_kind_stack_wait(&r->stack, (jr_kind_operator){.action = JR_KINDS_OPEN, .binds = JR_BINDS_NOT, .token = bracket});
    return bracket;
}

/* A minus and the digits of 2^63, which are written as the least i64 (expressions.c). */
static jr_token take_least(reader *r, jr_token minus, jr_token digits) {
    const jr_number least = jr_number_least();
    minus.length = (size_t)(digits.text + digits.length - minus.text);
    jr_kind_stack_push(&r->stack, &least, minus);
    return digits;
}

static jr_token take_operand(reader *r, jr_token token) {
    if (token.kind == JR_TOKEN_WORD) return take_word(r, token);
    if (jr_token_is_one_of(token, "-") && jr_token_is_one_of(next_of(token), JR_LITERAL_2_TO_63))
        return take_least(r, token, next_of(token));
    if (token.kind == JR_TOKEN_NUMBER) {
        const jr_number value = jr_number_of_literal(token);
        jr_kind_stack_push(&r->stack, &value, token);
        return token;
    }
    if (jr_token_is_one_of(token, "(")) return take_bracket(r, token);
    if (jr_token_is_one_of(token, "+ - ! ~"))
        jr_kind_stack_wait(&r->stack,
                           (jr_kind_operator){.action = JR_KINDS_SIGN, .binds = JR_BINDS_PREFIX, .token = token});
    else
        r->stack.failed = true;
    return token;
}

/* ---- operators ---- */

static void take_between(reader *r, jr_token sign) {
    static const struct {
        const char *signs;
        unsigned binds;
    } rows[] = {{"* / %", 13}, {"+ -", 12}, {"<< >>", 11}, {"< > <= >=", 10}, {"== !=", 9},
                {"&", 8},      {"^", 7},    {"|", 6},      {"&&", 5},         {"||", 4}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!jr_token_is_one_of(sign, rows[i].signs)) continue;
        jr_kind_stack_wait_between(&r->stack, sign, rows[i].binds);
        return;
    }
    r->stack.failed = true;
}

/* A member of a vector is of the vector's kind, and one of a struct as unknown as that. */
static jr_token take_member(reader *r, jr_token point) {
    jr_operand *whole = &r->stack.operands[r->stack.operand_count - 1];
    const jr_token member = next_of(point);
    const bool is_variable = whole->end - whole->begin == 1 && r->names->structure == NULL;
    if (is_variable && whole->number.kind != JR_KIND_UNKNOWN) {
        jr_kind_stack_fail(&r->stack, JR_DOUBT_MEMBER, member);
        return member;
    }
    whole->number = jr_number_of_kind((jr_value_kind)whole->number.kind);
    whole->end = (unsigned short)(member.text + member.length - r->stack.text);
    whole->compares = whole->negates = false;
    return member;
}

/* What a struct's text declares may be a macro, which stands for anything. */
static jr_token take_operator(reader *r, jr_token sign) {
    if (sign.kind != JR_TOKEN_SIGN && r->names->structure == NULL) {
        jr_kind_stack_fail(&r->stack, JR_DOUBT_MISSING, sign);
        return sign;
    }
    if (jr_token_is_one_of(sign, ".") && r->stack.operand_count > 0) return take_member(r, sign);
    if (jr_token_is_one_of(sign, ")"))
        jr_kind_stack_close(&r->stack, sign);
    else if (jr_token_is_one_of(sign, ","))
        jr_kind_stack_comma(&r->stack);
    else if (jr_token_is_one_of(sign, "?"))
        jr_kind_stack_ask(&r->stack);
    else if (jr_token_is_one_of(sign, ":"))
        jr_kind_stack_choose(&r->stack, sign);
    else
        take_between(r, sign);
    return sign;
}

jr_number jr_value_of(const jr_names *names, const jr_number *variables, const char *expression,
                      jr_value_doubts *doubts) {
    reader r; /* not zeroed as a whole: it is large */
    r.names = names;
    r.variables = variables;
    jr_kind_stack_begin(&r.stack, expression);
    for (jr_token token = jr_token_next(expression); token.kind != JR_TOKEN_END && !r.stack.failed;
         token = next_of(token)) {
        const bool closes = jr_token_is_one_of(token, ")"); /* perhaps a call without arguments */
        token = r.stack.operand_due && !closes ? take_operand(&r, token) : take_operator(&r, token);
    }
    const jr_number value = jr_kind_stack_end(&r.stack);
    if (doubts != NULL)
        *doubts = (jr_value_doubts){.mistake = r.stack.mistake,
                                    .note = r.stack.note,
                                    .comparison = r.stack.comparison,
                                    .wraps = r.stack.wraps,
                                    .cuts = r.stack.cuts,
                                    .all = r.stack.doubts};
    return value;
}
