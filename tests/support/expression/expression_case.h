/* Random reductions with random expressions, and what they must return by C's rules: the reference is c_tree.h and
 * expression_fold.h, which share no code with the library. */
#ifndef TESTS_SUPPORT_EXPRESSION_CASE_H
#define TESTS_SUPPORT_EXPRESSION_CASE_H

#include "c_element.h"
#include "c_tree.h"
#include "jitreduce/reduce.h"

enum { CASE_ELEMENTS_MAX = 40, CASE_OPS_MAX = 4, CASE_PARAMETERS_MAX = 2, CASE_DEPTH = 4, CASE_ROUNDING = 2 };

/* Over what is reduced or scanned. */
typedef enum case_layout {
    CASE_FLAT,
    CASE_ROWS, /* equal segments of `length` */
    CASE_OFFSETS,
    CASE_KEYS,
    CASE_AXIS, /* the first of an array of `length` rows of `inner` columns */
    CASE_SCAN,
    CASE_SCAN_ROWS,
    CASE_LAYOUTS
} case_layout;

typedef struct expression_case {
    uint64_t seed;
    jr_spec spec;
    jr_op ops[CASE_OPS_MAX];
    int op_count; /* 1: spec.op */
    jr_parameter parameters[CASE_PARAMETERS_MAX];
    c_tree map, where, finish, combine;
    char map_text[C_TEXT_BYTES], where_text[C_TEXT_BYTES], finish_text[C_TEXT_BYTES], combine_text[C_TEXT_BYTES];
    double identity;       /* of combine */
    jr_type combined_type; /* of combine's value */

    jr_type types[JR_INPUTS_MAX];
    uint64_t data[JR_INPUTS_MAX][CASE_ELEMENTS_MAX]; /* elements, as they lie in memory */
    uint64_t count;
    case_layout layout;
    bool exclusive;
    uint64_t length, inner, segment_count;
    uint64_t offsets[CASE_ELEMENTS_MAX + 2];
    int32_t keys[CASE_ELEMENTS_MAX];
    uint64_t segment_of[CASE_ELEMENTS_MAX], index[CASE_ELEMENTS_MAX]; /* i */

    bool is_rounding; /* its trees may have functions that round, CASE_ROUNDING each */
    bool is_inexact;  /* one has: the types below are right, and no values */
    bool kept[CASE_ELEMENTS_MAX];
    jr_type mapped_type;
    c_number mapped[CASE_ELEMENTS_MAX];

    bool is_empty; /* some result has no value: JR_ERROR_EMPTY_INPUT */
    uint64_t result_count;
    jr_type result_types[CASE_OPS_MAX];
    c_number results[CASE_OPS_MAX][CASE_ELEMENTS_MAX + 1];
} expression_case;

/* Makes the case of a seed; what C or the order of operations leaves open is made again. */
void expression_case_make(uint64_t seed, expression_case *made);

/* Works the results out again, of a case whose trees are other ones now. False: they are not defined. */
bool expression_case_evaluate(expression_case *of);

/* How many expressions it has: map, where, finish, combine, identity. */
int expression_case_count(const expression_case *of);

void expression_case_copy(const expression_case *from, expression_case *to);

#endif
