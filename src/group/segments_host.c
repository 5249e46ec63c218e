/* Reduces segments of host memory: each device of a rank takes some, whole, and ranks have their own. */
#include <stdlib.h>
#include <string.h>

#include "host.h"
#include "reduce/segment_layout.h"
#include "stretch.h"

/* What a device takes. */
typedef struct share {
    jr_segment_layout layout;
    jr_segments segments;
    uint64_t first_element, first_result;
    uint64_t *offsets; /* its own: from its first element on */
} share;

/* ---- dealing out ---- */

/* Whole ones that lie behind each other, in rows or slices; how many of such there are. 0: along the first axis. */
static uint64_t count_slices(const jr_segment_layout *layout, uint64_t count, uint64_t *each) {
    *each = 1;
    if (layout->kind == JR_SEGMENTS_STRIDED) *each = layout->inner;
    if (layout->kind == JR_SEGMENTS_AXES)
        *each = (layout->reduced & 1) == 0 && layout->shape[0] > 0 ? count / layout->shape[0] : 0;
    return *each > 0 ? count / *each : 0;
}

/* Rows by their number, as they are equally long; the last devices may have fewer, or none. */
static uint64_t begin_of_row(uint64_t slices, size_t device, size_t devices) {
    return slices / devices * device + (slices % devices < device ? slices % devices : device);
}

/* By the elements of all: where a device's share of these begins. */
static uint64_t begin_by_offsets(const jr_segments *segments, size_t device, size_t devices) {
    const uint64_t *offsets = segments->offsets;
    const uint64_t all = offsets[segments->count] - offsets[0];
    const uint64_t wanted = offsets[0] + begin_of_row(all, device, devices);
    uint64_t low = 0, high = segments->count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (offsets[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return device == devices ? segments->count : low;
}

static jr_status share_offsets(const jr_segments *all, size_t device, size_t devices, share *own) {
    const uint64_t begin = device == 0 ? 0 : begin_by_offsets(all, device, devices),
                   end = begin_by_offsets(all, device + 1, devices);
    own->first_result = begin;
    own->segments.count = end - begin;
    own->first_element = all->offsets[begin];
    own->offsets = malloc((end - begin + 1) * sizeof *own->offsets);
    if (own->offsets == NULL)
        return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the offsets of %llu segments",
                       (unsigned long long)(end - begin));
    for (uint64_t s = begin; s <= end; s++) own->offsets[s - begin] = all->offsets[s] - own->first_element;
    own->segments.offsets = own->offsets;
    return JR_OK;
}

/* What cannot be dealt out goes through the first device. elements: of all. */
static jr_status deal(const jr_segment_layout *layout, const jr_segments *all, uint64_t elements, size_t device,
                      size_t devices, share *own) {
    uint64_t each;
    const uint64_t slices = count_slices(layout, all->count, &each);
    *own = (share){.layout = *layout, .segments = *all};
    if (slices <= 1 || devices == 1) {
        if (device > 0) own->segments.count = 0;
        return JR_OK;
    }
    if (layout->kind == JR_SEGMENTS_OFFSETS) return share_offsets(all, device, devices, own);
    const uint64_t begin = begin_of_row(slices, device, devices), end = begin_of_row(slices, device + 1, devices);
    own->first_result = begin * each;
    own->first_element = begin * (elements / slices);
    own->segments.count = (end - begin) * each;
    if (layout->kind == JR_SEGMENTS_AXES) own->layout.shape[0] = end - begin;
    return JR_OK;
}

/* ---- the call ---- */

static jr_status reduce_share(const jr_stretch *own) {
    const share *of = own->share;
    if (of->segments.count == 0 && own->part.first > 0) return JR_OK;
    const jr_segment_share asked = {
        .data = own->arrays, .segments = &of->segments, .results = own->out, .stats = own->part.stats};
    return jr_segment_host_share(own->context, own->spec, &of->layout, &asked);
}

static jr_status cut(const jr_group *group, const jr_spec *spec, const jr_group_segments *asked,
                     const jr_reduction *reduction, share *shares, jr_stretch *stretches) {
    uint64_t elements = 0;
    jr_status status = jr_segment_layout_elements(&asked->layout, &asked->segments, true, &elements);
    for (size_t i = 0; status == JR_OK && i < group->local_count; i++) {
        status = deal(&asked->layout, &asked->segments, elements, i, group->local_count, &shares[i]);
        jr_stretch *own = &stretches[i];
        *own = (jr_stretch){.context = group->contexts[i],
                            .spec = spec,
                            .share = &shares[i],
                            .part = {.first = i}, /* the first device runs in any case: it finds what is wrong */
                            .out = (unsigned char *)asked->out + shares[i].first_result * reduction->output_bytes};
        own->part.stats = &own->stats;
        for (int k = 0; k < reduction->input_count; k++)
            if (asked->arrays[k] != NULL)
                own->arrays[k] = (const char *)asked->arrays[k] + shares[i].first_element * reduction->inputs[k].bytes;
    }
    return status;
}

static jr_status reduce(jr_group *group, const jr_spec *spec, const jr_group_segments *asked,
                        const jr_reduction *reduction) {
    jr_stretch stretches[JR_GROUP_DEVICES_MAX];
    share shares[JR_GROUP_DEVICES_MAX] = {{.offsets = NULL}};
    jr_status status = cut(group, spec, asked, reduction, shares, stretches);
    if (status == JR_OK) status = jr_stretch_work(group, stretches, reduce_share);
    for (size_t i = 0; i < group->local_count; i++) free(shares[i].offsets);
    return status;
}

/* The results come to the caller's memory when all ranks have theirs. */
static jr_status reduce_and_tell(jr_group *group, jr_status status, const jr_spec *spec,
                                 const jr_group_segments *asked) {
    const jr_payload done = {.step = JR_STEP_RESULTS};
    jr_job job = {.context = group->contexts[0], .kind = JR_JOB_SEGMENTS};
    jr_group_segments own;
    uint64_t bytes = 0;
    void *made = NULL;
    if (status == JR_OK) {
        own = *asked;
        job.layout = asked->layout;
        status = jr_job_make(spec, &job);
    }
    if (status == JR_OK) {
        own.layout = job.layout;
        if (own.segments.count > SIZE_MAX / 2 / job.reduction->output_bytes)
            status = jr_fail(JR_ERROR_INVALID_ARGUMENT, "%llu segments: their results are beyond the address space",
                             (unsigned long long)own.segments.count);
    }
    if (status == JR_OK) {
        bytes = own.segments.count * job.reduction->output_bytes;
        own.out = made = malloc(bytes > 0 ? bytes : 1);
        status = made != NULL ? reduce(group, spec, &own, job.reduction)
                              : jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the results of %llu segments",
                                        (unsigned long long)own.segments.count);
    }
    status = jr_exchange_run(&group->exchange, status, &done);
    if (status == JR_OK && bytes > 0) memcpy(asked->out, made, bytes);
    free(made);
    jr_job_free(&job);
    return status;
}

static jr_status refuse_keys(jr_status status, const jr_group_segments *asked) {
    if (status != JR_OK || asked->layout.kind != JR_SEGMENTS_KEYS) return status;
    return jr_fail(JR_ERROR_NOT_APPLICABLE,
                   "segments by keys: how many there are in which place is known when all are reduced: a group does "
                   "not deal them out");
}

jr_status jr_group_host_segments(jr_group *group, jr_status status, const jr_spec *spec,
                                 const jr_group_segments *asked) {
    return reduce_and_tell(group, refuse_keys(status, asked), spec, asked);
}
