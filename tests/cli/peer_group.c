/* A peer of groups for tests: this library itself under another name. PEER_WRONG: it takes the elements of the first
 * device for those of the last; PEER_FAILS: its runs fail with error 7; PEER_REFUSES: it can use no devices; PEER_OLD:
 * it was built with another interface. */
#include <jitreduce.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/group_peer.h"

typedef struct handle {
    jr_group *group;
    jr_group_plan *plan;
    int devices;
} handle;

static void close_group(void *opaque) {
    handle *h = opaque;
    jr_group_plan_destroy(h->plan);
    jr_group_close(h->group);
    free(h);
}

static void *open_group(int devices, const int *ordinals, uint64_t count) {
    char names[1024] = "sim:";
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .capacity = count, .block = 64);
    const jr_group_options options = JR_INIT(jr_group_options, .devices = names);
    size_t used = 4;
    handle *h = calloc(1, sizeof *h);
    if (h == NULL) return NULL;
    h->devices = devices;
    for (int i = 0; i < devices; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%d", i > 0 ? "," : "", ordinals[i]);
#ifndef PEER_REFUSES
    if (jr_group_open(&options, &h->group) == JR_OK &&
        jr_work_group_plan_create(h->group, &JR_INIT(jr_work, .spec = &spec), &h->plan) == JR_OK)
        return h;
#else
    (void)spec, (void)options;
#endif
    close_group(h);
    return NULL;
}

static int get_value(void *opaque, const float *const *d_in, uint64_t count, float *value) {
#ifdef PEER_FAILS
    (void)opaque, (void)d_in, (void)count, (void)value;
    return 7;
#else
    handle *h = opaque;
    const void *arrays[JR_GROUP_DEVICES_MAX];
    const void *const *in[JR_GROUP_DEVICES_MAX];
    uint64_t counts[JR_GROUP_DEVICES_MAX];
    jr_value sum;
    for (int i = 0; i < h->devices; i++) {
        arrays[i] = d_in[i];
        in[i] = &arrays[i];
        counts[i] = count;
    }
#ifdef PEER_WRONG
    arrays[h->devices - 1] = d_in[0];
#endif
    const jr_group_parts parts = JR_INIT(jr_group_parts, .d_in = in, .counts = counts, .values = &sum);
    const jr_status status = jr_work_group_plan_run(h->plan, &parts);
    if (status == JR_OK) *value = sum.as.f32;
    return -(int)status;
#endif
}

const group_peer *group_peer_get(void) {
#ifdef PEER_OLD
    static const group_peer self = {.version = 99};
#else
    static const group_peer self = {.version = GROUP_PEER_VERSION,
                                    .name = "ourselves",
                                    .open = open_group,
                                    .value = get_value,
                                    .close = close_group};
#endif
    return &self;
}
