/* The reduction: a spec after its one check, with every type and size that follows from it, and the operator's name in
 * the kernels' text. It owns all its data, and does not change once it is made: later steps read it instead of the
 * caller's spec.
 */
#ifndef JR_SPEC_REDUCTION_H
#define JR_SPEC_REDUCTION_H

#include <stdbool.h>

#include "reduction_part.h"

enum { JR_OPERATOR_TEXT_BYTES = 1280 };

/* One result as it lies in device memory. */
typedef struct jr_output {
    jr_type type;
    size_t bytes, offset;
} jr_output;

typedef struct jr_reduction {
    jr_spec spec; /* the caller's, with map_type filled in; all that it points to is the reduction's own copy */
    int owners;   /* changed atomically */
    int input_count, output_count;
    jr_input inputs[JR_INPUTS_MAX];
    jr_type before[JR_OPS_MAX];            /* the types of the operators' results before finish */
    jr_type accumulators[JR_OPS_MAX];      /* of numbers, in which they accumulate */
    jr_type totals[JR_OPS_MAX];            /* with spec.apply: the types of the operators' results, which it is given */
    int total_count;                       /* then; the only output is the value of an element */
    size_t total_bytes, total_alignment;   /* then, of all those results together; else output_... */
    jr_output outputs[JR_OPS_MAX];         /* of the operators, and the count of kept elements when the spec asks */
    size_t output_bytes, output_alignment; /* of all results together */
    size_t kept_offset;                    /* where the count of kept elements belongs; 0: it is not counted */
    int empty_output;   /* an index that is -1 if nothing was kept, so that no count is needed; -1: none */
    size_t place_bytes; /* of all results and that count, aligned to JR_RESULT_STRIDE if counted */
    size_t accumulator_bytes;
    jr_op empty_op; /* an operator that has no value for an empty input, nor an initial one; JR_OP_NONE: none */
    bool commutative;
    bool skips_nan;   /* elements that are NaN are not given to the operator */
    bool adds_floats; /* the only result is a sum or mean of floats, and no element is skipped */
    bool adds_alike;  /* the only result is a number of 4 or 8 bytes, states are such numbers, and are added */
    bool tree;        /* folded by the fixed tree of JR_ACCURACY_REPRODUCIBLE: a result depends on the order */
    jr_type summand;  /* the only result is an exact sum that does not need to count kept elements; this is the type of
                       * what is added per element; else JR_TYPE_NONE */
    jr_exact_sum sums[JR_OPS_MAX * JR_PART_SUMS_MAX]; /* all that is accumulated, where that is exact sums alone */
    int sum_count;                                    /* else 0 */
    bool has_expressions;
    jr_value_rest map_rest, combine_rest, finish_rest; /* what of their values types rest on */
    bool sees_index;           /* which number an element has matters: an index is the result, or in an expression */
    size_t expressions_weight; /* of all together (expression.h) */
    unsigned operator_files;   /* those needed: JR_OPERATORS_... */
    const char *word;          /* the name of the only operator where reduce/words.cuh has it; or NULL */
    char mapped_name[JR_TYPE_TEXT_BYTES];       /* what the operator is given */
    char accumulator_name[JR_TYPE_TEXT_BYTES];  /* of a single number or struct; "" otherwise */
    char initial_name[JR_TYPE_TEXT_BYTES];      /* of the initial value */
    char result_name[JR_TYPE_TEXT_BYTES];       /* of the first result */
    char operator_text[JR_OPERATOR_TEXT_BYTES]; /* "jr_both<jr_min<float, float, float>, ...>" */
} jr_reduction;

/* Checks every member of a spec (known operators and types, ranges, expressions, the type of the initial value) and
 * derives the reduction. reduction: written on success; has one owner. Errors: JR_ERROR_INVALID_ARGUMENT,
 * JR_ERROR_UNSUPPORTED_TYPE, JR_ERROR_INVALID_EXPRESSION, each naming the value and what is allowed;
 * JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_reduction_create(const jr_spec *spec, jr_reduction **reduction);

/* Whether a spec is right and of a fixed tree; and its results depend on where elements stand. */
bool jr_reduction_is_tree(const jr_spec *spec);
bool jr_reduction_is_placed(const jr_spec *spec);

/* Adds an owner; returns the same reduction. */
jr_reduction *jr_reduction_share(jr_reduction *reduction);

/* An owner is done with it; the last one frees it. NULL is fine. */
void jr_reduction_destroy(jr_reduction *reduction);

/* Fails when an empty input has no value. Errors: JR_ERROR_EMPTY_INPUT. */
jr_status jr_reduction_check_empty(const jr_reduction *reduction);

/* Does so for an input with elements, none of which `where` and `nan` keep. */
jr_status jr_reduction_check_kept(const jr_reduction *reduction);

/* Does so for the result of a segment; with spec.kept the count of each says whether it has a value. */
jr_status jr_reduction_check_empty_of_many(const jr_reduction *reduction, uint64_t segment);

#endif
