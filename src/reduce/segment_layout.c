/* Works out where segments lie. */
#include "segment_layout.h"

#include "base/error.h"
#include "program/dtype.h"

/* a *= b; false when it does not fit. */
static bool multiply(uint64_t *a, uint64_t b) {
    if (b != 0 && *a > UINT64_MAX / b) return false;
    *a *= b;
    return true;
}

static jr_status check_axis(const jr_axis *axis) {
    if (axis->shape == NULL || axis->dimensions < 1 || axis->dimensions > JR_DIMENSIONS_MAX)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "an array of %d dimensions%s: 1 to %d are allowed", axis->dimensions,
                       axis->shape == NULL ? " whose shape is NULL" : "", JR_DIMENSIONS_MAX);
    if (axis->axis < -axis->dimensions || axis->axis >= axis->dimensions)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "axis %d is out of range: an array of %d dimensions has the axes %d to %d", axis->axis,
                       axis->dimensions, -axis->dimensions, axis->dimensions - 1);
    return JR_OK;
}

jr_status jr_segment_layout_check(const jr_segment_layout *layout, bool scan) {
    if ((int)layout->kind < JR_SEGMENTS_EQUAL || layout->kind > JR_SEGMENTS_KEYS)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "unknown layout kind %d: set layout.kind to a JR_SEGMENTS_ value",
                       (int)layout->kind);
    if (layout->kind == JR_SEGMENTS_KEYS && !scan)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "segments by keys (layout.kind %d) are for scans", (int)layout->kind);
    if (layout->kind == JR_SEGMENTS_KEYS && jr_dtype_find(layout->key_type) == NULL)
        return jr_fail(JR_ERROR_UNSUPPORTED_TYPE, "keys of type %d: set layout.key_type to a type of numbers",
                       (int)layout->key_type);
    if (layout->kind == JR_SEGMENTS_STRIDED && layout->inner == 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "strided segments with an inner of 0: 1 or more elements must lie "
                                                  "from one of a segment to the next");
    return JR_OK;
}

jr_status jr_segment_layout_find(const jr_axis *axis, jr_segment_layout *layout, uint64_t *count) {
    uint64_t outer = 1, inner = 1;
    bool fits = true;
    const jr_status status = check_axis(axis);
    if (status != JR_OK) return status;
    const int reduced = axis->axis < 0 ? axis->axis + axis->dimensions : axis->axis;
    for (int i = 0; i < axis->dimensions; i++)
        if (i != reduced) fits = fits && multiply(i < reduced ? &outer : &inner, axis->shape[i]);
    uint64_t segments = outer, elements = axis->shape[reduced];
    fits = fits && multiply(&segments, inner) && multiply(&elements, segments);
    if (!fits) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the shape has more elements than 64 bits can count");
    *layout = (jr_segment_layout){.kind = inner > 1 ? JR_SEGMENTS_STRIDED : JR_SEGMENTS_EQUAL,
                                  .length = axis->shape[reduced],
                                  .inner = inner > 1 ? inner : 0};
    *count = segments;
    return JR_OK;
}

static jr_status check_offsets(const jr_segments *segments, uint64_t *count) {
    for (uint64_t s = 0; s < segments->count; s++)
        if (segments->offsets[s] > segments->offsets[s + 1])
            return jr_fail(JR_ERROR_INVALID_ARGUMENT, "offsets descend: offset %llu is %llu, the next one %llu",
                           (unsigned long long)s, (unsigned long long)segments->offsets[s],
                           (unsigned long long)segments->offsets[s + 1]);
    *count = segments->offsets[segments->count];
    return JR_OK;
}

static jr_status check_keys(const jr_segment_layout *layout, const jr_segments *segments) {
    const bool keys = layout->kind == JR_SEGMENTS_KEYS;
    const size_t bytes = keys ? jr_dtype_find(layout->key_type)->bytes : 1;
    const bool wanted = keys && segments->elements > 0;
    if ((!wanted || segments->keys != NULL) && (keys || segments->keys == NULL) &&
        (uintptr_t)segments->keys % bytes == 0 && (!keys || segments->elements <= UINT64_MAX / 16))
        return JR_OK;
    if (keys && segments->elements > UINT64_MAX / 16)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%llu elements are more than have addresses",
                       (unsigned long long)segments->elements);
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the address of the keys is %p: %s %zu", segments->keys,
                   keys ? "the plan's segments need them, aligned to" : "the plan's segments have none; kind",
                   keys ? bytes : (size_t)layout->kind);
}

jr_status jr_segment_layout_elements(const jr_segment_layout *layout, const jr_segments *segments, bool readable,
                                     uint64_t *count) {
    uint64_t elements = segments->count;
    const bool offsets = layout->kind == JR_SEGMENTS_OFFSETS;
    if (offsets != (segments->offsets != NULL) || ((uintptr_t)segments->offsets % sizeof(uint64_t)) != 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the address of the offsets is %p: %s",
                       (const void *)segments->offsets,
                       offsets ? "the plan's segments need them, aligned to 8 bytes"
                               : "the plan's segments have a length, and no offsets");
    const jr_status status = check_keys(layout, segments);
    if (status != JR_OK) return status;
    if (segments->count > UINT64_MAX / 16)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%llu segments are more than results have addresses",
                       (unsigned long long)segments->count);
    if (layout->kind == JR_SEGMENTS_KEYS) {
        *count = segments->elements;
        return JR_OK;
    }
    if (offsets && readable) return check_offsets(segments, count);
    if (layout->kind == JR_SEGMENTS_STRIDED && segments->count % layout->inner != 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%llu segments, %llu side by side: the count must be a multiple",
                       (unsigned long long)segments->count, (unsigned long long)layout->inner);
    if (!offsets && !multiply(&elements, layout->length))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%llu segments of %llu elements are more than 64 bits can count",
                       (unsigned long long)segments->count, (unsigned long long)layout->length);
    *count = offsets ? 0 : elements;
    return JR_OK;
}
