/* Works out operators. */
#include "reduction_part.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

static bool is_number_type(jr_type type) {
    const jr_dtype *row = jr_dtype_find(type);
    return row != NULL && row->value_type == type;
}

/* Where the spec may say in which type an operator accumulates. */
static bool accumulates_as_asked(jr_accumulates accumulates) {
    return accumulates == JR_ACCUMULATES_SUM || accumulates == JR_ACCUMULATES_MEAN ||
           accumulates == JR_ACCUMULATES_NORM || accumulates == JR_ACCUMULATES_CUSTOM ||
           accumulates == JR_ACCUMULATES_EXPONENTIAL;
}

static jr_status check_types(const jr_spec *spec, const jr_operator *row) {
    if (spec->accumulate != JR_TYPE_NONE && !is_number_type(spec->accumulate))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "accumulate type %s is not one of i32 u32 i64 u64 f32 f64",
                       jr_dtype_find(spec->accumulate) != NULL ? jr_dtype_find(spec->accumulate)->name : "?");
    if (spec->accumulate != JR_TYPE_NONE && spec->op_count == 0 && !accumulates_as_asked(row->accumulates))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "operator %s does not accumulate in a type that can be chosen: leave accumulate out", row->name);
    if (spec->accumulate != JR_TYPE_NONE && row->accumulates == JR_ACCUMULATES_EXPONENTIAL &&
        !jr_dtype_is_float(jr_dtype_find(spec->accumulate)))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "operator %s accumulates in f32 or f64, not in %s", row->name,
                       jr_dtype_find(spec->accumulate)->name);
    if (spec->result != JR_TYPE_NONE && jr_dtype_find(spec->result) == NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "unknown result type %d: set spec.result to a jr_type, or to 0",
                       (int)spec->result);
    return JR_OK;
}

/* The number in which an operator accumulates as text, or its compound. */
static const char *accumulator_text(const jr_reduction_part *part, const jr_dtype *mapped, bool asked) {
    const bool small = mapped->bytes < 4;
    if (part->row->accumulates == JR_ACCUMULATES_MEAN && !asked && !jr_dtype_is_float(mapped) && !small)
        return "jr_wide";
    if (part->row->accumulates == JR_ACCUMULATES_SCALED && mapped->type == JR_F64) return "jr_blue";
    return jr_dtype_find(part->accumulator)->c_name;
}

static void size_part(jr_reduction_part *part, const jr_dtype *mapped, const char *accumulator) {
    const size_t number = jr_dtype_find(part->accumulator)->bytes;
    part->bytes = part->alignment = number;
    if (strcmp(accumulator, "jr_wide") == 0) part->bytes = 16;
    if (strcmp(accumulator, "jr_blue") == 0 || part->row->accumulates == JR_ACCUMULATES_MOMENTS) part->bytes = 24;
    if (part->row->accumulates == JR_ACCUMULATES_EXPONENTIAL) part->bytes = 2 * number;
    if (part->row->accumulates == JR_ACCUMULATES_INDEX) {
        part->alignment = jr_dtype_find(mapped->value_type)->bytes;
        part->bytes = part->alignment + 8;
    }
}

/* The type that an operator's result has before `finish`, if there is one: that which it is computed with. */
static const char *result_text(const jr_spec *spec, jr_type type) {
    return spec->finish != NULL ? jr_dtype_value(type)->c_name : jr_dtype_find(type)->c_name;
}

/* An operator that counts must count what is left when some elements are left out. */
static bool leaves_out(const jr_spec *spec, const jr_dtype *mapped) {
    return spec->where != NULL || (spec->nan == JR_NAN_IGNORE && jr_dtype_is_float(mapped));
}

static jr_status fill_number_part(const jr_spec *spec, jr_op op, const jr_dtype *mapped, jr_reduction_part *part) {
    const jr_operator *row = part->row;
    jr_status status = jr_operator_result(op, mapped->type, &part->result);
    if (status == JR_OK) status = check_types(spec, row);
    if (status != JR_OK) return status;
    const bool asked = spec->accumulate != JR_TYPE_NONE && accumulates_as_asked(row->accumulates);
    part->accumulator = asked ? spec->accumulate : jr_operator_accumulator(row, mapped);
    if (asked && row->accumulates != JR_ACCUMULATES_MEAN) part->result = part->accumulator;
    if (asked && row->accumulates == JR_ACCUMULATES_MEAN && part->accumulator == JR_F64) part->result = JR_F64;
    const jr_type shown = part->result;
    if (spec->result != JR_TYPE_NONE && row->accumulates != JR_ACCUMULATES_FLAG) part->result = spec->result;
    const char *accumulator = accumulator_text(part, mapped, asked);
    const bool number = spec->nan == JR_NAN_IGNORE && jr_dtype_is_float(mapped) && row->number != NULL;
    const bool counts = row->divides && leaves_out(spec, mapped);
    const char *element = jr_dtype_value(mapped->type)->c_name;
    size_part(part, mapped, accumulator);
    if (counts) part->bytes += sizeof(uint64_t);
    if (counts) part->alignment = 4; /* no padding */
    snprintf(part->text, sizeof part->text, "%s%s<%s, %s, %s>%s", counts ? "jr_counted<" : "",
             number ? row->number : row->c_name, op == JR_OP_DOT ? accumulator : element, accumulator,
             result_text(spec, spec->finish != NULL ? shown : part->result), counts ? ">" : "");
    return JR_OK;
}

/* combine and identity over numbers or structs. */
static jr_status fill_custom_part(const jr_spec *spec, const jr_dtype *mapped, jr_reduction_part *part) {
    const bool structured = mapped == NULL && spec->accumulate == JR_TYPE_NONE;
    if (spec->combine == NULL || spec->identity == NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "operator custom needs the expressions combine and identity");
    jr_status status = check_types(spec, part->row);
    if (status != JR_OK) return status;
    part->accumulator = structured                         ? JR_STRUCT
                        : spec->accumulate != JR_TYPE_NONE ? spec->accumulate
                                                           : mapped->value_type;
    part->result = spec->result != JR_TYPE_NONE       ? spec->result
                   : structured                       ? JR_STRUCT
                   : spec->accumulate != JR_TYPE_NONE ? spec->accumulate
                                                      : mapped->type;
    if (structured && spec->finish == NULL && part->result != JR_STRUCT)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "a struct becomes a result of another type by a finish expression");
    part->bytes = structured ? spec->structure->bytes : jr_dtype_find(part->accumulator)->bytes;
    part->alignment = structured ? spec->structure->alignment : part->bytes;
    snprintf(part->text, sizeof part->text, "jr_custom");
    return JR_OK;
}

jr_status jr_reduction_part_of(const jr_spec *spec, jr_op op, const jr_dtype *mapped, jr_reduction_part *part) {
    part->row = jr_operator_find(op);
    if (part->row == NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "unknown operator %d: set spec.op to a JR_OP_ value", (int)op);
    if (op == JR_OP_CUSTOM) return fill_custom_part(spec, mapped, part);
    if (mapped == NULL)
        return jr_fail(JR_ERROR_UNSUPPORTED_TYPE,
                       "operator %s does not take structs: give it a number by map and map_type, or use custom",
                       part->row->name);
    return fill_number_part(spec, op, mapped, part);
}
