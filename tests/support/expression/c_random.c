/* Random expressions, grown from the root. */
#include "c_tree.h"

#include <stdio.h>
#include <string.h>

#include "support/fixtures/open_context.h"

/* ---- literals ---- */

static int add_literal(c_tree *tree, c_number value, const char *text) {
    c_node node = {.kind = C_LITERAL, .value = value};
    snprintf(node.text, sizeof node.text, "%s", text);
    return c_tree_add(tree, node);
}

static const struct {
    const char *text;
    c_type type;
    uint64_t integer;
    double floating;
} literals[] = {
    {"0", C_INT, 0, 0},
    {"1", C_INT, 1, 0},
    {"2", C_INT, 2, 0},
    {"3", C_INT, 3, 0},
    {"5", C_INT, 5, 0},
    {"7", C_INT, 7, 0},
    {"10", C_INT, 10, 0},
    {"100", C_INT, 100, 0},
    {"0x1F", C_INT, 31, 0},
    {"0x1E0", C_INT, 480, 0},
    {"sizeof(short)", C_ULONG, 2, 0},
    {"sizeof ( double)", C_ULONG, 8, 0},
    {"alignof(int)", C_ULONG, 4, 0},
    {"0b1111", C_INT, 15, 0},
    {"3u", C_UNSIGNED, 3, 0},
    {"1U", C_UNSIGNED, 1, 0},
    {"0x10u", C_UNSIGNED, 16, 0},
    {"2l", C_LONG, 2, 0},
    {"4UL", C_ULONG, 4, 0},
    {"3ll", C_LLONG, 3, 0},
    {"1LL", C_LLONG, 1, 0},
    {"9ull", C_ULLONG, 9, 0},
    {"2llu", C_ULLONG, 2, 0},
    {"255", C_INT, 255, 0},
    {"65536", C_INT, 65536, 0},
    {"2147483647", C_INT, 2147483647, 0},
    {"2147483648", C_LONG, UINT64_C(2147483648), 0},
    {"0x80000000", C_UNSIGNED, UINT64_C(0x80000000), 0},
    {"0xffffffff", C_UNSIGNED, UINT64_C(0xffffffff), 0},
    {"4294967296", C_LONG, UINT64_C(4294967296), 0},
    {"0xFFFFFFFFFFFFFFFF", C_ULONG, ~UINT64_C(0), 0},
    {"4294967295u", C_UNSIGNED, UINT64_C(4294967295), 0},
    {"1.0", C_DOUBLE, 0, 1},
    {"0.5", C_DOUBLE, 0, 0.5},
    {"1.25", C_DOUBLE, 0, 1.25},
    {"2.", C_DOUBLE, 0, 2},
    {".75", C_DOUBLE, 0, 0.75},
    {"1e1", C_DOUBLE, 0, 10},
    {"25E-2", C_DOUBLE, 0, 0.25},
    {"0.1", C_DOUBLE, 0, 0.1},
    {"0x1p-2", C_DOUBLE, 0, 0.25},
    {"08.5", C_DOUBLE, 0, 8.5},
    {"5e-1", C_DOUBLE, 0, 0.5},
    {"1.5e+1f", C_FLOAT, 0, 15},
    {"0x.8p1f", C_FLOAT, 0, 1},
    {"0.5f", C_FLOAT, 0, 0.5},
    {"2.f", C_FLOAT, 0, 2},
    {".25F", C_FLOAT, 0, 0.25},
    {"1e1f", C_FLOAT, 0, 10},
    {"0.1f", C_FLOAT, 0, 0.1},
    {"3.0f", C_FLOAT, 0, 3},
    {"true", C_BOOL, 1, 0},
    {"false", C_BOOL, 0, 0},
    {"INFINITY", C_FLOAT, 0, (double)__builtin_inff()},
    {"NAN", C_FLOAT, 0, (double)__builtin_nanf("")},
};
enum { LITERALS = sizeof literals / sizeof literals[0], COMMON_LITERALS = 8, NON_ZERO = 1, RARE = 2 };

static int add_listed(c_tree *tree, uint64_t index) {
    const c_type type = literals[index].type;
    return add_literal(
        tree, c_is_float(type) ? c_floating(type, literals[index].floating) : c_integer(type, literals[index].integer),
        literals[index].text);
}

int c_random_literal(c_tree *tree, uint64_t *seed) {
    const uint64_t kind = random_below(seed, 32);
    return add_listed(tree, random_below(seed, kind < 10 ? COMMON_LITERALS : kind < 31 ? LITERALS - RARE : LITERALS));
}

/* ---- what has operands ---- */

static int grow(c_tree *tree, int depth, uint64_t *seed);

static int add_cast(c_tree *tree, int operand, c_type type, uint64_t *seed) {
    c_node node = {.kind = C_CAST, .type = type, .operands = {operand}};
    node.number = (int)random_below(seed, 3);
    if (random_below(seed, 3) == 0) node.sign = 's';
    const char *name = node.sign == 's' ? c_type_other_name(type) : c_type_name(type);
    if (node.number == 1 && strchr(name, ' ') != NULL) node.number = 0;
    return c_tree_add(tree, node);
}

static int as_integer(c_tree *tree, int number, uint64_t *seed) {
    static const c_type types[] = {C_INT, C_INT, C_LLONG, C_SHORT, C_UNSIGNED, C_UCHAR, C_BOOL};
    if (!c_is_float(tree->nodes[number].type)) return number;
    return add_cast(tree, number, types[random_below(seed, sizeof types / sizeof types[0])], seed);
}

/* A literal is refused as a condition, so it gets a "!". */
static int as_condition(c_tree *tree, int number) {
    if (!c_tree_is_constant(tree, number)) return number;
    return c_tree_add(tree, (c_node){.kind = C_UNARY, .sign = '!', .operands = {number}});
}

static int grow_leaf(c_tree *tree, uint64_t *seed) {
    if (tree->variable_count == 0 || random_below(seed, 3) == 0) return c_random_literal(tree, seed);
    const int number = (int)random_below(seed, (uint64_t)tree->variable_count);
    return c_tree_add(tree, (c_node){.kind = C_VARIABLE, .number = number});
}

/* Divisors are often literals that are not 0. */
static int grow_right(c_tree *tree, char sign, int depth, uint64_t *seed) {
    const bool divides = sign == '/' || sign == '%', shifts = sign == 'L' || sign == 'R';
    if (shifts || (divides && random_below(seed, 2) == 0))
        return add_listed(tree, NON_ZERO + random_below(seed, COMMON_LITERALS - 1 - NON_ZERO));
    return grow(tree, depth, seed);
}

static int grow_binary(c_tree *tree, const char *signs, int depth, uint64_t *seed) {
    const char sign = signs[random_below(seed, strlen(signs))];
    int left = grow(tree, depth, seed), right = grow_right(tree, sign, depth, seed);
    if (strchr("%&|^LR", sign) != NULL) {
        left = as_integer(tree, left, seed);
        right = as_integer(tree, right, seed);
    }
    if (sign == 'a' || sign == 'o') {
        left = as_condition(tree, left);
        right = as_condition(tree, right);
    }
    return c_tree_add(tree, (c_node){.kind = C_BINARY, .sign = sign, .operands = {left, right}});
}

static int grow_unary(c_tree *tree, int depth, uint64_t *seed) {
    const char sign = "---~~!+"[random_below(seed, 7)];
    int operand = grow(tree, depth, seed);
    if (sign == '~') operand = as_integer(tree, operand, seed);
    if (sign == '~' && c_tree_is_truth(tree, operand)) operand = add_cast(tree, operand, C_INT, seed);
    return c_tree_add(tree, (c_node){.kind = C_UNARY, .sign = sign, .operands = {operand}});
}

static int grow_choice(c_tree *tree, int depth, uint64_t *seed) {
    const int condition = grow(tree, depth, seed), first = grow(tree, depth, seed), second = grow(tree, depth, seed);
    return c_tree_add(tree, (c_node){.kind = C_CHOICE, .operands = {condition, first, second}});
}

static int grow_cast(c_tree *tree, int depth, uint64_t *seed) {
    const int operand = grow(tree, depth, seed);
    return add_cast(tree, operand, (c_type)random_below(seed, C_TYPES), seed);
}

/* abs has no form for unsigned types; what takes integers is not given floats, which may not fit. */
static int fit(c_tree *tree, const c_function *function, int index, int operand, uint64_t *seed) {
    const bool power = function->form == C_OF_POWER && index == 1;
    if (power) return add_listed(tree, random_below(seed, COMMON_LITERALS - 1));
    if (function->form == C_OF_FIXED && !c_is_float(function->taken)) return as_integer(tree, operand, seed);
    const c_type type = c_promoted(tree->nodes[operand].type);
    if (function->form == C_OF_SIZE && !c_is_signed(type)) return add_cast(tree, operand, C_INT, seed);
    return operand;
}

static int grow_call(c_tree *tree, int depth, uint64_t *seed) {
    c_node node = {.kind = C_CALL};
    node.function = c_function_at((int)random_below(seed, (uint64_t)c_function_count(tree->rounding_left > 0)));
    tree->rounding_left -= node.function->rounds;
    node.single = node.function->has_float_form && random_below(seed, 4) == 0;
    for (int i = 0; i < node.function->arguments; i++)
        node.operands[i] = fit(tree, node.function, i, grow(tree, depth, seed), seed);
    return c_tree_add(tree, node);
}

static int grow(c_tree *tree, int depth, uint64_t *seed) {
    const uint64_t kind = random_below(seed, 100);
    if (depth <= 0 || kind < 8) return grow_leaf(tree, seed);
    if (kind < 48) return grow_binary(tree, "+-*/", depth - 1, seed);
    if (kind < 58) return grow_binary(tree, "%&|^LR", depth - 1, seed);
    if (kind < 66) return grow_binary(tree, "<>lg=nao", depth - 1, seed);
    if (kind < 75) return grow_unary(tree, depth - 1, seed);
    if (kind < 82) return grow_choice(tree, depth - 1, seed);
    if (kind < 90) return grow_cast(tree, depth - 1, seed);
    return grow_call(tree, depth - 1, seed);
}

int c_random_tree(c_tree *tree, int depth, uint64_t *seed) {
    return grow(tree, depth, seed);
}
