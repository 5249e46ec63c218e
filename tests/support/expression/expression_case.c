/* Makes random cases, part by part, and each part again until it is defined. */
#include "expression_case.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "c_tree.h"
#include "expression_parts.h"
#include "support/fixtures/open_context.h"
#include "support/oracle/element.h"

enum { TRIES = 60, ROUNDING_OF = 16 };

static void begin_item_tree(const expression_case *of, c_tree *tree) {
    static const char *const names[] = {"x", "y", "z", "w"};
    *tree = (c_tree){.rounding_left = of->is_rounding ? CASE_ROUNDING : 0};
    for (int i = 0; i < of->spec.input_count; i++)
        expression_add_variable(tree, names[i], c_element_type(of->types[i]));
    expression_add_variable(tree, "i", C_LLONG);
    expression_add_parameters(of, tree);
}

static c_number item_value(const expression_case *of, const c_tree *tree, uint64_t element, c_notes *notes) {
    c_number values[C_VARIABLES_MAX];
    const int inputs = of->spec.input_count;
    for (int i = 0; i < inputs; i++) values[i] = c_element_read(of->types[i], of->data[i], element);
    values[inputs] = c_integer(C_LLONG, of->index[element]);
    expression_put_parameters(of, values + inputs + 1);
    return c_tree_value(tree, values, notes);
}

/* ---- where, map ---- */

/* Expressions round as C has it in reproducible reductions only, which not every layout has. */
static bool may_round_apart(const expression_case *of) {
    return !expression_case_scans(of) && of->layout != CASE_KEYS;
}

/* May such notes be? A sum that may be fused asks for a reproducible reduction. */
bool expression_case_allows(expression_case *of, const c_notes *notes) {
    if (notes->undefined || (notes->fusible && !may_round_apart(of))) return false;
    if (notes->fusible) of->spec.accuracy = JR_ACCURACY_REPRODUCIBLE;
    of->is_inexact |= notes->inexact;
    return true;
}

static bool evaluate_where(expression_case *of) {
    c_notes notes = {0};
    for (uint64_t i = 0; i < of->count; i++)
        of->kept[i] = of->spec.where == NULL || c_is_true(item_value(of, &of->where, i, &notes));
    return expression_case_allows(of, &notes);
}

/* It is unspecified whether a NaN that becomes an integer is skipped. */
static bool is_unclear(const expression_case *of, c_number given) {
    return of->spec.nan == JR_NAN_IGNORE && c_is_float(given.type) && isnan(given.floating) &&
           !element_is_float(of->mapped_type);
}

/* The map's value for a skipped element does not matter. */
static bool evaluate_map(expression_case *of) {
    c_notes notes = {0};
    of->mapped_type = of->spec.map == NULL ? of->types[0]
                      : of->spec.map_type != JR_TYPE_NONE
                          ? of->spec.map_type
                          : expression_map_type(of->map.nodes[of->map.root].type, of->types, of->spec.input_count);
    for (uint64_t i = 0; i < of->count; i++) {
        c_notes none = {0}, *own = of->kept[i] ? &notes : &none;
        const c_number given =
            of->spec.map != NULL ? item_value(of, &of->map, i, own) : c_element_read(of->types[0], of->data[0], i);
        of->mapped[i] = c_element_converted(of->mapped_type, given);
        own->undefined |= is_unclear(of, given);
    }
    return expression_case_allows(of, &notes);
}

bool expression_case_evaluate(expression_case *of) {
    of->spec.accuracy = JR_ACCURACY_FAST;
    of->is_inexact = false;
    return evaluate_where(of) && evaluate_map(of) && expression_results_evaluate(of);
}

/* ---- making ---- */

/* Random trees until one is defined for all elements. */
static bool grow_item_tree(expression_case *of, c_tree *tree, bool (*evaluate)(expression_case *), uint64_t *seed) {
    for (int tries = 0; tries < TRIES; tries++) {
        begin_item_tree(of, tree);
        c_random_tree(tree, CASE_DEPTH, seed);
        if (c_tree_type_again(tree) && evaluate(of)) return true;
    }
    return false;
}

static bool make_where(expression_case *of, uint64_t *seed) {
    if (random_below(seed, 5) == 0) return evaluate_where(of);
    of->spec.where = of->where_text;
    if (!grow_item_tree(of, &of->where, evaluate_where, seed)) return false;
    c_tree_print(&of->where, random_bits(seed), of->where_text);
    return true;
}

static bool make_map(expression_case *of, uint64_t *seed) {
    if (random_below(seed, 8) < (of->spec.nan == JR_NAN_IGNORE ? 3 : 1)) return evaluate_map(of);
    of->spec.map = of->map_text;
    if (random_below(seed, 8) == 0) of->spec.map_type = expression_random_type(seed);
    if (!grow_item_tree(of, &of->map, evaluate_map, seed)) return false;
    c_tree_print(&of->map, random_bits(seed), of->map_text);
    return true;
}

static bool try_case(uint64_t seed, expression_case *made) {
    uint64_t own = seed;
    memset(made, 0, sizeof *made);
    made->is_rounding = random_below(&own, ROUNDING_OF) == 0;
    expression_data_make(made, &own);
    if (!make_where(made, &own) || !make_map(made, &own) || !expression_results_make(made, &own)) return false;
    if (!expression_case_evaluate(made)) return false;
    if (expression_case_count(made) == 0) return false; /* several inputs that nothing uses are refused */
    return !made->is_empty || random_below(&own, 4) == 0;
}

void expression_case_make(uint64_t seed, expression_case *made) {
    uint64_t tries = seed;
    while (!try_case(tries, made)) (void)random_bits(&tries);
    made->seed = seed;
}

/* ---- asking ---- */

bool expression_case_scans(const expression_case *of) {
    return of->layout == CASE_SCAN || of->layout == CASE_SCAN_ROWS;
}

int expression_case_count(const expression_case *of) {
    return (of->spec.map != NULL) + (of->spec.where != NULL) + (of->spec.finish != NULL) +
           2 * (of->spec.combine != NULL);
}

void expression_case_copy(const expression_case *from, expression_case *to) {
    *to = *from;
    if (from->spec.map != NULL) to->spec.map = to->map_text;
    if (from->spec.where != NULL) to->spec.where = to->where_text;
    if (from->spec.finish != NULL) to->spec.finish = to->finish_text;
    if (from->spec.combine != NULL) to->spec.combine = to->combine_text;
    if (from->spec.ops != NULL) to->spec.ops = to->ops;
    to->spec.parameters = to->parameters;
}
