/* Deals segments out. */
#include "segments_deal.h"

#include <stdlib.h>

#include "host/key_runs.h"

/* One of so many devices, or the end of the last one's share. */
typedef struct place {
    size_t device, devices;
} place;

static place behind(place at) {
    return (place){at.device + 1, at.devices};
}

/* Where equal shares of what is counted begin; the last devices may have less, or nothing. */
static uint64_t begin_of(uint64_t count, place at) {
    return count / at.devices * at.device + (count % at.devices < at.device ? count % at.devices : at.device);
}

/* ---- rows, and slices of an array ---- */

/* The number of contiguous slices; each: how many segments one has. 0: segments run along the first axis. */
static uint64_t count_slices(const jr_group_segments *all, uint64_t *each) {
    const jr_segment_layout *layout = &all->layout;
    const uint64_t count = all->data.segments;
    *each = 1;
    if (layout->kind == JR_SEGMENTS_STRIDED) *each = layout->inner;
    if (layout->kind == JR_SEGMENTS_AXES)
        *each = (layout->reduced & 1) == 0 && layout->shape[0] > 0 ? count / layout->shape[0] : 0;
    return *each > 0 ? count / *each : 0;
}

static void take_slices(const jr_group_deal *deal, place at, jr_group_share *own) {
    uint64_t each;
    const uint64_t slices = count_slices(deal->asked, &each);
    const uint64_t begin = begin_of(slices, at), end = begin_of(slices, behind(at));
    own->first_result = begin * each;
    own->first_element = begin * (deal->elements / slices);
    own->element_count = (end - begin) * (deal->elements / slices);
    own->data.segments = (end - begin) * each;
    if (own->layout.kind == JR_SEGMENTS_AXES) own->layout.shape[0] = end - begin;
}

/* ---- between offsets ---- */

/* By the elements of all: the first segment of a device. */
static uint64_t begin_by_offsets(const jr_work_data *data, place at) {
    const uint64_t *offsets = data->offsets;
    const uint64_t wanted = offsets[0] + begin_of(offsets[data->segments] - offsets[0], at);
    uint64_t low = 0, high = data->segments;
    if (at.device == 0) return 0;
    if (at.device == at.devices) return data->segments;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (offsets[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static jr_status take_offsets(const jr_group_deal *deal, place at, jr_group_share *own) {
    const jr_work_data *all = &deal->asked->data;
    const uint64_t begin = begin_by_offsets(all, at), end = begin_by_offsets(all, behind(at));
    own->first_result = begin;
    own->data.segments = end - begin;
    own->first_element = deal->scans && at.device == 0 ? 0 : all->offsets[begin];
    own->element_count = all->offsets[end] - own->first_element;
    own->offsets = malloc((end - begin + 1) * sizeof *own->offsets);
    if (own->offsets == NULL)
        return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the offsets of %llu segments",
                       (unsigned long long)(end - begin));
    for (uint64_t s = begin; s <= end; s++) own->offsets[s - begin] = all->offsets[s] - own->first_element;
    own->data.offsets = own->offsets;
    return JR_OK;
}

/* ---- by keys ---- */

/* The first change of the keys from a device's equal share on. */
static uint64_t begin_by_keys(const jr_group_deal *deal, place at) {
    const jr_dtype *type = jr_dtype_find(deal->asked->layout.key_type);
    const unsigned char *keys = deal->asked->data.keys;
    uint64_t k = begin_of(deal->elements, at);
    while (k > 0 && k < deal->elements && !jr_keys_differ(type, keys + (k - 1) * type->bytes, keys + k * type->bytes))
        k++;
    return k;
}

static void take_keys(const jr_group_deal *deal, place at, jr_group_share *own) {
    const uint64_t begin = begin_by_keys(deal, at), end = begin_by_keys(deal, behind(at));
    const unsigned char *keys = deal->asked->data.keys;
    own->first_element = begin;
    own->data.count = own->element_count = end - begin;
    if (end > begin) own->data.keys = keys + begin * jr_dtype_find(own->layout.key_type)->bytes;
}

/* ---- all of them ---- */

static bool can_be_dealt_out(const jr_group_deal *deal) {
    const jr_group_segments *all = deal->asked;
    uint64_t each;
    if (all->layout.kind == JR_SEGMENTS_OFFSETS) return all->data.segments > 1;
    if (all->layout.kind == JR_SEGMENTS_KEYS) return !deal->reduction->sees_index; /* which is that in the whole */
    return count_slices(all, &each) > 1;
}

static jr_status take(const jr_group_deal *deal, place at, jr_group_share *own) {
    *own = (jr_group_share){.layout = deal->asked->layout, .data = deal->asked->data};
    if (at.devices > 1 && can_be_dealt_out(deal)) {
        if (own->layout.kind == JR_SEGMENTS_OFFSETS) return take_offsets(deal, at, own);
        (own->layout.kind == JR_SEGMENTS_KEYS ? take_keys : take_slices)(deal, at, own);
    } else if (at.device == 0)
        own->element_count = deal->elements;
    else
        own->data.segments = own->data.count = 0;
    return JR_OK;
}

static jr_stretch stretch_of(const jr_group_deal *deal, const jr_group_share *share) {
    const jr_reduction *reduction = deal->reduction;
    const uint64_t result = deal->scans ? share->first_element : share->first_result;
    jr_stretch own = {.share = share, .exclusive = deal->asked->exclusive, .out = deal->asked->data.out};
    if (own.out != NULL) own.out = (unsigned char *)own.out + result * reduction->output_bytes;
    for (int k = 0; k < reduction->input_count; k++)
        if (deal->asked->data.in[k] != NULL)
            own.arrays[k] = (const char *)deal->asked->data.in[k] + share->first_element * reduction->inputs[k].bytes;
    return own;
}

jr_status jr_group_deal_work(jr_group *group, const jr_spec *spec, const jr_group_deal *deal,
                             jr_status (*work)(const jr_stretch *own)) {
    jr_stretch stretches[JR_GROUP_DEVICES_MAX];
    jr_group_share shares[JR_GROUP_DEVICES_MAX] = {{.offsets = NULL}};
    jr_status status = JR_OK;
    for (size_t i = 0; status == JR_OK && i < group->local_count; i++) {
        status = take(deal, (place){i, group->local_count}, &shares[i]);
        stretches[i] = stretch_of(deal, &shares[i]);
        stretches[i].context = group->contexts[i];
        stretches[i].spec = spec;
        stretches[i].part.first = i;
        stretches[i].part.stats = &stretches[i].stats;
    }
    if (status == JR_OK) status = jr_stretch_work(group, stretches, work);
    for (size_t i = 0; i < group->local_count; i++) free(shares[i].offsets);
    return status;
}
