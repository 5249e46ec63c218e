/* Makes random views. */
#include "view_case.h"

#include <stdio.h>

/* Strides of an array whose axes lie in a random order, with gaps, turned or repeated by chance. */
static void lay(view_case *view, int array, uint64_t *seed) {
    int order[JR_DIMENSIONS_MAX];
    uint64_t step = 1 + random_below(seed, 3) % 2 * random_below(seed, 3), first = 0, reach = 0;
    for (int k = 0; k < view->dimensions; k++) order[k] = k;
    for (int k = view->dimensions - 1; k > 0; k--) {
        const int other = random_below(seed, 2) == 0 ? k : (int)random_below(seed, (uint64_t)k + 1), kept = order[k];
        order[k] = order[other];
        order[other] = kept;
    }
    for (int k = view->dimensions - 1; k >= 0; k--) {
        const int axis = order[k];
        const uint64_t steps = view->shape[axis] - 1;
        const uint64_t kind = random_below(seed, 8);
        view->strides[array][axis] = kind == 0 ? 0 : kind == 1 && k > 0 ? 1 : (int64_t)step;
        reach += (uint64_t)view->strides[array][axis] * steps;
        if (random_below(seed, 4) == 0) {
            first += (uint64_t)view->strides[array][axis] * steps;
            view->strides[array][axis] = -view->strides[array][axis];
        }
        if (kind > 1) step *= view->shape[axis] * (1 + random_below(seed, 2)) + random_below(seed, 2) * 3;
    }
    view->first[array] = first;
    view->elements[array] = reach + 1;
    view->given[array] = view->strides[array];
}

view_case view_random(uint64_t most, uint64_t *seed) {
    view_case view = {.dimensions = 1 + (int)random_below(seed, VIEW_DIMENSIONS), .segments = 1, .length = 1};
    const int longest = (int)random_below(seed, (uint64_t)view.dimensions);
    uint64_t left = most;
    for (int k = 0; k < view.dimensions; k++) {
        view.shape[k] = 1 + random_below(seed, 6);
        if (left < view.shape[k]) view.shape[k] = left;
        left /= view.shape[k];
    }
    if (random_below(seed, 2) == 0) view.shape[longest] += random_below(seed, left * view.shape[longest]);
    view.reduced = 1 + (unsigned)random_below(seed, (1ull << view.dimensions) - 1);
    for (int k = 0; k < view.dimensions; k++) {
        const bool reduced = (view.reduced >> k & 1) != 0;
        if (reduced) view.axes[view.axis_count++] = k;
        *(reduced ? &view.length : &view.segments) *= view.shape[k];
    }
    for (int a = 0; a < VIEW_ARRAYS; a++) lay(&view, a, seed);
    return view;
}

int32_t *view_numbers(const view_case *view, int array, uint64_t *seed) {
    int32_t *data = test_zeros(view->elements[array], sizeof *data);
    for (uint64_t e = 0; e < view->elements[array]; e++) data[e] = (int32_t)random_below(seed, 2001) - 1000;
    return data;
}

jr_axis view_axis(view_case *view) {
    for (int a = 0; a < VIEW_ARRAYS; a++) view->given[a] = view->strides[a]; /* the case may be a copy */
    return JR_INIT(jr_axis, .shape = view->shape, .dimensions = view->dimensions, .axes = view->axes,
                   .axis_count = view->axis_count, .strides = view->given);
}

uint64_t view_element(const view_case *view, int array, uint64_t segment, uint64_t k) {
    uint64_t at = view->first[array];
    for (int axis = view->dimensions - 1; axis >= 0; axis--) {
        uint64_t *number = (view->reduced >> axis & 1) != 0 ? &k : &segment;
        at += *number % view->shape[axis] * (uint64_t)view->strides[array][axis];
        *number /= view->shape[axis];
    }
    return at;
}

const char *view_text(const view_case *view) {
    static char text[512];
    int used = snprintf(text, sizeof text, "reduced 0x%x of", view->reduced);
    for (int k = 0; k < view->dimensions; k++)
        used +=
            snprintf(text + used, sizeof text - (size_t)used, " %llu(%lld %lld)", (unsigned long long)view->shape[k],
                     (long long)view->strides[0][k], (long long)view->strides[1][k]);
    return text;
}
