/* Works out operators. */
#include "reduction_part.h"

#include <math.h>
#include <stdio.h>

#include "abi.h"
#include "base/error.h"

static bool is_number_type(jr_type type) {
    const jr_dtype *row = jr_dtype_find(type);
    return row != NULL && jr_dtype_value_type(row) == type;
}

/* True if spec.accumulate may set the type in which the operator accumulates. */
static bool takes_accumulate(const jr_operator *row) {
    return jr_operator_is(row, JR_OPERATOR_ASKS) || jr_operator_is(row, JR_OPERATOR_ASKS_FLOAT);
}

static jr_status check_types(const jr_spec *spec, const jr_operator *row) {
    if (spec->accumulate == JR_STRUCT)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "spec.accumulate is JR_STRUCT: leave it 0; structs are accumulated as they are");
    if (spec->accumulate != JR_TYPE_NONE && !is_number_type(spec->accumulate))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "accumulate type %s is not one of i32 u32 i64 u64 f32 f64",
                       jr_dtype_find(spec->accumulate) != NULL ? jr_dtype_find(spec->accumulate)->name : "?");
    if (spec->accumulate != JR_TYPE_NONE && spec->op_count == 0 && !takes_accumulate(row))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "operator %s does not accumulate in a type that can be chosen: leave accumulate out", row->name);
    if (spec->accumulate != JR_TYPE_NONE && jr_operator_is(row, JR_OPERATOR_ASKS_FLOAT) &&
        !jr_dtype_is_float(jr_dtype_find(spec->accumulate)))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "operator %s accumulates in f32 or f64, not in %s", row->name,
                       jr_dtype_find(spec->accumulate)->name);
    if (spec->result == JR_STRUCT)
        return jr_fail(
            JR_ERROR_INVALID_ARGUMENT,
            "spec.result is JR_STRUCT: leave it 0; a struct is the result where spec.type or spec.map_type is "
            "one, without finish");
    if (spec->result != JR_TYPE_NONE && jr_dtype_find(spec->result) == NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "unknown result type %d: set spec.result to a jr_type, or to 0",
                       (int)spec->result);
    return JR_OK;
}

/* The name of the result's type: with `finish`, of the promoted type that the expression sees as the result. */
static const char *result_text(const jr_spec *spec, jr_type type) {
    const jr_dtype *row = jr_dtype_find(type);
    return spec->finish != NULL ? jr_dtype_find(jr_dtype_promoted(row))->c_name : row->c_name;
}

/* Sets the types of the result and of an initial value. before: the type of the result before `finish`. */
static void find_result(const jr_spec *spec, jr_type before, jr_reduction_part *part) {
    part->result = spec->result != JR_TYPE_NONE ? spec->result : before;
    part->initial = spec->finish != NULL ? before : part->result;
    if (spec->finish == NULL || spec->result != JR_TYPE_NONE) return;
    const jr_value_type value = jr_value_type_of_finish(spec, before);
    part->result = value.type;
    part->finish_rest = value.rest;
}

/* Whether the result needs the count of elements: to divide by it, or as a sum of floats, which is +0 of nothing. */
static bool needs_count(const jr_operator *row, const jr_dtype *number) {
    return jr_operator_is(row, JR_OPERATOR_DIVIDES) ||
           (jr_operator_is(row, JR_OPERATOR_ADDS) && jr_dtype_is_float(number));
}

/* The type in which an operator accumulates, JR_TYPE_NONE: the operator's default. If the spec does not set it, a sum
 * or product whose result is an integer of at most 32 bits accumulates in 32 bits: these equal the lowest of 64 bits.
 */
static jr_type accumulate_type(const jr_spec *spec, const jr_operator *row, const jr_dtype *mapped) {
    const jr_dtype *result = jr_dtype_find(spec->result);
    if (!takes_accumulate(row)) return JR_TYPE_NONE;
    if (spec->accumulate != JR_TYPE_NONE || row->accumulates != JR_ACCUMULATES_SUM || jr_dtype_is_float(mapped))
        return spec->accumulate;
    const bool narrow = result != NULL && spec->finish == NULL && result->bytes <= 4 &&
                        (result->class == JR_CLASS_SIGNED || result->class == JR_CLASS_UNSIGNED);
    return !narrow ? JR_TYPE_NONE : result->class == JR_CLASS_SIGNED ? JR_I32 : JR_U32;
}

bool jr_reduction_ignores_nan(const jr_spec *spec, const jr_dtype *mapped) {
    return spec->nan == JR_NAN_IGNORE && mapped != NULL && jr_dtype_is_float(mapped);
}

/* An operator that counts must count the kept elements if some are skipped. */
static bool leaves_out(const jr_spec *spec, const jr_dtype *mapped) {
    return spec->where != NULL || jr_reduction_ignores_nan(spec, mapped);
}

/* ---- exact sums ---- */

/* True if the operator without its exact form rounds only once, into the result, or never. */
static bool is_exact_anyway(const jr_operator *row, const jr_dtype *numbers, const jr_dtype *result) {
    if (jr_operator_is(row, JR_OP_FLAG_SELECTS)) return true;
    const bool modular = row->accumulates == JR_ACCUMULATES_SUM && jr_dtype_is_float(result);
    return !jr_dtype_is_float(numbers) && !modular;
}

/* Elements of the second input of a product. */
static const jr_dtype *other_factor(const jr_spec *spec) {
    return jr_dtype_find(spec->more_types[0] != JR_TYPE_NONE ? spec->more_types[0] : spec->type);
}

static jr_exact_sum exact_sum(const jr_spec *spec, const jr_dtype *mapped, const jr_reduction_part *part) {
    const jr_operator *row = part->row;
    const bool products = jr_operator_is(row, JR_OPERATOR_OF_PRODUCTS);
    const jr_exact_width terms = row->inputs > 1
                                     ? jr_exact_width_of_products(jr_dtype_find(spec->type), other_factor(spec))
                                 : products ? jr_exact_width_of_products(mapped, mapped)
                                            : jr_exact_width_of(mapped);
    jr_exact_sum sum = {.width = terms, .terms = terms, .of_sizes = jr_operator_is(row, JR_OPERATOR_OF_SIZES)};
    if (spec->initial != NULL)
        sum.width = jr_exact_width_of_both(terms, jr_exact_width_of(jr_dtype_find(part->initial)));
    return sum;
}

/* The type that holds exactly what one element adds: its own, or f64 for a product of two f32; JR_STRUCT: both factors
 * of a product with an f64. JR_TYPE_NONE: the values are of other types. */
static jr_type exact_summand(const jr_spec *spec, const jr_dtype *mapped, const jr_operator *row) {
    const jr_type x = jr_dtype_value_type(row->inputs > 1 ? jr_dtype_find(spec->type) : mapped);
    const jr_type y = row->inputs > 1 ? jr_dtype_value_type(other_factor(spec)) : x;
    if ((x != JR_F32 && x != JR_F64) || (y != JR_F32 && y != JR_F64)) return JR_TYPE_NONE;
    if (!jr_operator_is(row, JR_OPERATOR_OF_PRODUCTS)) return x;
    return x == JR_F32 && y == JR_F32 ? JR_F64 : JR_STRUCT;
}

/* Makes the part of a variance exact: it sums the elements and their squares. Fails if ddof is not a whole number. */
static jr_status make_exact_moments(const jr_spec *spec, const jr_dtype *mapped, jr_reduction_part *part) {
    const jr_exact_width sum = jr_exact_width_of(mapped), squares = jr_exact_width_of_products(mapped, mapped);
    if (spec->ddof != floor(spec->ddof) || spec->ddof >= 0x1p53)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "ddof %g: of an exact %s it is a whole number below 2^53", spec->ddof,
                       part->row->name);
    part->exact = true;
    part->counts = part->adds_floats = part->word = false;
    part->sums[0] = (jr_exact_sum){.width = sum, .terms = sum};
    part->sums[1] = (jr_exact_sum){
        .width = squares, .terms = squares, .of_sizes = true, .offset = JR_EXACT_BYTES((size_t)sum.words)};
    part->sum_count = 2;
    part->bytes = part->sums[1].offset + JR_EXACT_BYTES((size_t)squares.words);
    snprintf(part->text, sizeof part->text, "%s<%s, jr_exact_moments<jr_exact<%d, %d>, jr_exact<%d, %d>>, %s>",
             part->row->exact, jr_dtype_value(mapped->type)->c_name, sum.least, sum.words, squares.least, squares.words,
             result_text(spec, part->initial));
    return JR_OK;
}

/* An operator over numbers, filled in as if it were not exact, becomes an exact sum. */
static jr_status make_exact(const jr_spec *spec, const jr_dtype *mapped, jr_reduction_part *part) {
    const jr_operator *row = part->row;
    const jr_dtype *result = jr_dtype_find(part->result), *before = jr_dtype_find(part->initial);
    if (spec->accumulate != JR_TYPE_NONE)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "accumulate %s: an exact sum loses nothing, leave accumulate out",
                       jr_dtype_find(spec->accumulate)->name);
    if (is_exact_anyway(row, jr_dtype_find(part->accumulator), before)) return JR_OK;
    if (row->exact == NULL)
        return jr_fail(JR_ERROR_UNSUPPORTED_TYPE, "%s of %s has no exact form: leave spec.accuracy 0", row->name,
                       mapped->name);
    if (!jr_dtype_is_float(before))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "an exact %s is rounded to a type of floats, not to %s", row->name,
                       result->name);
    if (row->accumulates == JR_ACCUMULATES_MOMENTS) return make_exact_moments(spec, mapped, part);
    const jr_exact_sum sum = exact_sum(spec, mapped, part);
    const char *element = jr_dtype_value(mapped->type)->c_name;
    if (row->inputs > 1) {
        snprintf(part->given, sizeof part->given, "jr_factors<%s, %s>", jr_dtype_value(spec->type)->c_name,
                 jr_dtype_value(other_factor(spec)->type)->c_name);
        element = part->given;
    }
    part->exact = true;
    part->summand = exact_summand(spec, mapped, row);
    part->counts = part->adds_floats = part->word = false;
    part->sums[0] = sum;
    part->sum_count = 1;
    part->bytes = JR_EXACT_BYTES((size_t)sum.width.words);
    snprintf(part->text, sizeof part->text, "%s<%s, jr_exact<%d, %d>, %s>", row->exact, element, sum.width.least,
             sum.width.words, result_text(spec, part->initial));
    return JR_OK;
}

static jr_status fill_number_part(const jr_spec *spec, const jr_dtype *mapped, jr_reduction_part *part) {
    const jr_operator *row = part->row;
    jr_status status = jr_operator_result(row->op, mapped->type, &part->result);
    if (status == JR_OK) status = check_types(spec, row);
    if (status != JR_OK) return status;
    const jr_accumulation of = jr_operator_accumulation(row, mapped, accumulate_type(spec, row, mapped));
    const bool number = jr_reduction_ignores_nan(spec, mapped) && row->number != NULL;
    const jr_dtype *numbers = jr_dtype_find(of.number);
    const bool counts = needs_count(row, numbers) && leaves_out(spec, mapped);
    part->accumulator = of.number;
    find_result(spec, of.result, part);
    part->bytes = of.bytes + (counts ? sizeof(uint64_t) : 0);
    part->counts = counts;
    part->tree = spec->accuracy == JR_ACCURACY_REPRODUCIBLE && jr_dtype_is_float(numbers) &&
                 !jr_operator_is(row, JR_OP_FLAG_SELECTS);
    part->adds_floats = needs_count(row, numbers) && jr_dtype_is_float(numbers) && !counts;
    part->skips_nan = jr_reduction_ignores_nan(spec, mapped) && row->number == NULL;
    part->word = !number && jr_operator_is(row, JR_OPERATOR_IS_WORD) && mapped->bytes == 4 &&
                 of.number == mapped->type && part->result == mapped->type;
    const char *element = row->inputs > 1                            ? of.c_name
                          : jr_operator_is(row, JR_OPERATOR_HAS_END) ? mapped->c_name
                                                                     : jr_dtype_value(mapped->type)->c_name;
    snprintf(part->text, sizeof part->text, "%s%s<%s, %s, %s>%s", counts ? "jr_counted<" : "",
             number ? row->number : row->c_name, element, of.c_name, result_text(spec, part->initial),
             counts ? ">" : "");
    return spec->accuracy == JR_ACCURACY_EXACT ? make_exact(spec, mapped, part) : JR_OK;
}

/* combine and identity over numbers or structs. */
static jr_status fill_custom_part(const jr_spec *spec, const jr_dtype *mapped, jr_reduction_part *part) {
    const bool structured = mapped == NULL && spec->accumulate == JR_TYPE_NONE;
    if (spec->combine == NULL || spec->identity == NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "operator custom needs the expressions combine and identity: %s missing",
                       spec->combine != NULL    ? "identity is"
                       : spec->identity != NULL ? "combine is"
                                                : "both are");
    jr_status status = check_types(spec, part->row);
    if (status != JR_OK) return status;
    if (spec->accuracy == JR_ACCURACY_EXACT)
        return jr_fail(JR_ERROR_UNSUPPORTED_TYPE, "operator custom has no exact form: leave spec.accuracy 0");
    jr_value_type value = {spec->accumulate, JR_RESTS_ON_NOTHING};
    if (spec->accumulate == JR_TYPE_NONE) value = jr_value_type_of_combine(spec, structured ? JR_STRUCT : mapped->type);
    part->accumulator = structured ? JR_STRUCT : jr_dtype_promoted(jr_dtype_find(value.type));
    part->combine_rest = value.rest;
    find_result(spec, value.type, part);
    if (structured && spec->finish == NULL && part->result != JR_STRUCT)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "a struct becomes a result of another type by a finish expression");
    part->skips_nan = jr_reduction_ignores_nan(spec, mapped);
    part->tree = spec->accuracy == JR_ACCURACY_REPRODUCIBLE; /* what the expression does is not known */
    part->bytes = structured ? spec->structure->bytes : jr_dtype_find(part->accumulator)->bytes;
    snprintf(part->text, sizeof part->text, "jr_custom");
    return JR_OK;
}

jr_status jr_reduction_part_of(const jr_spec *spec, jr_op op, const jr_dtype *mapped, jr_reduction_part *part) {
    const jr_status status = jr_operator_get(op, &part->row);
    if (status != JR_OK) return status;
    if (part->row->accumulates == JR_ACCUMULATES_CUSTOM) return fill_custom_part(spec, mapped, part);
    if (mapped == NULL)
        return jr_fail(JR_ERROR_UNSUPPORTED_TYPE, "operator %s does not take structs: %s, or use custom",
                       part->row->name,
                       spec->map != NULL && spec->map_type == JR_TYPE_NONE
                           ? "set map_type to the type of the number that map gives"
                           : "give it a number by map and map_type");
    return fill_number_part(spec, mapped, part);
}

/* ---- exact sums ---- */

enum { COUNT_BITS = 64, SIGN_BITS = 1, WORD_BITS = 32 };

/* Elements of a type are multiples of 2^least, and their sizes are below 2^most. */
typedef struct exact_range {
    int least, most;
} exact_range;

static exact_range range_of(const jr_dtype *dtype) {
    if (!jr_dtype_is_float(dtype)) return (exact_range){0, 8 * (int)dtype->bytes};
    const int normal = jr_dtype_least_exponent(dtype);
    /* The greatest exponent is that of the least normal number, negated, and 1; of a type without infinities one more.
     */
    return (exact_range){normal - dtype->fraction_bits, 2 - normal + dtype->finite};
}

static jr_exact_width width_of(exact_range range) {
    const int bits = range.most - range.least + COUNT_BITS + SIGN_BITS;
    return (jr_exact_width){range.least, (bits + WORD_BITS - 1) / WORD_BITS, range.most};
}

jr_exact_width jr_exact_width_of(const jr_dtype *dtype) {
    return width_of(range_of(dtype));
}

jr_exact_width jr_exact_width_of_products(const jr_dtype *one, const jr_dtype *other) {
    const exact_range x = range_of(one), y = range_of(other);
    return width_of((exact_range){x.least + y.least, x.most + y.most});
}

jr_exact_width jr_exact_width_of_both(jr_exact_width one, jr_exact_width other) {
    const int least = one.least < other.least ? one.least : other.least;
    const int one_end = one.least + WORD_BITS * one.words, other_end = other.least + WORD_BITS * other.words;
    const int bits = (one_end > other_end ? one_end : other_end) - least;
    return (jr_exact_width){least, (bits + WORD_BITS - 1) / WORD_BITS, one.most > other.most ? one.most : other.most};
}
