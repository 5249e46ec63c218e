/* The values of expressions. */
#include "c_tree.h"

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
