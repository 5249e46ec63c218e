/* Works out specs. */
#include "reduction.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi.h"
#include "base/error.h"
#include "operator.h"
#include "reduction_input.h"
#include "reduction_part.h"
#include "spec.h"
#include "spec_expressions.h"
#include "value_check.h"

/* The type that operators are given: *dtype is NULL for the caller's struct. */
static jr_status find_mapped(const jr_spec *spec, jr_reduction *reduction, const jr_dtype **dtype) {
    jr_value_type value = {spec->map_type != JR_TYPE_NONE ? spec->map_type : spec->type, JR_RESTS_ON_NOTHING};
    if (spec->map_type != JR_TYPE_NONE && spec->map == NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "map_type is set, but there is no map expression");
    if (spec->op == JR_OP_DOT) value.type = jr_value_type_of_products(reduction->inputs);
    if (spec->map_type == JR_TYPE_NONE && spec->map != NULL)
        value = jr_value_type_of_map(spec, reduction->inputs, reduction->input_count);
    *dtype = jr_dtype_find(value.type);
    if (*dtype == NULL && value.type != JR_STRUCT)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "unknown map_type %d: set spec.map_type to a jr_type, or to 0",
                       (int)value.type);
    reduction->map_rest = value.rest;
    reduction->spec.map_type = value.type != spec->type && spec->map != NULL ? value.type : spec->map_type;
    return JR_OK;
}

static void add_output(const jr_spec *spec, const jr_reduction_part *part, jr_reduction *reduction) {
    jr_output *output = &reduction->outputs[reduction->output_count];
    const jr_dtype *dtype = jr_dtype_find(part->result);
    *output = (jr_output){.type = part->result,
                          .bytes = dtype != NULL ? dtype->bytes : spec->structure->bytes,
                          .offset = (size_t)reduction->output_count * JR_RESULT_STRIDE};
    reduction->accumulators[reduction->output_count] = part->accumulator;
    reduction->before[reduction->output_count++] = part->initial;
    reduction->output_bytes = output->offset + (spec->op_count > 0 ? JR_RESULT_STRIDE : output->bytes);
    reduction->output_alignment = spec->op_count > 0 ? JR_RESULT_STRIDE
                                  : dtype != NULL    ? output->bytes
                                                     : spec->structure->alignment;
}

/* struct { this; rest; }, as jr_both lays it out: without padding. */
static void prepend_part(const jr_reduction_part *part, bool last, jr_reduction *reduction) {
    char rest[JR_OPERATOR_TEXT_BYTES];
    snprintf(rest, sizeof rest, "%s", reduction->operator_text);
    if (last) {
        snprintf(reduction->operator_text, sizeof reduction->operator_text, "%s", part->text);
        reduction->accumulator_bytes = part->bytes;
        return;
    }
    reduction->accumulator_bytes += part->bytes;
    /* At most JR_OPS_MAX parts of JR_PART_TEXT_BYTES and their brackets: they fit. */
    snprintf(reduction->operator_text, sizeof reduction->operator_text, "jr_both<%.*s, %.*s>", JR_PART_TEXT_BYTES,
             part->text, JR_OPERATOR_TEXT_BYTES - JR_PART_TEXT_BYTES - 16, rest);
}

static void note_part(const jr_spec *spec, const jr_reduction_part *part, jr_reduction *reduction) {
    reduction->operator_files |= part->exact ? JR_OPERATORS_EXACT : part->row->file;
    reduction->operator_files |= spec->op_count > 0 || part->counts ? JR_OPERATORS_STATISTICS : 0;
    const jr_operator *before =
        jr_operator_find(reduction->empty_op); /* an index is the one that NaNs alone lack, too */
    const bool named = before != NULL && before->accumulates == JR_ACCUMULATES_INDEX;
    if (jr_operator_is(part->row, JR_OP_FLAG_NO_EMPTY) && spec->initial == NULL && !named)
        reduction->empty_op = part->row->op;
    reduction->tree |= part->tree;
    if (part->word && spec->op_count <= 1) reduction->word = part->row->name;
    /* A list of operators has neither expression: with one, this part is the only one. */
    reduction->combine_rest = part->combine_rest;
    reduction->finish_rest = part->finish_rest;
}

/* What the operator is given, and what the expressions and the initial value are of. */
static void name_types(const jr_spec *spec, const jr_reduction_part *part, const jr_dtype *mapped,
                       jr_reduction *reduction) {
    const jr_dtype *accumulator = jr_dtype_find(part->accumulator), *result = jr_dtype_find(part->result);
    const char *structure = spec->structure != NULL ? spec->structure->name : "";
    const char *number = accumulator != NULL ? accumulator->c_name : structure;
    const char *given = part->given[0] != '\0'  ? part->given
                        : spec->op == JR_OP_DOT ? number
                        : mapped != NULL        ? jr_dtype_value(mapped->type)->c_name
                                                : structure;
    snprintf(reduction->mapped_name, JR_TYPE_TEXT_BYTES, "%s", given);
    snprintf(reduction->accumulator_name, JR_TYPE_TEXT_BYTES, "%s", number);
    snprintf(reduction->result_name, JR_TYPE_TEXT_BYTES, "%s", result != NULL ? result->c_name : structure);
    const jr_dtype *initial = spec->initial != NULL ? jr_dtype_find(part->initial) : result;
    snprintf(reduction->initial_name, JR_TYPE_TEXT_BYTES, "%s", initial != NULL ? initial->c_name : structure);
}

static jr_status check_initial(const jr_spec *spec, const jr_reduction_part *part) {
    if (spec->initial == NULL) return JR_OK;
    if (!jr_operator_is(part->row, JR_OP_FLAG_INITIAL))
        return jr_fail(
            JR_ERROR_INVALID_ARGUMENT,
            "%s takes no initial value: sum, prod, min, max, and, or, xor, dot and custom do, whose values are of the "
            "result's type; finish can combine the result a with a number",
            part->row->name);
    if (spec->initial->type == part->initial) return JR_OK;
    const jr_dtype *given = jr_dtype_find(spec->initial->type), *wanted = jr_dtype_find(part->initial);
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the initial value is of type %s: it must be of the result type%s, %s",
                   given != NULL ? given->name : "none", spec->finish != NULL ? " before finish" : "",
                   wanted != NULL ? wanted->name : spec->structure->name);
}

/* Makes operators skip NaN. If all of them must, or by_all, the reduction gives it to none; else each operator that
 * must is wrapped, and the others receive it and skip it by themselves. */
static void skip_nan(bool by_all, jr_reduction_part *parts, int count, jr_reduction *reduction) {
    int skipping = 0;
    for (int i = 0; i < count; i++) skipping += by_all || parts[i].skips_nan;
    reduction->skips_nan = skipping == count;
    for (int i = 0; i < count && skipping < count; i++) {
        char text[JR_PART_TEXT_BYTES];
        if (!parts[i].skips_nan) continue;
        snprintf(text, sizeof text, "%s", parts[i].text);
        snprintf(parts[i].text, sizeof parts[i].text, "jr_numbers<%.*s>", JR_PART_TEXT_BYTES - 16, text);
    }
}

/* If all elements are NaN and ignored there is no index, as for an empty input. An index of i64 is then -1 by itself.
 * Others, of a type in which -1 may be an index, or changed by finish, need the count: then NaNs are skipped before the
 * operator. Sets empty_output; returns true if the count is needed. */
static bool note_index(const jr_spec *spec, const jr_reduction_part *parts, int count, jr_reduction *reduction) {
    bool counts = false;
    for (int i = 0; i < count; i++) {
        if (parts[i].row->accumulates != JR_ACCUMULATES_INDEX) continue;
        const bool tells = parts[i].result == JR_I64 && spec->finish == NULL;
        if (tells) reduction->empty_output = i;
        counts |= !tells;
    }
    return counts;
}

/* Adds the count of kept elements after the results, if it is requested, or alone distinguishes a value from none. */
static void add_kept(const jr_spec *spec, bool skips, jr_reduction *reduction) {
    reduction->place_bytes = reduction->output_bytes;
    if (!spec->kept && (!skips || reduction->empty_op == JR_OP_NONE)) return;
    reduction->kept_offset = (reduction->output_bytes + JR_RESULT_STRIDE - 1) / JR_RESULT_STRIDE * JR_RESULT_STRIDE;
    reduction->place_bytes = reduction->kept_offset + JR_RESULT_STRIDE;
    reduction->accumulator_bytes += sizeof(uint64_t);
    reduction->word = NULL;
    if (!spec->kept) return;
    reduction->outputs[reduction->output_count++] = (jr_output){JR_U64, sizeof(uint64_t), reduction->kept_offset};
    reduction->output_bytes = reduction->place_bytes;
    reduction->output_alignment = JR_RESULT_STRIDE;
}

/* Sets the offsets of the exact sums in the accumulator: the parts are consecutive. */
static void note_sums(const jr_reduction_part *parts, int count, jr_reduction *reduction) {
    size_t offset = 0;
    for (int i = 0; i < count; i++) {
        if (!parts[i].exact) {
            reduction->sum_count = 0;
            return;
        }
        for (int k = 0; k < parts[i].sum_count; k++) {
            jr_exact_sum *sum = &reduction->sums[reduction->sum_count++];
            *sum = parts[i].sums[k];
            sum->offset += offset;
        }
        offset += parts[i].bytes;
    }
}

/* True if there is nothing before, between or after the states. */
static bool adds_alike(const jr_spec *spec, const jr_reduction_part *part, const jr_reduction *reduction) {
    const jr_dtype *number = jr_dtype_find(part->accumulator);
    return spec->op_count == 0 && jr_operator_is(part->row, JR_OPERATOR_STATES_ADD) &&
           part->accumulator == part->result && number != NULL && (number->bytes == 4 || number->bytes == 8) &&
           !part->exact && !part->counts && !part->tree && spec->finish == NULL && spec->initial == NULL &&
           reduction->kept_offset == 0;
}

static jr_status fill_parts(const jr_spec *spec, const jr_dtype *mapped, jr_reduction *reduction) {
    const int count = spec->op_count > 0 ? spec->op_count : 1;
    jr_reduction_part parts[JR_OPS_MAX] = {0};
    for (int i = 0; i < count; i++) {
        jr_status status = jr_reduction_part_of(spec, spec->op_count > 0 ? spec->ops[i] : spec->op, mapped, &parts[i]);
        if (status == JR_OK) status = check_initial(spec, &parts[i]);
        if (status == JR_OK) status = jr_values_check_results(spec, parts[i].accumulator, parts[i].initial);
        if (status != JR_OK) return status;
        add_output(spec, &parts[i], reduction);
        note_part(spec, &parts[i], reduction);
    }
    const bool ignores = jr_reduction_ignores_nan(spec, mapped);
    const bool indexes = ignores && note_index(spec, parts, count, reduction);
    skip_nan((spec->kept && ignores) || indexes, parts, count, reduction);
    for (int i = count - 1; i >= 0; i--) prepend_part(&parts[i], i == count - 1, reduction);
    name_types(spec, &parts[0], mapped, reduction);
    note_sums(parts, count, reduction);
    add_kept(spec, spec->where != NULL || indexes, reduction);
    /* A mean needs the count of what is left. */
    const bool selects = spec->where != NULL && jr_operator_is(parts[0].row, JR_OPERATOR_DIVIDES);
    const bool of_all = spec->op_count == 0 && !selects && !reduction->skips_nan && spec->initial == NULL;
    if (of_all && reduction->kept_offset == 0) reduction->summand = parts[0].summand;
    reduction->adds_alike = adds_alike(spec, &parts[0], reduction);
    reduction->adds_floats = spec->op_count == 0 && parts[0].adds_floats && reduction->kept_offset == 0;
    return JR_OK;
}

/* With spec.apply a work's results are values of elements; the operators' results are what it is given. */
static jr_status fill_applied(const jr_spec *spec, jr_reduction *reduction) {
    jr_type type;
    reduction->total_bytes = reduction->output_bytes;
    reduction->total_alignment = reduction->output_alignment;
    if (spec->apply == NULL && spec->apply_type == JR_TYPE_NONE && spec->row_inputs == 0) return JR_OK;
    JR_TRY(jr_value_type_of_apply(spec, reduction->inputs, reduction->input_count, &type));
    for (int i = 0; i < reduction->output_count; i++) reduction->totals[i] = reduction->outputs[i].type;
    reduction->total_count = reduction->output_count;
    reduction->outputs[0] = (jr_output){.type = type, .bytes = jr_dtype_find(type)->bytes};
    reduction->output_count = 1;
    reduction->output_bytes = reduction->output_alignment = reduction->place_bytes = reduction->outputs[0].bytes;
    return JR_OK;
}

/* All but the copy of the spec. */
static jr_status work_out(const jr_spec *spec, jr_reduction *reduction) {
    jr_reduction made = {.empty_output = -1, .commutative = spec->op != JR_OP_CUSTOM || spec->commutative};
    const jr_dtype *mapped = NULL;
    jr_status status = jr_spec_check_members(spec);
    if (status == JR_OK) status = jr_reduction_input_fill(spec, made.inputs, &made.input_count);
    if (status == JR_OK) status = jr_spec_check(spec, &made.expressions_weight);
    if (status == JR_OK) status = jr_spec_check_use(spec, made.input_count);
    if (status == JR_OK) status = jr_values_check_items(spec, made.inputs, made.input_count);
    if (status == JR_OK) status = find_mapped(spec, &made, &mapped);
    if (status == JR_OK) status = fill_parts(spec, mapped, &made);
    if (status == JR_OK) status = fill_applied(spec, &made);
    if (status != JR_OK) return status;
    jr_expression texts[JR_EXPRESSIONS_MAX];
    made.has_expressions =
        spec->op == JR_OP_DOT || spec->structure != NULL || jr_spec_expressions_list(spec, texts) > 0;
    made.sees_index = (made.operator_files & JR_OPERATORS_INDEX) != 0 || jr_spec_expressions_see_index(spec);
    *reduction = made;
    return JR_OK;
}

jr_status jr_reduction_create(const jr_spec *spec, jr_reduction **reduction) {
    jr_reduction worked;
    JR_TRY(JR_GIVEN(spec));
    const jr_status status = work_out(spec, &worked);
    if (status != JR_OK) return status;
    jr_reduction *made = malloc(sizeof *made + jr_spec_copy(spec, NULL, NULL));
    if (made == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for a reduction");
    *made = worked;
    made->owners = 1;
    jr_spec_copy(spec, (unsigned char *)(made + 1), &made->spec);
    made->spec.map_type = worked.spec.map_type;
    *reduction = made;
    return JR_OK;
}

bool jr_reduction_is_tree(const jr_spec *spec) {
    jr_reduction worked;
    return spec->accuracy == JR_ACCURACY_REPRODUCIBLE && work_out(spec, &worked) == JR_OK && worked.tree;
}

bool jr_reduction_is_placed(const jr_spec *spec) {
    jr_reduction worked;
    return work_out(spec, &worked) == JR_OK && worked.sees_index;
}

jr_reduction *jr_reduction_share(jr_reduction *reduction) {
    __atomic_add_fetch(&reduction->owners, 1, __ATOMIC_RELAXED);
    return reduction;
}

void jr_reduction_destroy(jr_reduction *reduction) {
    if (reduction != NULL && __atomic_sub_fetch(&reduction->owners, 1, __ATOMIC_ACQ_REL) == 0) free(reduction);
}

static jr_status check_empty(const jr_reduction *reduction, const char *cause) {
    if (reduction->empty_op == JR_OP_NONE) return JR_OK;
    const jr_operator *row = jr_operator_find(reduction->empty_op);
    const bool alone = reduction->spec.op_count == 0 && jr_operator_is(row, JR_OP_FLAG_INITIAL);
    return jr_fail(JR_ERROR_EMPTY_INPUT, "%s of no elements has no value%s%s", row->name, cause,
                   alone ? ": give an initial value (spec.initial)" : "");
}

jr_status jr_reduction_check_empty(const jr_reduction *reduction) {
    return check_empty(reduction, "");
}

jr_status jr_reduction_check_kept(const jr_reduction *reduction) {
    return check_empty(reduction, reduction->spec.where != NULL ? ", and where keeps none" : "");
}

jr_status jr_reduction_check_empty_of_many(const jr_reduction *reduction, uint64_t segment) {
    if (reduction->empty_op == JR_OP_NONE || reduction->spec.kept) return JR_OK;
    const jr_operator *row = jr_operator_find(reduction->empty_op);
    const bool alone = reduction->spec.op_count == 0 && jr_operator_is(row, JR_OP_FLAG_INITIAL);
    const bool skips = reduction->spec.where != NULL || reduction->skips_nan || reduction->empty_output >= 0;
    return jr_fail(JR_ERROR_EMPTY_INPUT,
                   "%s of no elements has no value: segment %llu (the first is 0) has none%s; %sset spec.kept",
                   row->name, (unsigned long long)segment, skips ? " left" : "",
                   alone ? "give an initial value, or " : "");
}
