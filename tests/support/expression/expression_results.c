/* What expression cases must return. */
#include <math.h>

#include "c_tree.h"
#include "expression_fold.h"
#include "expression_parts.h"
#include "support/fixtures/open_context.h"
#include "support/oracle/element.h"

enum { TRIES = 60 };

/* The elements of a segment before the element `end` make a result. */
typedef struct extent {
    uint64_t segment, end;
} extent;

static extent extent_of(const expression_case *of, uint64_t result) {
    if (!expression_case_scans(of)) return (extent){result, of->count};
    return (extent){of->segment_of[result], result + !of->exclusive};
}

/* n: elements that `where` leaves out, too. */
static uint64_t count_elements(const expression_case *of, extent which) {
    uint64_t count = 0;
    for (uint64_t i = 0; i < which.end; i++) count += of->segment_of[i] == which.segment;
    return count;
}

static bool ignores_nan(const expression_case *of) {
    return of->spec.nan == JR_NAN_IGNORE && element_is_float(of->mapped_type);
}

static uint64_t gather(const expression_case *of, extent which, bool numbers, c_number *values, uint64_t *indices) {
    uint64_t count = 0;
    for (uint64_t i = 0; i < which.end; i++) {
        if (of->segment_of[i] != which.segment || !of->kept[i]) continue;
        if (numbers && isnan(of->mapped[i].floating)) continue;
        values[count] = of->mapped[i];
        indices[count++] = of->index[i];
    }
    return count;
}

static bool fold_one(const expression_case *of, int op, extent which, c_number *result, c_notes *notes) {
    c_number values[CASE_ELEMENTS_MAX];
    uint64_t indices[CASE_ELEMENTS_MAX];
    const bool is_custom = of->ops[op] == JR_OP_CUSTOM;
    fold_values given = {.type = of->mapped_type, .values = values, .indices = indices, .ignores_nan = ignores_nan(of)};
    given.count = gather(of, which, is_custom && given.ignores_nan, values, indices);
    if (is_custom) {
        *result = expression_custom_fold(of, values, given.count, notes);
        return true;
    }
    for (uint64_t i = 0; i < given.count && given.count > 1; i++)
        notes->fusible |= (of->ops[op] == JR_OP_SUM || of->ops[op] == JR_OP_MEAN) && values[i].product;
    return fold_reduce(of->ops[op], &given, result, notes);
}

static bool fold_all(expression_case *of) {
    c_notes notes = {0};
    of->is_empty = false;
    for (int op = 0; op < of->op_count; op++)
        if (of->ops[op] != JR_OP_CUSTOM && !fold_takes(of->ops[op], of->mapped_type)) return false;
    for (int op = 0; op < of->op_count; op++)
        for (uint64_t r = 0; r < of->result_count; r++)
            if (!fold_one(of, op, extent_of(of, r), &of->results[op][r], &notes)) of->is_empty = true;
    return expression_case_allows(of, &notes);
}

/* ---- finish ---- */

/* The type of a before finish. */
static jr_type operator_type(const expression_case *of) {
    return of->ops[0] == JR_OP_CUSTOM ? expression_register_type(of->combined_type)
                                      : fold_result_type(of->ops[0], of->mapped_type);
}

/* The type that the results of an operator have where nothing says another one. */
static jr_type plain_type(const expression_case *of, int op) {
    return of->ops[op] == JR_OP_CUSTOM ? of->combined_type : fold_result_type(of->ops[op], of->mapped_type);
}

static bool evaluate_finish(expression_case *of) {
    c_notes notes = {0};
    of->finish.variables[0].type = c_element_type(operator_type(of));
    if (!c_tree_type_again(&of->finish)) return false;
    for (uint64_t r = 0; r < of->result_count; r++) {
        c_number values[C_VARIABLES_MAX] = {of->results[0][r],
                                            c_integer(C_LLONG, count_elements(of, extent_of(of, r)))};
        expression_put_parameters(of, values + 2);
        of->results[0][r] = c_tree_value(&of->finish, values, &notes);
    }
    of->result_types[0] = expression_value_type(of->finish.nodes[of->finish.root].type, plain_type(of, 0));
    return expression_case_allows(of, &notes);
}

bool expression_results_evaluate(expression_case *of) {
    if (of->spec.combine != NULL && !expression_custom_find_types(of)) return false;
    if (!fold_all(of)) return false;
    for (int op = 0; op < of->op_count; op++) of->result_types[op] = plain_type(of, op);
    if (of->spec.finish != NULL && (of->is_empty || !evaluate_finish(of))) return false;
    if (of->spec.result != JR_TYPE_NONE) of->result_types[0] = of->spec.result;
    for (int op = 0; op < of->op_count; op++)
        for (uint64_t r = 0; r < of->result_count && !of->is_empty; r++)
            of->results[op][r] = c_element_converted(of->result_types[op], of->results[op][r]);
    return true;
}

/* ---- making ---- */

static bool make_finish(expression_case *of, uint64_t *seed) {
    if (of->is_empty || random_below(seed, 8) == 0) return true;
    of->spec.finish = of->finish_text;
    for (int tries = 0; tries < TRIES; tries++) {
        of->finish = (c_tree){.rounding_left = of->is_rounding ? CASE_ROUNDING : 0};
        expression_add_variable(&of->finish, "a", c_element_type(operator_type(of)));
        expression_add_variable(&of->finish, "n", C_LLONG);
        expression_add_parameters(of, &of->finish);
        c_random_tree(&of->finish, CASE_DEPTH, seed);
        if (!expression_results_evaluate(of)) continue;
        c_tree_print(&of->finish, random_bits(seed), of->finish_text);
        return true;
    }
    return false;
}

/* A mean is rounded once, into whatever type: only into its own it is the reference's. */
static void choose_result(expression_case *of, uint64_t *seed) {
    if (random_below(seed, 8) > 0 || (of->ops[0] == JR_OP_MEAN && of->spec.finish == NULL)) return;
    if (of->ops[0] == JR_OP_CUSTOM && of->spec.finish == NULL) return;
    of->spec.result = expression_random_type(seed);
}

static bool leaves_out_nan(const expression_case *of) {
    bool found = false;
    for (uint64_t i = 0; i < of->count; i++) found |= of->kept[i] && isnan(of->mapped[i].floating);
    return found && ignores_nan(of);
}

bool expression_results_make(expression_case *of, uint64_t *seed) {
    if (random_below(seed, 4) >= (leaves_out_nan(of) ? 3 : 1))
        expression_data_choose_ops(of, seed);
    else if (!expression_custom_make(of, seed))
        return false;
    if (!expression_results_evaluate(of)) return false;
    if (of->op_count > 1) return true;
    if (!make_finish(of, seed)) return false;
    choose_result(of, seed);
    return true;
}
