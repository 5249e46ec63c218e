/* Decides the types of values. */
#include "value_type.h"

#include "base/error.h"
#include "dtype.h"
#include "spec_expressions.h"

static int bits_of(const jr_dtype *row) {
    return row->class == JR_CLASS_BOOLEAN ? 1 : 8 * (int)row->bytes;
}

/* Facts about several types together, without structs, which are not numbers. */
typedef struct breadth {
    const jr_dtype *widest; /* of equally wide ones the first */
    bool all_floats;
    bool all_small; /* f32 holds what each holds */
    bool mixed;     /* another type is as wide as the widest */
} breadth;

static breadth breadth_of(const jr_type *types, int count) {
    breadth found = {.widest = NULL, .all_floats = true, .all_small = true};
    for (int i = 0; i < count; i++) {
        const jr_dtype *row = jr_dtype_find(types[i]);
        if (row == NULL) continue;
        const bool floats = jr_dtype_is_float(row);
        const int bits = bits_of(row), most = found.widest != NULL ? bits_of(found.widest) : 0;
        found.all_floats &= floats;
        found.all_small &= bits <= (floats ? 32 : 16);
        if (bits >= most) found.mixed = bits == most && (found.mixed || row != found.widest);
        if (bits > most) found.widest = row;
    }
    return found;
}

/* The type of a value of this kind, computed from numbers of these types. For a floating value it is f32 if all types
 * are small and one of them is a float, else f64.
 */
static jr_value_type decide(jr_value_kind kind, const jr_type *types, int count) {
    const breadth of = breadth_of(types, count);
    const jr_value_type single = {JR_F32, JR_RESTS_ON_FLOATS};
    bool has_float = false;
    if (types[0] == JR_STRUCT) return (jr_value_type){JR_STRUCT, JR_RESTS_ON_NOTHING};
    if (of.all_floats) return (jr_value_type){of.mixed ? JR_F32 : of.widest->type, JR_RESTS_ON_NOTHING};
    if (kind == JR_KIND_UNKNOWN || kind == JR_KIND_INTEGER)
        return (jr_value_type){of.widest->type,
                               jr_dtype_is_float(of.widest) ? JR_RESTS_ON_NOTHING : JR_RESTS_ON_INTEGER};
    for (int i = 0; i < count; i++) has_float |= jr_dtype_is_float(jr_dtype_find(types[i]));
    if (of.all_small && has_float) return single;
    if (of.all_small && kind == JR_KIND_FLOAT) return (jr_value_type){JR_F32, JR_RESTS_ON_FLOAT};
    return (jr_value_type){JR_F64, JR_RESTS_ON_FLOATS};
}

jr_value_type jr_value_type_of_map(const jr_spec *spec, const jr_input *inputs, int input_count) {
    jr_type types[JR_INPUTS_MAX];
    jr_number numbers[JR_INPUTS_MAX + 1];
    for (int i = 0; i <= JR_INPUTS_MAX; i++) numbers[i] = jr_number_of_kind(JR_KIND_UNKNOWN);
    for (int i = 0; i < input_count; i++) {
        types[i] = inputs[i].type;
        numbers[i] = jr_number_of_type(types[i]);
    }
    numbers[JR_INPUTS_MAX] = jr_number_of_type(JR_I64); /* i */
    return decide(jr_spec_expressions_kind(spec, JR_TEXT_MAP, numbers), types, input_count);
}

jr_type jr_value_type_of_products(const jr_input *factors) {
    const jr_dtype *one = jr_dtype_find(factors[0].type), *other = jr_dtype_find(factors[1].type);
    if (one == NULL || other == NULL) return JR_STRUCT;
    if (one == other) return one->type;
    return jr_dtype_value_type(one) == JR_F32 && jr_dtype_value_type(other) == JR_F32 ? JR_F32 : JR_F64;
}

jr_value_type jr_value_type_of_combine(const jr_spec *spec, jr_type element) {
    const jr_number number = jr_number_of_type(element), numbers[] = {number, number};
    return decide(jr_spec_expressions_kind(spec, JR_TEXT_COMBINE, numbers), &element, 1);
}

jr_value_type jr_value_type_of_finish(const jr_spec *spec, jr_type before) {
    const jr_number numbers[] = {jr_number_of_type(before), jr_number_of_type(JR_I64)};
    return decide(jr_spec_expressions_kind(spec, JR_TEXT_FINISH, numbers), &before, 1);
}

/* ---- apply ---- */

static jr_status check_apply(const jr_spec *spec, const jr_input *inputs, int input_count) {
    if (spec->apply == NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "spec.%s is set, but there is no apply expression",
                       spec->row_inputs != 0 ? "row_inputs" : "apply_type");
    for (int i = 0; i < input_count; i++)
        if (inputs[i].type == JR_STRUCT)
            return jr_fail(JR_ERROR_UNSUPPORTED_TYPE, "apply takes numbers, not structs (input %d)", i + 1);
    if (spec->kept)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "kept is set: apply does not write how many elements were kept");
    if (spec->accuracy != JR_ACCURACY_FAST)
        return jr_fail(JR_ERROR_NOT_APPLICABLE, "apply has no exact or reproducible form: leave spec.accuracy 0");
    if (spec->row_inputs >> input_count == 0 && (spec->row_inputs & 1) == 0) return JR_OK;
    return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                   "row_inputs is %#x, and the spec has %d inputs: bit 1 stands for y, bit 2 for z, bit 3 for w; x is "
                   "of all rows",
                   spec->row_inputs, input_count);
}

jr_status jr_value_type_of_apply(const jr_spec *spec, const jr_input *inputs, int input_count, jr_type *type) {
    JR_TRY(check_apply(spec, inputs, input_count));
    const jr_dtype *x = jr_dtype_find(inputs[0].type);
    const jr_type own = jr_dtype_is_float(x) ? x->type : x->bytes <= 2 ? JR_F32 : JR_F64;
    const jr_type asked = spec->apply_type != JR_TYPE_NONE ? spec->apply_type : own;
    if (jr_dtype_find(asked) == NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "unknown apply_type %d: set spec.apply_type to a jr_type, or to 0",
                       (int)asked);
    *type = asked;
    return JR_OK;
}
