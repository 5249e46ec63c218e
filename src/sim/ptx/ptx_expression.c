/* Constant expressions, as the PTX manual has them: C's operators on 64-bit integers and on doubles, which do not mix.
 *
 * A literal is signed unless it has a U or does not fit; an unsigned operand makes the other one unsigned. A float
 * given by its bits (0f...) stands alone. What is accepted, and each value, is ptxas's. */
#include <string.h>

#include "parser.h"

enum { NESTED_MAX = 100 /* operators and parentheses inside each other */ };

typedef struct constant {
    jrs_operand_kind kind; /* INTEGER, FLOAT32 or FLOAT64 */
    bool is_unsigned;
    uint64_t bits;
} constant;

typedef enum operation {
    LOGICAL_OR,
    LOGICAL_AND,
    OR,
    XOR,
    AND,
    EQUAL,
    UNEQUAL,
    AT_MAX,
    AT_MIN,
    LEFT,
    RIGHT,
    LESS,
    MORE,
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    REMAINDER
} operation;

/* An operator comes before every shorter one that is its beginning. */
static const struct {
    const char *text;
    operation operation;
    unsigned strength; /* the strongest binds first */
} operators[] = {{"||", LOGICAL_OR, 1}, {"&&", LOGICAL_AND, 2}, {"|", OR, 3},       {"^", XOR, 4},
                 {"&", AND, 5},         {"==", EQUAL, 6},       {"!=", UNEQUAL, 6}, {"<=", AT_MAX, 7},
                 {">=", AT_MIN, 7},     {"<<", LEFT, 8},        {">>", RIGHT, 8},   {"<", LESS, 7},
                 {">", MORE, 7},        {"+", ADD, 9},          {"-", SUBTRACT, 9}, {"*", MULTIPLY, 10},
                 {"/", DIVIDE, 10},     {"%", REMAINDER, 10}};
enum { OPERATORS = sizeof operators / sizeof *operators };

static constant parse_choice(jrs_parser *parser, unsigned depth);

static double real_of(const constant *value) {
    double real;
    memcpy(&real, &value->bits, sizeof real);
    return real;
}

static constant of_real(double real) {
    constant value = {.kind = JRS_OPERAND_FLOAT64};
    memcpy(&value.bits, &real, sizeof real);
    return value;
}

static constant of_integer(uint64_t bits, bool is_unsigned) {
    return (constant){JRS_OPERAND_INTEGER, is_unsigned, bits};
}

static void need_integer(jrs_parser *parser, const constant *value) {
    if (value->kind != JRS_OPERAND_INTEGER) jrs_parse_fail(parser, "an integer is needed in a constant expression");
}

static void need_alike(jrs_parser *parser, const constant *a, const constant *b) {
    if (a->kind == JRS_OPERAND_FLOAT32 || b->kind == JRS_OPERAND_FLOAT32)
        jrs_parse_fail(parser, "a float given by its 32 bits (0f...) cannot be part of an expression");
    if (a->kind != b->kind) jrs_parse_fail(parser, "an integer and a float in one expression");
}

/* ---- operators ---- */

static constant compare(operation wanted, int order) {
    const bool holds = wanted == EQUAL     ? order == 0
                       : wanted == UNEQUAL ? order != 0
                       : wanted == AT_MAX  ? order <= 0
                       : wanted == AT_MIN  ? order >= 0
                       : wanted == LESS    ? order < 0
                                           : order > 0;
    return of_integer(holds, false);
}

static constant divide(jrs_parser *parser, operation wanted, uint64_t a, uint64_t b, bool is_unsigned) {
    if (b == 0) jrs_parse_fail(parser, "a division by zero in a constant expression");
    if (is_unsigned) return of_integer(wanted == DIVIDE ? a / b : a % b, true);
    if ((int64_t)b == -1) return of_integer(wanted == DIVIDE ? 0 - a : 0, false); /* C leaves the least one open */
    return of_integer((uint64_t)(wanted == DIVIDE ? (int64_t)a / (int64_t)b : (int64_t)a % (int64_t)b), false);
}

/* Shifts are by the lowest six bits, as ptxas shifts. */
static constant shift(operation wanted, const constant *a, uint64_t by) {
    by &= 63;
    const uint64_t right = a->is_unsigned ? a->bits >> by : (uint64_t)((int64_t)a->bits >> by);
    return of_integer(wanted == LEFT ? a->bits << by : right, a->is_unsigned);
}

static constant join_integers(jrs_parser *parser, operation wanted, const constant *x, const constant *y) {
    const uint64_t a = x->bits, b = y->bits;
    const bool is_unsigned = x->is_unsigned || y->is_unsigned;
    const bool less = is_unsigned ? a < b : (int64_t)a < (int64_t)b;
    switch (wanted) {
    case LOGICAL_OR: return of_integer(a || b, false);
    case LOGICAL_AND: return of_integer(a && b, false);
    case OR: return of_integer(a | b, is_unsigned);
    case XOR: return of_integer(a ^ b, is_unsigned);
    case AND: return of_integer(a & b, is_unsigned);
    case LEFT:
    case RIGHT: return shift(wanted, x, b);
    case ADD: return of_integer(a + b, is_unsigned);
    case SUBTRACT: return of_integer(a - b, is_unsigned);
    case MULTIPLY: return of_integer(a * b, is_unsigned);
    case DIVIDE:
    case REMAINDER: return divide(parser, wanted, a, b, is_unsigned);
    default: return compare(wanted, less ? -1 : a != b);
    }
}

static constant join_reals(jrs_parser *parser, operation wanted, const constant *x, const constant *y) {
    const double a = real_of(x), b = real_of(y);
    switch (wanted) {
    case ADD: return of_real(a + b);
    case SUBTRACT: return of_real(a - b);
    case MULTIPLY: return of_real(a * b);
    case DIVIDE: return of_real(a / b);
    case EQUAL:
    case UNEQUAL:
    case AT_MAX:
    case AT_MIN:
    case LESS:
    case MORE: return compare(wanted, a < b ? -1 : a > b);
    default: need_integer(parser, x); return *x;
    }
}

static constant join(jrs_parser *parser, operation wanted, const constant *x, const constant *y) {
    need_alike(parser, x, y);
    return x->kind == JRS_OPERAND_INTEGER ? join_integers(parser, wanted, x, y) : join_reals(parser, wanted, x, y);
}

/* ---- what they join ---- */

static constant parse_literal(jrs_parser *parser) {
    jrs_operand literal = {0};
    const char *const start = parser->at;
    const char *name = jrs_lex_name(parser);
    if (name && strcmp(name, "WARP_SZ") == 0 && !jrs_symbol_find(parser, name)) return of_integer(JRS_LANES, false);
    if (name) parser->at = start;
    if (!jrs_lex_number(parser, &literal)) jrs_parse_fail(parser, "a constant expected");
    const bool marked = parser->at[-1] == 'U' || parser->at[-1] == 'u';
    return (constant){literal.kind, literal.kind == JRS_OPERAND_INTEGER && (marked || literal.bits >> 63),
                      literal.bits};
}

static constant negate(const constant *value) {
    if (value->kind == JRS_OPERAND_INTEGER) return of_integer(0 - value->bits, value->is_unsigned);
    const unsigned sign = value->kind == JRS_OPERAND_FLOAT32 ? 31 : 63;
    return (constant){value->kind, false, value->bits ^ UINT64_C(1) << sign};
}

static constant parse_unary(jrs_parser *parser, unsigned depth);

/* Behind "(": a cast, or what stands in parentheses. */
static constant parse_parenthesis(jrs_parser *parser, unsigned depth) {
    if (jrs_lex_peek(parser) != '.') {
        const constant inner = parse_choice(parser, depth);
        jrs_lex_expect(parser, ')');
        return inner;
    }
    const char *type = jrs_lex_directive(parser);
    const bool is_unsigned = strcmp(type, "u64") == 0;
    if (!is_unsigned && strcmp(type, "s64") != 0)
        jrs_parse_fail(parser, "a cast to .%s: only .s64 and .u64 are allowed", type);
    jrs_lex_expect(parser, ')');
    const constant value = parse_unary(parser, depth);
    need_integer(parser, &value);
    return of_integer(value.bits, is_unsigned);
}

static constant parse_unary(jrs_parser *parser, unsigned depth) {
    if (depth++ == NESTED_MAX) jrs_parse_fail(parser, "more than %d operators inside each other", NESTED_MAX);
    if (jrs_lex_accept(parser, '(')) return parse_parenthesis(parser, depth);
    if (jrs_lex_accept(parser, '+')) return parse_unary(parser, depth);
    const char sign = jrs_lex_peek(parser);
    if (sign != '-' && sign != '~' && sign != '!') return parse_literal(parser);
    parser->at++;
    const constant value = parse_unary(parser, depth);
    if (sign == '-') return negate(&value);
    need_integer(parser, &value);
    return sign == '~' ? of_integer(~value.bits, value.is_unsigned) : of_integer(!value.bits, false);
}

/* The operator that stands here, which is not taken; OPERATORS: none. */
static unsigned find_operator(jrs_parser *parser) {
    unsigned k = 0;
    jrs_lex_peek(parser);
    const size_t left = (size_t)(parser->end - parser->at);
    while (k < OPERATORS &&
           (left < strlen(operators[k].text) || memcmp(parser->at, operators[k].text, strlen(operators[k].text)) != 0))
        k++;
    return k;
}

/* Operators of at least this strength. */
static constant parse_binary(jrs_parser *parser, unsigned least, unsigned depth) {
    constant left = parse_unary(parser, depth);
    for (;;) {
        const unsigned k = find_operator(parser);
        if (k == OPERATORS || operators[k].strength < least) return left;
        parser->at += strlen(operators[k].text);
        const constant right = parse_binary(parser, operators[k].strength + 1, depth + 1);
        left = join(parser, operators[k].operation, &left, &right);
    }
}

static constant parse_choice(jrs_parser *parser, unsigned depth) {
    const constant chooses = parse_binary(parser, 1, depth);
    if (!jrs_lex_accept(parser, '?')) return chooses;
    if (depth == NESTED_MAX) jrs_parse_fail(parser, "more than %d operators inside each other", NESTED_MAX);
    need_integer(parser, &chooses);
    const constant first = parse_choice(parser, depth + 1);
    jrs_lex_expect(parser, ':');
    const constant second = parse_choice(parser, depth + 1);
    need_alike(parser, &first, &second);
    constant result = chooses.bits ? first : second;
    result.is_unsigned = first.is_unsigned || second.is_unsigned;
    return result;
}

void jrs_expression_parse(jrs_parser *parser, jrs_operand *operand) {
    const constant value = parse_choice(parser, 0);
    operand->kind = value.kind;
    operand->bits = value.bits;
}

int64_t jrs_expression_offset(jrs_parser *parser) {
    const bool added = jrs_lex_accept(parser, '+');
    if (!added && jrs_lex_peek(parser) != '-') return 0;
    const constant value = parse_choice(parser, 0);
    need_integer(parser, &value);
    return (int64_t)value.bits;
}
