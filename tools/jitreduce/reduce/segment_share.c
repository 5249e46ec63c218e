/* Cuts segments into shares. */
#include "segment_share.h"

#include <stdlib.h>

/* Where share `index` of so many begins. */
static uint64_t begin_of(uint64_t count, uint64_t index, uint64_t shares) {
    const uint64_t more = count % shares;
    return count / shares * index + (more < index ? more : index);
}

/* The number of contiguous whole slices of segments; *each: results of one slice. */
static uint64_t count_slices(const jr_segment_layout *layout, uint64_t count, uint64_t *each) {
    *each = 1;
    if (layout->kind == JR_SEGMENTS_STRIDED) *each = layout->inner;
    if (layout->kind == JR_SEGMENTS_AXES)
        *each = (layout->reduced & 1) == 0 && layout->shape[0] > 0 ? count / layout->shape[0] : count;
    return *each > 0 ? count / *each : 0;
}

static void cut_slices(const cli_segmentation *all, uint64_t element_count, uint64_t index, uint64_t shares,
                       cli_segment_share *share) {
    uint64_t each;
    const uint64_t slices = count_slices(&all->layout, all->segments.segments, &each),
                   begin = begin_of(slices, index, shares), end = begin_of(slices, index + 1, shares),
                   elements = slices > 0 ? element_count / slices : 0;
    share->first_result = begin * each;
    share->segments.segments = (end - begin) * each;
    share->first_element = begin * elements;
    share->element_count = (end - begin) * elements;
    if (all->layout.kind == JR_SEGMENTS_AXES && (all->layout.reduced & 1) == 0) share->layout.shape[0] = end - begin;
}

/* ---- a part of each ---- */

static uint64_t rows_of(const jr_segment_layout *layout) {
    return layout->kind == JR_SEGMENTS_AXES ? layout->shape[0] : layout->length;
}

static bool has_parts_of_each(const cli_segmentation *all) {
    uint64_t each;
    return all->layout.kind != JR_SEGMENTS_OFFSETS && count_slices(&all->layout, all->segments.segments, &each) == 1 &&
           rows_of(&all->layout) > 1;
}

static void cut_rows(const cli_segmentation *all, uint64_t element_count, uint64_t index, uint64_t shares,
                     cli_segment_share *share) {
    const uint64_t rows = rows_of(&all->layout), begin = begin_of(rows, index, shares),
                   count = begin_of(rows, index + 1, shares) - begin, elements = element_count / rows;
    share->of_each = true;
    share->first_element = begin * elements;
    share->element_count = count * elements;
    share->layout.length = all->layout.length / rows * count;
    if (all->layout.kind == JR_SEGMENTS_AXES) share->layout.shape[0] = count;
}

/* ---- offsets ---- */

/* Divides by elements: the first segment that begins at the share's beginning, or after it. */
static uint64_t segment_at(const jr_work_data *segments, uint64_t index, uint64_t shares) {
    const uint64_t *offsets = segments->offsets;
    const uint64_t wanted = offsets[0] + begin_of(offsets[segments->segments] - offsets[0], index, shares);
    uint64_t low = 0, high = segments->segments;
    while (low < high && index > 0) {
        const uint64_t middle = low + (high - low) / 2;
        if (offsets[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return index == shares ? segments->segments : low;
}

static cli_exit cut_offsets(const cli_segmentation *all, uint64_t index, uint64_t shares, cli_segment_share *share,
                            cli_error *error) {
    const uint64_t *offsets = all->segments.offsets;
    const uint64_t begin = segment_at(&all->segments, index, shares),
                   end = segment_at(&all->segments, index + 1, shares);
    share->first_result = begin;
    share->segments.segments = end - begin;
    share->first_element = offsets[begin];
    share->element_count = offsets[end] - offsets[begin];
    share->offsets = malloc((end - begin + 1) * sizeof *offsets);
    if (share->offsets == NULL)
        return cli_fail(error, CLI_FAILURE, "--segments: out of memory for %llu segments",
                        (unsigned long long)(end - begin));
    for (uint64_t s = begin; s <= end; s++) share->offsets[s - begin] = offsets[s] - offsets[begin];
    share->segments.offsets = share->offsets;
    return CLI_OK;
}

cli_exit cli_segment_share_make(const cli_segmentation *all, uint64_t element_count, uint64_t index, uint64_t shares,
                                cli_segment_share *share, cli_error *error) {
    cli_segment_share made = {.layout = all->layout, .segments = all->segments};
    cli_exit code = CLI_OK;
    if (all->layout.kind == JR_SEGMENTS_OFFSETS)
        code = cut_offsets(all, index, shares, &made, error);
    else if (has_parts_of_each(all))
        cut_rows(all, element_count, index, shares, &made);
    else
        cut_slices(all, element_count, index, shares, &made);
    if (code == CLI_OK) *share = made;
    return code;
}

void cli_segment_share_free(cli_segment_share *share) {
    free(share->offsets);
    *share = (cli_segment_share){.offsets = NULL};
}

void cli_segment_share_arrays(const cli_segment_share *share, const cli_inputs *inputs,
                              const void *arrays[JR_INPUTS_MAX]) {
    for (int i = 0; i < inputs->count; i++) {
        const char *elements = inputs->arrays[i];
        arrays[i] = elements != NULL ? elements + share->first_element * inputs->input[i].element_bytes : NULL;
    }
}
