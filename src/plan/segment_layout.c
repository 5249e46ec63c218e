/* Works out where segments lie. */
#include "segment_layout.h"

#include <string.h>

#include "base/error.h"
#include "spec/dtype.h"

static jr_status check_shape(const void *shape, int dimensions) {
    if (shape != NULL && dimensions >= 1 && dimensions <= JR_DIMENSIONS_MAX) return JR_OK;
    if (dimensions == 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "an array of 0 dimensions holds one number and has no axis: reduce it without an axis");
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "an array of %d dimensions%s: 1 to %d are allowed", dimensions,
                   shape == NULL ? " whose shape is NULL" : "", JR_DIMENSIONS_MAX);
}

/* Adds an axis to those that are reduced. */
static jr_status add_axis(const jr_axis *given, int axis, unsigned *reduced) {
    const int dimensions = given->dimensions;
    if (axis < -dimensions || axis >= dimensions)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "axis %d is out of range: an array of %d dimensions has the axes %d to %d", axis, dimensions,
                       -dimensions, dimensions - 1);
    const unsigned bit = 1u << (axis < 0 ? axis + dimensions : axis);
    if ((*reduced & bit) != 0) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "axis %d is given twice: leave one out", axis);
    *reduced |= bit;
    return JR_OK;
}

static jr_status find_reduced(const jr_axis *given, unsigned *reduced) {
    jr_status status = JR_OK;
    *reduced = 0;
    if ((given->axes != NULL) != (given->axis_count > 0))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "axes is %s, but axis_count is %zu: set both, or neither",
                       given->axes != NULL ? "set" : "NULL", given->axis_count);
    if (given->axes == NULL) return add_axis(given, given->axis, reduced);
    for (size_t i = 0; status == JR_OK && i < given->axis_count; i++) status = add_axis(given, given->axes[i], reduced);
    return status;
}

/* Elements of a segment, and segments. */
static jr_status measure(const jr_axes *axes, uint64_t *length, uint64_t *count) {
    uint64_t made[2];
    if (jr_axes_product(axes, 0, axes->count, true, &made[0]) &&
        jr_axes_product(axes, 0, axes->count, false, &made[1]) && (made[1] == 0 || made[0] <= UINT64_MAX / made[1])) {
        *length = made[0];
        *count = made[1];
        return JR_OK;
    }
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the shape has more elements than 64 bits can count");
}

/* Rows or columns, where what is reduced is one axis after merging, or nothing is. */
static jr_segment_layout layout_of_one(const jr_axes *merged, uint64_t length) {
    uint64_t inner = 1;
    for (int i = merged->count - 1; i >= 0 && !jr_axes_is_reduced(merged, i); i--) inner *= merged->size[i];
    const bool strided = merged->reduced != 0 && inner > 1;
    return (jr_segment_layout){
        .kind = strided ? JR_SEGMENTS_STRIDED : JR_SEGMENTS_EQUAL, .length = length, .inner = strided ? inner : 0};
}

/* The least that says the same: no axes where rows or columns do. */
static jr_segment_layout layout_of(const jr_axes *axes, uint64_t length, uint64_t count) {
    const jr_axes merged = jr_axes_merge(axes);
    const bool several = (merged.reduced & (merged.reduced - 1)) != 0;
    if (!several) return layout_of_one(&merged, length);
    if (length == 0 || count == 0) return (jr_segment_layout){.kind = JR_SEGMENTS_EQUAL, .length = length};
    jr_segment_layout made = {
        .kind = JR_SEGMENTS_AXES, .length = length, .dimensions = merged.count, .reduced = merged.reduced};
    memcpy(made.shape, merged.size, sizeof made.shape);
    return made;
}

jr_status jr_segment_axes_find(const jr_axis *axis, jr_axes *axes) {
    *axes = (jr_axes){.count = axis->dimensions};
    JR_TRY(check_shape(axis->shape, axis->dimensions));
    JR_TRY(find_reduced(axis, &axes->reduced));
    memcpy(axes->size, axis->shape, (size_t)axis->dimensions * sizeof axes->size[0]);
    return JR_OK;
}

jr_status jr_segment_layout_find(const jr_axis *axis, jr_segment_layout *layout, uint64_t *count) {
    jr_axes axes;
    uint64_t length, segments;
    JR_TRY(jr_segment_axes_find(axis, &axes));
    JR_TRY(measure(&axes, &length, &segments));
    *layout = layout_of(&axes, length, segments);
    *count = segments;
    return JR_OK;
}

static jr_status settle_axes(jr_segment_layout *layout) {
    const jr_axes axes = jr_axes_of(layout);
    uint64_t length, count;
    JR_TRY(check_shape(layout->shape, layout->dimensions));
    if (layout->reduced == 0 || layout->reduced >> layout->dimensions != 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "layout.reduced is 0x%x: an array of %d dimensions has bits 0 to %d, one or more set",
                       layout->reduced, layout->dimensions, layout->dimensions - 1);
    JR_TRY(measure(&axes, &length, &count));
    if (layout->length != length)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "layout.length is %llu: the dimensions that are reduced have %llu",
                       (unsigned long long)layout->length, (unsigned long long)length);
    *layout = layout_of(&axes, length, count);
    return JR_OK;
}

static const char *name_of(jr_segment_kind kind) {
    static const char *const names[] = {"0",
                                        "JR_SEGMENTS_EQUAL",
                                        "JR_SEGMENTS_OFFSETS",
                                        "JR_SEGMENTS_STRIDED",
                                        "JR_SEGMENTS_KEYS",
                                        "JR_SEGMENTS_AXES",
                                        "JR_SEGMENTS_ARRAYS"};
    return names[(int)kind >= 0 && kind <= JR_SEGMENTS_ARRAYS ? kind : 0];
}

static bool has_shape(const jr_segment_layout *layout) {
    for (int i = 0; i < JR_DIMENSIONS_MAX; i++)
        if (layout->shape[i] != 0) return true;
    return false;
}

static bool is_kind(const jr_segment_layout *layout) {
    return (int)layout->kind >= JR_SEGMENTS_EQUAL && layout->kind <= JR_SEGMENTS_ARRAYS;
}

jr_status jr_segment_layout_check_unused(const jr_segment_layout *layout) {
    const bool axes = layout->kind == JR_SEGMENTS_AXES, strided = layout->kind == JR_SEGMENTS_STRIDED;
    const bool arrays = layout->kind == JR_SEGMENTS_ARRAYS;
    const struct {
        const char *name;
        bool set, used;
    } members[] = {{"length", layout->length != 0, axes || strided || layout->kind == JR_SEGMENTS_EQUAL},
                   {"inner", layout->inner != 0, strided},
                   {"key_type", layout->key_type != JR_TYPE_NONE, layout->kind == JR_SEGMENTS_KEYS},
                   {"dimensions", layout->dimensions != 0, axes},
                   {"shape", has_shape(layout), axes},
                   {"reduced", layout->reduced != 0, axes},
                   {"arrays", layout->arrays != NULL, arrays},
                   {"array_count", layout->array_count != 0, arrays}};
    for (size_t i = 0; is_kind(layout) && i < sizeof members / sizeof *members; i++)
        if (members[i].set && !members[i].used)
            return jr_fail(JR_ERROR_INVALID_ARGUMENT, "layout.%s is set, which %s does not use: leave it 0",
                           members[i].name, name_of(layout->kind));
    return JR_OK;
}

void jr_segment_layout_clear_unused(jr_segment_layout *layout) {
    const bool axes = layout->kind == JR_SEGMENTS_AXES, keys = layout->kind == JR_SEGMENTS_KEYS;
    if (layout->kind == JR_SEGMENTS_OFFSETS || keys) layout->length = 0;
    if (layout->kind != JR_SEGMENTS_STRIDED) layout->inner = 0;
    if (!keys) layout->key_type = JR_TYPE_NONE;
    if (axes) return;
    layout->dimensions = 0;
    layout->reduced = 0;
    memset(layout->shape, 0, sizeof layout->shape);
}

jr_status jr_segment_layout_settle(jr_segment_layout *layout, bool scan) {
    if (layout->kind == JR_SEGMENTS_AXES && !scan) return settle_axes(layout);
    if (!is_kind(layout))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "unknown layout kind %d: set layout.kind to a JR_SEGMENTS_ value",
                       (int)layout->kind);
    if (layout->kind == JR_SEGMENTS_AXES)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "segments along several axes (JR_SEGMENTS_AXES) are for reductions: scan along one");
    if (layout->kind == JR_SEGMENTS_ARRAYS && scan)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "many arrays (JR_SEGMENTS_ARRAYS) are for reductions and JR_WORK_APPLY: scan them one by one");
    if (layout->kind == JR_SEGMENTS_KEYS && jr_dtype_find(layout->key_type) == NULL)
        return jr_fail(JR_ERROR_UNSUPPORTED_TYPE, "keys of type %d: set layout.key_type to a type of numbers",
                       (int)layout->key_type);
    if (layout->kind == JR_SEGMENTS_STRIDED && layout->inner == 0)
        return jr_fail(
            JR_ERROR_INVALID_ARGUMENT,
            "strided segments with an inner of 0: set it to the distance between two elements of a segment, 1 or more");
    return JR_OK;
}

static jr_status check_offsets(const jr_work_data *data, uint64_t *count) {
    for (uint64_t s = 0; s < data->segments; s++)
        if (data->offsets[s] > data->offsets[s + 1])
            return jr_fail(JR_ERROR_INVALID_ARGUMENT, "offsets descend: offset %llu is %llu, the next one %llu",
                           (unsigned long long)s, (unsigned long long)data->offsets[s],
                           (unsigned long long)data->offsets[s + 1]);
    *count = data->offsets[data->segments];
    return JR_OK;
}

static jr_status check_keys(const jr_segment_layout *layout, const jr_work_data *data) {
    const bool keys = layout->kind == JR_SEGMENTS_KEYS;
    const size_t bytes = keys ? jr_dtype_find(layout->key_type)->bytes : 1;
    const bool wanted = keys && data->count > 0;
    if ((!wanted || data->keys != NULL) && (keys || data->keys == NULL) && (uintptr_t)data->keys % bytes == 0 &&
        (!keys || data->count <= UINT64_MAX / 16))
        return JR_OK;
    if (keys && data->count > UINT64_MAX / 16)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%llu elements are more than have addresses",
                       (unsigned long long)data->count);
    if (!keys)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "keys is set, but layout.kind is %s: leave keys NULL, or set kind to JR_SEGMENTS_KEYS",
                       name_of(layout->kind));
    if (data->keys == NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "keys is NULL: JR_SEGMENTS_KEYS needs a key per element");
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "keys is %p: it must be aligned to %zu bytes, those of a key", data->keys,
                   bytes);
}

/* Checks the count of segments that have a length. */
static jr_status check_count(const jr_segment_layout *layout, uint64_t count) {
    uint64_t whole = count;
    if (layout->kind == JR_SEGMENTS_STRIDED && count % layout->inner != 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%llu segments, %llu side by side: the count must be a multiple",
                       (unsigned long long)count, (unsigned long long)layout->inner);
    if (layout->kind == JR_SEGMENTS_AXES) {
        const jr_axes axes = jr_axes_of(layout);
        jr_axes_product(&axes, 0, axes.count, false, &whole); /* fits: the layout was settled */
    }
    if (whole == count) return JR_OK;
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%llu segments: the axes that are left have %llu",
                   (unsigned long long)count, (unsigned long long)whole);
}

jr_status jr_segment_layout_elements(const jr_segment_layout *layout, const jr_work_data *data, bool readable,
                                     uint64_t *count) {
    const bool offsets = layout->kind == JR_SEGMENTS_OFFSETS;
    if (offsets && data->offsets == NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "offsets is NULL: JR_SEGMENTS_OFFSETS needs one per segment, and one more");
    if (offsets != (data->offsets != NULL) || ((uintptr_t)data->offsets % sizeof(uint64_t)) != 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "offsets is %p, and layout.kind is %s: %s",
                       (const void *)data->offsets, name_of(layout->kind),
                       offsets ? "it must be aligned to 8 bytes"
                               : "leave offsets NULL, or set kind to JR_SEGMENTS_OFFSETS");
    JR_TRY(check_keys(layout, data));
    if (data->segments > UINT64_MAX / 16)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%llu segments are more than results have addresses",
                       (unsigned long long)data->segments);
    if (layout->kind == JR_SEGMENTS_KEYS) {
        if (data->count == 0 && data->segments > 0)
            return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                           "count is 0, and segments is %llu: with keys set count to the number of elements, and "
                           "segments to 0",
                           (unsigned long long)data->segments);
        *count = data->count;
        return JR_OK;
    }
    if (offsets && readable) return check_offsets(data, count);
    if (offsets) {
        *count = 0;
        return JR_OK;
    }
    JR_TRY(check_count(layout, data->segments));
    if (data->segments > 0 && layout->length > UINT64_MAX / data->segments)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%llu segments of %llu elements are more than 64 bits can count",
                       (unsigned long long)data->segments, (unsigned long long)layout->length);
    *count = data->segments * layout->length;
    return JR_OK;
}
