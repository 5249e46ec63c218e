/* Custom operators of expression cases: known associative ones over any segments, and random expressions of two
 * elements over segments of no more than two. */
#include <math.h>
#include <string.h>

#include "c_tree.h"
#include "expression_parts.h"
#include "support/fixtures/open_context.h"
#include "support/oracle/element.h"

/* An operator: "a SIGN b", or "OF == identity ? THEN : ELSE". */
typedef struct known {
    char sign;
    const char *identity;
    bool commutative, floats;
} known;

static const known knowns[] = {
    {'+', "0", true, false},  {'*', "1u", true, false},     {'^', "0", true, false},    {'|', "0x0", true, false},
    {'f', "99", false, true}, {'b', "9 * 11", false, true}, {'>', "-1000", true, true}, {'m', "-1000.f", true, true},
};
static const char *const neutral[] = {"99", "99.0", "9 * 11", "0x63", "99u", "99.f"};

static int add(c_tree *tree, c_node_kind kind, char sign, int left, int right) {
    return c_tree_add(tree, (c_node){.kind = kind, .sign = sign, .operands = {left, right}});
}
static int add_choice(c_tree *tree, int condition, int first, int second) {
    return c_tree_add(tree, (c_node){.kind = C_CHOICE, .operands = {condition, first, second}});
}
static int add_variable(c_tree *tree, int number) {
    return c_tree_add(tree, (c_node){.kind = C_VARIABLE, .number = number});
}
/* Is the variable the identity, 99? */
static int add_is_neutral(c_tree *tree, int number) {
    const int variable = add_variable(tree, number);
    const int identity = c_tree_add(tree, (c_node){.kind = C_LITERAL, .value = c_integer(C_INT, 99), .text = "99"});
    return add(tree, C_BINARY, '=', variable, identity);
}

static int add_max(c_tree *tree, int a, int b) {
    for (int i = 0; i < c_function_count(false); i++)
        if (c_function_at(i)->name[0] == 'm' && c_function_at(i)->name[1] == 'a')
            return c_tree_add(tree, (c_node){.kind = C_CALL, .function = c_function_at(i), .operands = {a, b}});
    fail_msg("no max");
    return 0;
}

static void make_known(const known *row, c_tree *tree) {
    const int a = add_variable(tree, 0), b = add_variable(tree, 1);
    switch (row->sign) {
    case 'f': add_choice(tree, add_is_neutral(tree, 0), b, a); break;
    case 'b': add_choice(tree, add_is_neutral(tree, 1), a, b); break;
    case '>': add_choice(tree, add(tree, C_BINARY, '>', a, b), a, b); break;
    case 'm': add_max(tree, a, b); break;
    default: add(tree, C_BINARY, row->sign, a, b); break;
    }
}

static void make_random(c_tree *tree, uint64_t *seed) {
    const int inner = c_random_tree(tree, CASE_DEPTH, seed);
    const int first = add_is_neutral(tree, 0), b = add_variable(tree, 1);
    const int second = add_choice(tree, first, b, inner);
    const int last = add_is_neutral(tree, 1), a = add_variable(tree, 0);
    add_choice(tree, last, a, second);
}

static uint64_t longest_segment(const expression_case *of) {
    uint64_t counts[CASE_ELEMENTS_MAX] = {0}, most = 0;
    for (uint64_t i = 0; i < of->count; i++) {
        const uint64_t now = of->kept[i] ? ++counts[of->segment_of[i]] : 0;
        if (now > most) most = now;
    }
    return most;
}

static void begin_tree(expression_case *of, c_type type) {
    of->combine = (c_tree){.rounding_left = of->is_rounding ? CASE_ROUNDING : 0};
    expression_add_variable(&of->combine, "a", type);
    expression_add_variable(&of->combine, "b", type);
    expression_add_parameters(of, &of->combine);
}

/* For unsigned numbers -1000 would be a large number, and 0 is the identity of max. */
static void name_identity(expression_case *of, const known *row, uint64_t *seed) {
    const bool is_max = row != NULL && (row->sign == '>' || row->sign == 'm');
    const c_type type = c_element_type(expression_register_type(of->combined_type));
    if (is_max && !c_is_float(type) && !c_is_signed(type)) {
        of->identity = 0;
        of->spec.identity = "0";
        return;
    }
    of->identity = row == NULL || strstr("fb", (char[]){row->sign, '\0'}) != NULL ? 99
                   : is_max                                                       ? -1000
                                                                                  : row->sign == '*';
    of->spec.identity = row == NULL ? neutral[random_below(seed, sizeof neutral / sizeof neutral[0])] : row->identity;
}

bool expression_custom_find_types(expression_case *of) {
    const c_type element = c_element_type(expression_register_type(of->mapped_type));
    of->combine.variables[0].type = of->combine.variables[1].type = element;
    if (!c_tree_type_again(&of->combine)) return false;
    of->combined_type = expression_value_type(of->combine.nodes[of->combine.root].type, of->mapped_type);
    const c_type type = c_element_type(expression_register_type(of->combined_type));
    of->combine.variables[0].type = of->combine.variables[1].type = type;
    return c_tree_type_again(&of->combine);
}

bool expression_custom_make(expression_case *of, uint64_t *seed) {
    const c_type type = c_element_type(expression_register_type(of->mapped_type));
    const known *row = &knowns[random_below(seed, sizeof knowns / sizeof knowns[0])];
    if (longest_segment(of) <= 2 && random_below(seed, 4) > 0) row = NULL;
    if (row != NULL && c_is_float(type) && !row->floats) return false;
    begin_tree(of, type);
    if (row == NULL)
        make_random(&of->combine, seed);
    else
        make_known(row, &of->combine);
    if (!expression_custom_find_types(of)) return false;
    of->spec.op = of->ops[0] = JR_OP_CUSTOM;
    of->op_count = 1;
    name_identity(of, row, seed);
    of->spec.commutative = row != NULL && row->commutative && random_below(seed, 2) == 0;
    c_tree_print(&of->combine, random_bits(seed), of->combine_text);
    of->spec.combine = of->combine_text;
    return true;
}

static c_number combined(const expression_case *of, c_number a, c_number b, c_notes *notes) {
    c_number values[C_VARIABLES_MAX] = {a, b};
    expression_put_parameters(of, values + 2);
    return c_element_converted(expression_register_type(of->combined_type), c_tree_value(&of->combine, values, notes));
}

/* The identity must change nothing, before and after; else there is no one value. */
static void check_neutral(const expression_case *of, c_number value, c_number identity, c_notes *notes) {
    if (!c_element_equal(combined(of, identity, value, notes), value) ||
        !c_element_equal(combined(of, value, identity, notes), value))
        notes->undefined = true;
}

/* From the left; from the right it must be the same. */
c_number expression_custom_fold(const expression_case *of, const c_number *values, uint64_t count, c_notes *notes) {
    const jr_type type = expression_register_type(of->combined_type);
    c_number left = c_element_converted(type, c_floating(C_DOUBLE, of->identity)), right = left;
    const c_number identity = left;
    check_neutral(of, identity, identity, notes);
    for (uint64_t i = 0; i < count; i++) {
        const c_number value = c_element_converted(type, values[i]);
        check_neutral(of, value, identity, notes);
        left = i == 0 ? value : combined(of, left, value, notes);
        check_neutral(of, left, identity, notes);
    }
    for (uint64_t i = count; i-- > 0;) {
        const c_number value = c_element_converted(type, values[i]);
        right = i == count - 1 ? value : combined(of, value, right, notes);
    }
    if (!c_element_equal(left, right)) notes->undefined = true;
    return left;
}
