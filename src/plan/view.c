/* Works out where the elements of views lie. */
#include "view.h"

#include <string.h>

#include "base/error.h"

static uint64_t distance_of(int64_t stride) {
    return stride < 0 ? 0 - (uint64_t)stride : (uint64_t)stride;
}

/* ---- a caller's strides ---- */

static bool is_dense(const jr_view *view) {
    for (int a = 0; a < view->arrays; a++)
        for (int k = 0; k < view->axes.count; k++)
            if (view->axes.size[k] > 1 && view->stride[a][k] != (int64_t)jr_axes_stride(&view->axes, k)) return false;
    return true;
}

/* The indices of a segment's elements are in C order of the axes that are reduced. */
static void number_elements(jr_view *view) {
    uint64_t index = 1;
    for (int k = view->axes.count - 1; k >= 0; k--) {
        if (!jr_axes_is_reduced(&view->axes, k)) continue;
        view->index[k] = index;
        index *= view->axes.size[k];
    }
}

/* An array's memory has addresses: no more elements lie between its first and last one than 60 bits count. */
static jr_status check_reach(const jr_view *view, int array) {
    static const uint64_t MOST = 1ull << 60;
    uint64_t reach = 0;
    for (int k = 0; k < view->axes.count; k++) {
        const uint64_t distance = distance_of(view->stride[array][k]), steps = view->axes.size[k] - 1;
        if (distance > 0 && steps > (MOST - reach) / distance)
            return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                           "strides[%d] of %lld along axis %d of %llu elements: so far apart no memory reaches", array,
                           (long long)view->stride[array][k], k, (unsigned long long)view->axes.size[k]);
        reach += distance * steps;
    }
    return JR_OK;
}

jr_status jr_view_of(const jr_axes *axes, const int64_t *const *strides, int arrays, jr_view *view) {
    *view = (jr_view){.arrays = arrays, .axes = *axes};
    for (int k = 0; k < axes->count; k++)
        if (axes->size[k] == 0) view->arrays = 0;
    for (int a = 0; a < arrays; a++) {
        if (strides[a] == NULL)
            return jr_fail(JR_ERROR_INVALID_ARGUMENT, "strides[%d] is NULL: give one number for each dimension", a);
        memcpy(view->stride[a], strides[a], (size_t)axes->count * sizeof strides[a][0]);
        if (view->arrays > 0) JR_TRY(check_reach(view, a));
    }
    number_elements(view);
    if (view->arrays > 0 && is_dense(view)) view->arrays = 0;
    return JR_OK;
}

/* ---- as few axes as say the same ---- */

static void move_axis(const jr_view *from, int axis, jr_view *to, int place) {
    to->axes.size[place] = from->axes.size[axis];
    to->index[place] = from->index[axis];
    for (int a = 0; a < from->arrays; a++) to->stride[a][place] = from->stride[a][axis];
}

/* True if the axis follows the one at `place` so that both can be one. */
static bool follows(const jr_view *view, const jr_view *made, int axis, int place) {
    const uint64_t size = view->axes.size[axis];
    for (int a = 0; a < view->arrays; a++)
        if ((uint64_t)made->stride[a][place] != (uint64_t)view->stride[a][axis] * size) return false;
    return made->index[place] == view->index[axis] * size;
}

/* Axes that are not reduced come first, then those that are; each in the order of the view's. */
static jr_view merge(const jr_view *view) {
    jr_view made = {.arrays = view->arrays};
    for (int pass = 0; pass < 2; pass++) {
        const int first = made.axes.count;
        for (int k = 0; k < view->axes.count; k++) {
            const int last = made.axes.count - 1;
            if (jr_axes_is_reduced(&view->axes, k) != (pass == 1) || view->axes.size[k] == 1) continue;
            if (last >= first && follows(view, &made, k, last)) {
                const uint64_t size = made.axes.size[last];
                move_axis(view, k, &made, last);
                made.axes.size[last] *= size;
                continue;
            }
            if (pass == 1) made.axes.reduced |= 1u << made.axes.count;
            move_axis(view, k, &made, made.axes.count++);
        }
    }
    return made;
}

/* Sorts the reduced axes of a merged view by how far the first array's elements lie apart, the furthest first. */
static void sort(jr_view *view) {
    const int first = jr_view_count(view, false);
    for (int i = first + 1; i < view->axes.count; i++)
        for (int k = i; k > first && distance_of(view->stride[0][k - 1]) < distance_of(view->stride[0][k]); k--) {
            const jr_view before = *view;
            move_axis(&before, k, view, k - 1);
            move_axis(&before, k - 1, view, k);
        }
}

jr_status jr_view_settle(jr_view *view, bool in_order) {
    *view = merge(view);
    if (!in_order) {
        sort(view);
        *view = merge(view);
    }
    if (jr_view_count(view, true) <= JR_AXES_MAX && jr_view_count(view, false) <= JR_AXES_MAX) return JR_OK;
    return jr_fail(
        JR_ERROR_NOT_APPLICABLE,
        "strides along %d reduced axes and %d others that are not one after the other: at most %d of each are "
        "read where they lie; copy the array",
        jr_view_count(view, true), jr_view_count(view, false), JR_AXES_MAX);
}

void jr_view_settle_scan(jr_view *view) {
    view->axes.reduced = (1u << view->axes.count) - 1;
    number_elements(view);
    *view = merge(view);
}

/* ---- of a settled view ---- */

int jr_view_count(const jr_view *view, bool reduced) {
    int count = 0;
    for (int k = 0; k < view->axes.count; k++) count += jr_axes_is_reduced(&view->axes, k) == reduced;
    return count;
}

void jr_view_reach(const jr_view *view, int array, uint64_t *before, uint64_t *after) {
    *before = *after = 0;
    for (int k = 0; k < view->axes.count; k++) {
        const int64_t stride = view->stride[array][k];
        *(stride < 0 ? before : after) += distance_of(stride) * (view->axes.size[k] - 1);
    }
}

jr_view_map jr_view_map_of(const jr_view *view, bool reduced) {
    jr_view_map map = {.size = {1, 1, 1, 1}};
    int next = 0;
    for (int k = view->axes.count - 1; k >= 0; k--) {
        if (jr_axes_is_reduced(&view->axes, k) != reduced) continue;
        map.size[next] = view->axes.size[k];
        if (reduced) map.index[next] = view->index[k];
        for (int a = 0; a < view->arrays; a++) map.stride[a][next] = (uint64_t)view->stride[a][k];
        next++;
    }
    return map;
}

bool jr_view_is_by_lanes(const jr_view *view) {
    const int kept = jr_view_count(view, false), last = view->axes.count - 1;
    if (kept == 0 || last < kept) return kept == 0;
    return distance_of(view->stride[0][last]) < distance_of(view->stride[0][kept - 1]);
}
