/* Works out the inputs of kernels that scan. */
#include "scan_view.h"

#include "plan/cut.h"

_Static_assert(JR_DIMENSIONS_MAX == 2 * (int)JR_AXES_MAX, "two maps have all dimensions of an array");

jr_cut jr_scan_cut(const jr_plan *plan, const jr_run *run) {
    const jr_reduction *reduction = plan->reduction;
    if (plan->view.arrays == 0) return jr_cut_of(reduction, run->in, run->count);
    const uint64_t pack_elements = jr_cut_pack_elements(reduction), packs = run->count / pack_elements;
    jr_cut cut = {.packs = run->in[0], .pack_count = packs, .ends = run->count - packs * pack_elements};
    for (int i = 1; i < reduction->input_count; i++) cut.more[i - 1] = run->in[i];
    return cut;
}

void jr_scan_view_axes(const jr_plan *plan, jr_view_axes *axes) {
    const jr_view *view = &plan->view;
    if (view->arrays == 0) return;
    *axes = (jr_view_axes){.maps = {{.size = {1, 1, 1, 1}}, {.size = {1, 1, 1, 1}}}};
    for (int k = 0; k < view->axes.count; k++) {
        const int axis = view->axes.count - 1 - k, place = k % JR_AXES_MAX;
        jr_view_map *map = &axes->maps[k / JR_AXES_MAX];
        map->size[place] = view->axes.size[axis];
        for (int a = 0; a < view->arrays; a++) map->stride[a][place] = (uint64_t)view->stride[a][axis];
    }
}
