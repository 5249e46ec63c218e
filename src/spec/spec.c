/* Checks and copies specs. */
#include "spec.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "operator.h"
#include "spec_expressions.h"
#include "tuning.h"

static jr_status check_ranges(const jr_spec *spec) {
    if (spec->unroll < 0 || spec->unroll > JR_UNROLL_MAX)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "unroll factor %d is out of range: 1 to %d, or 0 to have it chosen",
                       spec->unroll, JR_UNROLL_MAX);
    if (spec->block < 0 || spec->block > JR_BLOCK_MAX || spec->block % JR_BLOCK_STEP != 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "block of %d threads is not allowed: a multiple of %d from %d to %d, or 0 to have it chosen",
                       spec->block, JR_BLOCK_STEP, JR_BLOCK_STEP, JR_BLOCK_MAX);
    if (spec->grid < 0 || spec->grid > JR_GRID_MAX)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "grid of %d blocks is out of range: 1 to %d, or 0 to have it chosen",
                       spec->grid, JR_GRID_MAX);
    if (spec->blocks_per_multiprocessor < 0 || spec->blocks_per_multiprocessor > JR_BLOCKS_PER_MULTIPROCESSOR_MAX)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "%d blocks per multiprocessor are out of range: 1 to %d, or 0 to have it chosen",
                       spec->blocks_per_multiprocessor, JR_BLOCKS_PER_MULTIPROCESSOR_MAX);
    if ((int)spec->shared < JR_SHARED_AUTO || spec->shared > JR_SHARED_DYNAMIC)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "unknown shared memory choice %d: set spec.shared to a JR_SHARED_ value", (int)spec->shared);
    return JR_OK;
}

static jr_status check_expressions(const jr_spec *spec) {
    const bool custom = spec->op == JR_OP_CUSTOM;
    if (!custom && (spec->combine != NULL || spec->identity != NULL))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "combine and identity are for JR_OP_CUSTOM: operator %s has its own",
                       spec->op_count > 0 ? "list" : jr_operator_find(spec->op)->name);
    if (spec->op == JR_OP_DOT && spec->map != NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "operator dot maps x and y to x * y: use sum with a map of your own");
    if (spec->commutative != 0 && spec->commutative != 1)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "commutative is %d: set it to 0 or 1", spec->commutative);
    return JR_OK;
}

static jr_status check_list(const jr_spec *spec) {
    if (spec->op_count == 0 && spec->ops == NULL) return JR_OK;
    const int most = JR_OPS_MAX - (spec->kept != 0); /* the count of kept elements is a result, too */
    if (spec->ops == NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "spec.op_count is %d, but spec.ops is NULL: set ops to the list, or op_count to 0",
                       spec->op_count);
    if (spec->op_count < 1 || spec->op_count > most)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "a list of %d operators: 1 to %d are allowed%s (spec.op_count)",
                       spec->op_count, most, spec->kept != 0 ? " besides the count of kept elements" : "");
    if (spec->op != JR_OP_NONE)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "spec.op and spec.ops are both set: leave op 0 for a list");
    if (spec->finish != NULL || spec->initial != NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "finish and initial go with one operator, not with a list");
    for (int i = 0; i < spec->op_count; i++)
        if (jr_operator_find(spec->ops[i]) != NULL && jr_operator_is(jr_operator_find(spec->ops[i]), JR_OPERATOR_ALONE))
            return jr_fail(JR_ERROR_INVALID_ARGUMENT, "operator %s cannot be in a list",
                           jr_operator_find(spec->ops[i])->name);
    return JR_OK;
}

static jr_status check_parameters(const jr_spec *spec) {
    if (spec->parameter_count < 0 || spec->parameter_count > JR_PARAMETERS_MAX)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%d parameters: 0 to %d are allowed (spec.parameter_count)",
                       spec->parameter_count, JR_PARAMETERS_MAX);
    if (spec->parameter_count > 0 && spec->parameters == NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "spec.parameter_count is %d, but spec.parameters is NULL",
                       spec->parameter_count);
    if ((int)spec->nan < JR_NAN_PROPAGATE || spec->nan > JR_NAN_IGNORE)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "unknown nan policy %d: set spec.nan to a JR_NAN_ value",
                       (int)spec->nan);
    if ((int)spec->accuracy < JR_ACCURACY_FAST || spec->accuracy > JR_ACCURACY_REPRODUCIBLE)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "unknown accuracy %d: set spec.accuracy to a JR_ACCURACY_ value",
                       (int)spec->accuracy);
    if (spec->kept != 0 && spec->kept != 1)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "kept is %d: set it to 0 or 1", spec->kept);
    if (!isfinite(spec->max_launch_ms) || spec->max_launch_ms < 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "max_launch_ms %g is not allowed: 0 or a positive number",
                       spec->max_launch_ms);
    if (!isfinite(spec->ddof) || spec->ddof < 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "ddof %g is not allowed: 0 or a positive number", spec->ddof);
    return JR_OK;
}

static bool has_operator(const jr_spec *spec, jr_op op) {
    bool has = spec->op_count == 0 && spec->op == op;
    for (int i = 0; i < spec->op_count; i++) has |= spec->ops[i] == op;
    return has;
}

jr_status jr_spec_check_members(const jr_spec *spec) {
    const jr_operator *only;
    JR_TRY(check_list(spec));
    if (spec->op_count == 0) JR_TRY(jr_operator_get(spec->op, &only));
    JR_TRY(check_expressions(spec));
    return check_parameters(spec);
}

jr_status jr_spec_check_use(const jr_spec *spec, int input_count) {
    jr_expression texts[JR_EXPRESSIONS_MAX];
    if (spec->ddof != 0 && !has_operator(spec, JR_OP_VAR) && !has_operator(spec, JR_OP_STD))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "ddof %g is for var and std, not for %s", spec->ddof,
                       spec->op_count > 0 ? "this list of operators" : jr_operator_find(spec->op)->name);
    if (input_count > (spec->op == JR_OP_DOT ? 2 : 1) && jr_spec_expressions_list(spec, texts) == 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "the spec has %d inputs and no expression that uses them: set spec.map, as \"x * y\", or where",
                       input_count);
    return JR_OK;
}

jr_status jr_spec_check(const jr_spec *spec, size_t *weight) {
    const jr_status status = check_ranges(spec);
    return status == JR_OK ? jr_spec_expressions_check(spec, weight) : status;
}

/* The memory for copies, one after the other. */
typedef struct copy_room {
    unsigned char *begin; /* NULL: they are only counted */
    size_t used;
} copy_room;

/* The copy of so many bytes; NULL of NULL, and while copies are counted. */
static void *copy_bytes(copy_room *room, const void *bytes, size_t count) {
    enum { ALIGNMENT = 8 }; /* the strictest of what is copied */
    if (bytes == NULL) return NULL;
    unsigned char *place = room->begin != NULL ? room->begin + room->used : NULL;
    room->used += (count + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return place != NULL ? memcpy(place, bytes, count) : NULL;
}

static const char *copy_text(copy_room *room, const char *text) {
    return copy_bytes(room, text, text != NULL ? strlen(text) + 1 : 0);
}

static const jr_structure *copy_structure(copy_room *room, const jr_structure *structure) {
    jr_structure *copy = copy_bytes(room, structure, sizeof *structure);
    if (structure == NULL) return NULL;
    const char *name = copy_text(room, structure->name), *source = copy_text(room, structure->source);
    if (copy == NULL) return NULL;
    copy->name = name;
    copy->source = source;
    return copy;
}

static const jr_parameter *copy_parameters(copy_room *room, const jr_parameter *parameters, int count) {
    jr_parameter *copies = count > 0 ? copy_bytes(room, parameters, (size_t)count * sizeof *parameters) : NULL;
    for (int i = 0; i < count; i++) {
        const char *name = copy_text(room, parameters[i].name);
        if (copies != NULL) copies[i].name = name;
    }
    return copies;
}

size_t jr_spec_copy(const jr_spec *spec, unsigned char *room, jr_spec *copy) {
    copy_room places = {.begin = room};
    jr_spec made = *spec;
    made.initial = copy_bytes(&places, spec->initial, sizeof *spec->initial);
    made.ops = copy_bytes(&places, spec->ops, (size_t)spec->op_count * sizeof *spec->ops);
    for (int text = 0; text < JR_EXPRESSIONS_MAX; text++) {
        const char **at = jr_spec_expression_place(&made, (jr_spec_text)text);
        *at = copy_text(&places, *at);
    }
    made.structure = copy_structure(&places, spec->structure);
    made.parameters = copy_parameters(&places, spec->parameters, spec->parameter_count);
    if (room != NULL) *copy = made;
    return places.used;
}
