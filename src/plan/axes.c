/* Merges axes, and works out where their elements lie. */
#include "axes.h"

#include <string.h>

_Static_assert(2 * JR_AXES_MAX >= JR_DIMENSIONS_MAX, "abi.h: merged axes that take turns do not fit");

jr_axes jr_axes_of(const jr_segment_layout *layout) {
    jr_axes axes = {.count = layout->dimensions, .reduced = layout->reduced};
    memcpy(axes.size, layout->shape, sizeof axes.size);
    return axes;
}

bool jr_axes_is_reduced(const jr_axes *axes, int axis) {
    return (axes->reduced >> axis & 1) != 0;
}

jr_axes jr_axes_merge(const jr_axes *axes) {
    jr_axes made = {.count = 0};
    bool before = false; /* asking `made` for it is a comparison of two bits that GCC 12 gets wrong at -O1 */
    for (int i = 0; i < axes->count; i++) {
        const bool reduced = jr_axes_is_reduced(axes, i);
        if (axes->size[i] == 1) continue;
        if (made.count > 0 && reduced == before) {
            made.size[made.count - 1] *= axes->size[i];
            continue;
        }
        if (reduced) made.reduced |= 1u << made.count;
        made.size[made.count++] = axes->size[i];
        before = reduced;
    }
    return made;
}

bool jr_axes_product(const jr_axes *axes, int first, int last, bool reduced, uint64_t *product) {
    uint64_t made = 1;
    for (int i = first; i < last; i++) {
        if (jr_axes_is_reduced(axes, i) != reduced) continue;
        if (axes->size[i] != 0 && made > UINT64_MAX / axes->size[i]) return false;
        made *= axes->size[i];
    }
    *product = made;
    return true;
}

uint64_t jr_axes_stride(const jr_axes *axes, int axis) {
    uint64_t stride = 1;
    for (int i = axis + 1; i < axes->count; i++) stride *= axes->size[i];
    return stride;
}

jr_axis_map jr_axes_map(const jr_axes *axes, bool reduced) {
    jr_axis_map map = {.size = {1, 1, 1, 1}};
    int next = 0;
    for (int i = axes->count - 1; i >= 0; i--) {
        if (jr_axes_is_reduced(axes, i) != reduced) continue;
        map.size[next] = axes->size[i];
        map.stride[next++] = jr_axes_stride(axes, i);
    }
    return map;
}
