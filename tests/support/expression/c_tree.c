/* The values of expressions. */
#include "c_tree.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "support/fixtures/open_context.h"

static int operands_of(const c_node *node) {
    if (node->kind == C_CALL) return node->function->arguments;
    if (node->kind == C_CHOICE) return 3;
    return node->kind == C_BINARY ? 2 : node->kind == C_UNARY || node->kind == C_CAST;
}

static c_type type_of(const c_tree *tree, const c_node *node) {
    c_type given[C_ARGUMENTS_MAX] = {C_INT, C_INT, C_INT};
    for (int i = 0; i < operands_of(node); i++) given[i] = tree->nodes[node->operands[i]].type;
    switch (node->kind) {
    case C_VARIABLE: return tree->variables[node->number].type;
    case C_LITERAL: return node->value.type;
    case C_UNARY: return node->sign == '!' ? C_BOOL : c_promoted(given[0]);
    case C_CHOICE: return given[1] == given[2] ? given[1] : c_common(given[1], given[2]);
    case C_CALL: return c_function_type(node->function, node->single, given);
    case C_CAST: return node->type;
    case C_BINARY: break;
    }
    return node->sign == 'a' || node->sign == 'o' ? C_BOOL : c_binary_type(node->sign, given[0], given[1]);
}

int c_tree_add(c_tree *tree, c_node node) {
    assert_in_range(tree->node_count, 0, C_NODES_MAX - 1);
    node.type = type_of(tree, &node);
    tree->nodes[tree->node_count] = node;
    tree->root = tree->node_count;
    return tree->node_count++;
}

bool c_tree_is_truth(const c_tree *tree, int number) {
    const c_node *node = &tree->nodes[number];
    const int *of = node->operands;
    const bool masks = node->kind == C_BINARY && strchr("&|^", node->sign) != NULL;
    if (node->kind == C_VARIABLE) return node->type == C_INT; /* elements of type bool, too, are int */
    if (masks) return c_tree_is_truth(tree, of[0]) && c_tree_is_truth(tree, of[1]);
    if (node->kind == C_CHOICE) return c_tree_is_truth(tree, of[1]) && c_tree_is_truth(tree, of[2]);
    return node->type == C_BOOL;
}

bool c_tree_is_constant(const c_tree *tree, int number) {
    const c_node *node = &tree->nodes[number];
    bool constant = node->kind != C_VARIABLE && node->type != C_BOOL;
    for (int i = 0; i < operands_of(node); i++) constant = constant && c_tree_is_constant(tree, node->operands[i]);
    return constant;
}

static c_number value_at(const c_tree *tree, int number, const c_number *values, c_notes *notes);

/* Whole numbers without a variable whose value C does not define: 2147483647 + 1. */
static bool overflows(const c_tree *tree, int number) {
    c_notes notes = {0};
    if (c_is_float(tree->nodes[number].type) || !c_tree_is_constant(tree, number)) return false;
    (void)value_at(tree, number, NULL, &notes);
    return notes.undefined;
}

static bool is_slip(const c_tree *tree, int number) {
    const c_node *node = &tree->nodes[number];
    const bool joins = node->kind == C_BINARY && (node->sign == 'a' || node->sign == 'o');
    if (node->kind == C_UNARY && node->sign == '~' && c_tree_is_truth(tree, node->operands[0])) return true;
    if (overflows(tree, number)) return true;
    return joins && (c_tree_is_constant(tree, node->operands[0]) || c_tree_is_constant(tree, node->operands[1]));
}

static bool is_c(const c_tree *tree, const c_node *node) {
    const bool one = node->kind == C_UNARY && node->sign == '~';
    const bool two = node->kind == C_BINARY && strchr("%&|^LR", node->sign) != NULL;
    const bool size = node->kind == C_CALL && node->function->form == C_OF_SIZE;
    const c_type first = tree->nodes[node->operands[0]].type, second = tree->nodes[node->operands[1]].type;
    if (size) return c_is_signed(c_promoted(first));
    return !((one || two) && c_is_float(first)) && !(two && c_is_float(second));
}

bool c_tree_type_again(c_tree *tree) {
    bool valid = true;
    for (int i = 0; i < tree->node_count; i++) {
        tree->nodes[i].type = type_of(tree, &tree->nodes[i]);
        valid = valid && is_c(tree, &tree->nodes[i]) && !is_slip(tree, i);
    }
    return valid;
}

static c_number value_of_binary(const c_tree *tree, const c_node *node, const c_number *values, c_notes *notes) {
    const c_number left = value_at(tree, node->operands[0], values, notes);
    if (node->sign == 'a' || node->sign == 'o') {
        if (c_is_true(left) == (node->sign == 'o')) return c_integer(C_BOOL, node->sign == 'o');
        return c_integer(C_BOOL, c_is_true(value_at(tree, node->operands[1], values, notes)));
    }
    const c_number right = value_at(tree, node->operands[1], values, notes);
    return c_binary(node->sign, left, right, notes);
}

static c_number value_of_call(const c_tree *tree, const c_node *node, const c_number *values, c_notes *notes) {
    c_number given[C_ARGUMENTS_MAX];
    for (int i = 0; i < node->function->arguments; i++) given[i] = value_at(tree, node->operands[i], values, notes);
    return c_function_call(node->function, node->single, given, notes);
}

/* Recursive: trees are shallow (C_NODES_MAX). */
static c_number value_at(const c_tree *tree, int number, const c_number *values, c_notes *notes) {
    const c_node *node = &tree->nodes[number];
    switch (node->kind) {
    case C_VARIABLE: return values[node->number];
    case C_LITERAL: return node->value;
    case C_UNARY: return c_unary(node->sign, value_at(tree, node->operands[0], values, notes), notes);
    case C_CAST: return c_converted(value_at(tree, node->operands[0], values, notes), node->type, notes);
    case C_CALL: return value_of_call(tree, node, values, notes);
    case C_BINARY: return value_of_binary(tree, node, values, notes);
    case C_CHOICE: break;
    }
    const bool first = c_is_true(value_at(tree, node->operands[0], values, notes));
    return c_converted(value_at(tree, node->operands[first ? 1 : 2], values, notes), node->type, notes);
}

c_number c_tree_value(const c_tree *tree, const c_number *values, c_notes *notes) {
    const c_number value = value_at(tree, tree->root, values, notes);
    assert_int_equal(value.type, tree->nodes[tree->root].type);
    return value;
}

/* How expressions are written: in C's grammar, with as few brackets as it allows, or more. */
typedef struct printer {
    const c_tree *tree;
    uint64_t seed;
    char *text;
    size_t length;
} printer;

static const struct {
    char sign;
    const char *spelled;
    int level; /* C's levels of binding, the loosest 1 */
} binaries[] = {{'o', "||", 4},  {'a', "&&", 5}, {'|', "|", 6},  {'^', "^", 7},   {'&', "&", 8},   {'=', "==", 9},
                {'n', "!=", 9},  {'<', "<", 10}, {'>', ">", 10}, {'l', "<=", 10}, {'g', ">=", 10}, {'L', "<<", 11},
                {'R', ">>", 11}, {'+', "+", 12}, {'-', "-", 12}, {'*', "*", 13},  {'/', "/", 13},  {'%', "%", 13}};
enum {
    CHOICE = 3,
    ASSIGNS = 2,
    MASKS = 6,
    EQUAL = 9,
    ORDER = 10,
    PREFIX = 14,
    PRIMARY = 16,
    BLANKS_OF_8 = 2,
    BRACKETS_OF_16 = 2
};

static int row_of(char sign) {
    for (size_t i = 0; i < sizeof binaries / sizeof binaries[0]; i++)
        if (binaries[i].sign == sign) return (int)i;
    fail_msg("no operator %c", sign);
    return 0;
}

static bool happens(printer *to, uint64_t of, uint64_t times) {
    return to->seed != 0 && random_below(&to->seed, of) < times;
}

/* A blank where two signs would become another one ("- -x", "a & &b"), or two words one; else now and then. */
static void put(printer *to, const char *word) {
    const char last = to->length > 0 ? to->text[to->length - 1] : ' ';
    const bool words = strchr("()!~,?: ", last) == NULL && strchr("()!~,?:", *word) == NULL;
    const bool joined = words && ((strchr("+-*/%&|^<>=", last) != NULL) == (strchr("+-*/%&|^<>=", *word) != NULL));
    const char *blank = joined ? " " : happens(to, 8, BLANKS_OF_8) ? " " : "";
    const int added = snprintf(to->text + to->length, C_TEXT_BYTES - to->length, "%s%s", blank, word);
    to->length += (size_t)added;
    assert_in_range(to->length, 0, C_TEXT_BYTES - 1);
}

static int level_of(const c_node *node) {
    if (node->kind == C_CHOICE) return CHOICE;
    if (node->kind == C_BINARY) return binaries[row_of(node->sign)].level;
    return node->kind == C_UNARY || (node->kind == C_CAST && node->number == 0) ? PREFIX : PRIMARY;
}

static void print_at(printer *to, int number, int least);

static void print_call(printer *to, const c_node *node) {
    char name[24];
    snprintf(name, sizeof name, "%s%s", node->function->name, node->single ? "f" : "");
    put(to, name);
    put(to, "(");
    for (int i = 0; i < node->function->arguments; i++) {
        if (i > 0) put(to, ",");
        print_at(to, node->operands[i], ASSIGNS);
    }
    put(to, ")");
    if (node->function->member != '\0') put(to, (char[]){'.', node->function->member, '\0'});
}

/* 0: (type)x; 1: type(x), of a single word; 2: static_cast<type>(x). (signed(bool(x))) would be the type of a function.
 */
static void print_cast(printer *to, const c_node *node) {
    const c_node *operand = &to->tree->nodes[node->operands[0]];
    const int form = node->number == 1 && operand->kind == C_CAST && operand->number == 1 ? 2 : node->number;
    char opening[40];
    snprintf(opening, sizeof opening,
             form == 0   ? "(%s)"
             : form == 1 ? "%s"
                         : "static_cast<%s>",
             node->sign == 's' ? c_type_other_name(node->type) : c_type_name(node->type));
    put(to, opening);
    if (form > 0) put(to, "(");
    print_at(to, node->operands[0], form > 0 ? ASSIGNS : PREFIX);
    if (form > 0) put(to, ")");
}

/* A comparison stands in brackets where it is compared or masked, and so does ! before a comparison: what is left
 * without them is refused as a slip. */
static int least_of(const printer *to, int operand, int level) {
    const c_node *node = &to->tree->nodes[operand];
    const bool compares = level == EQUAL || level == ORDER, masks = level >= MASKS && level < EQUAL;
    const int own = level_of(node);
    if (compares && node->kind == C_UNARY && node->sign == '!') return PRIMARY;
    return (compares || masks) && (own == EQUAL || own == ORDER) ? ORDER + 1 : level;
}

static void print_binary(printer *to, const c_node *node) {
    const int row = row_of(node->sign), level = binaries[row].level;
    const int first = least_of(to, node->operands[0], level), second = least_of(to, node->operands[1], level);
    print_at(to, node->operands[0], first);
    put(to, binaries[row].spelled);
    print_at(to, node->operands[1], second > level + 1 ? second : level + 1);
}

static void print_choice(printer *to, const c_node *node) {
    print_at(to, node->operands[0], CHOICE + 1);
    put(to, "?");
    print_at(to, node->operands[1], 1);
    put(to, ":");
    print_at(to, node->operands[2], CHOICE);
}

static void print_bare(printer *to, const c_node *node) {
    const char sign[2] = {node->sign, '\0'};
    switch (node->kind) {
    case C_VARIABLE: put(to, to->tree->variables[node->number].name); break;
    case C_LITERAL: put(to, node->text); break;
    case C_CALL: print_call(to, node); break;
    case C_CAST: print_cast(to, node); break;
    case C_BINARY: print_binary(to, node); break;
    case C_CHOICE: print_choice(to, node); break;
    case C_UNARY:
        put(to, sign);
        print_at(to, node->operands[0], PREFIX);
        break;
    }
}

/* In brackets where it binds looser than its place asks. */
static void print_at(printer *to, int number, int least) {
    const c_node *node = &to->tree->nodes[number];
    const bool brackets = level_of(node) < least || happens(to, 16, BRACKETS_OF_16);
    if (brackets) put(to, "(");
    print_bare(to, node);
    if (brackets) put(to, ")");
}

void c_tree_print(const c_tree *tree, uint64_t seed, char text[C_TEXT_BYTES]) {
    printer to = {.tree = tree, .seed = seed, .text = text};
    *text = '\0';
    print_at(&to, tree->root, 1);
}
