/* Reduces host memory by all devices of a rank: a stretch for each, and a thread for each. */
#include "host.h"

#include <pthread.h>
#include <string.h>

#include "base/error.h"
#include "base/own_thread.h"
#include "base/whole.h"
#include "plan.h"
#include "reduce/host.h"

/* One device's stretch. */
typedef struct stretch {
    jr_context *context;
    const jr_spec *spec;
    const void *arrays[JR_INPUTS_MAX];
    jr_host_part part;
    unsigned char *state;
    jr_status status;
    jr_error_saved *error; /* of one that failed, and was folded in a thread of its own */
} stretch;

/* Stretches of whole packs, of any type; the last ones may have fewer elements than others, or none. */
static jr_host_part part_of(const jr_group_plan *plan, uint64_t count, size_t device) {
    enum { GRANULE = 64 };
    const uint64_t share = jr_divide_up(jr_divide_up(count, plan->group->local_count), GRANULE) * GRANULE;
    const uint64_t begin = device * share < count ? device * share : count;
    const uint64_t end = count - begin < share ? count : begin + share;
    return (jr_host_part){.count = end - begin, .first = begin};
}

static void cut(jr_group_plan *plan, const jr_spec *spec, const jr_group_data *data, stretch *stretches) {
    const jr_reduction *reduction = plan->merge->reduction;
    for (size_t i = 0; i < plan->group->local_count; i++) {
        stretch *own = &stretches[i];
        *own = (stretch){.context = plan->group->contexts[i],
                         .spec = spec,
                         .part = part_of(plan, data->count, i),
                         .state = jr_group_plan_state(plan, i)};
        for (int k = 0; k < reduction->input_count; k++)
            own->arrays[k] = data->arrays[k] != NULL
                                 ? (const char *)data->arrays[k] + own->part.first * reduction->inputs[k].bytes
                                 : NULL;
        own->part.first += plan->before;
        jr_group_plan_tell(plan, i, own->part.count);
    }
}

static void fold(stretch *own) {
    own->part.data = own->arrays;
    own->status = jr_host_fold(own->context, own->spec, &own->part, own->state);
}

static void *fold_in_thread(void *user) {
    stretch *own = user;
    fold(own);
    if (own->status != JR_OK) own->error = jr_error_save();
    return NULL;
}

/* The first one is folded by the calling thread, and those for which no thread can be had, too. */
static void fold_all(const jr_group *group, stretch *stretches) {
    pthread_t threads[JR_GROUP_DEVICES_MAX];
    bool begun[JR_GROUP_DEVICES_MAX];
    for (size_t i = 1; i < group->local_count; i++)
        begun[i] = jr_own_thread_begin(&threads[i], NULL, fold_in_thread, &stretches[i]) == 0;
    for (size_t i = 0; i < group->local_count; i++)
        if (i == 0 || !begun[i]) fold_in_thread(&stretches[i]);
    for (size_t i = 1; i < group->local_count; i++)
        if (begun[i]) pthread_join(threads[i], NULL);
}

/* Of several failures the first device's is told. */
static jr_status find_failure(const jr_group *group, stretch *stretches) {
    jr_status status = JR_OK;
    for (size_t i = 0; i < group->local_count; i++) {
        if (stretches[i].status == JR_OK) continue;
        if (status != JR_OK) {
            jr_error_discard(stretches[i].error);
            continue;
        }
        status = stretches[i].status;
        if (stretches[i].error == NULL) jr_fail(status, "no memory to say what failed");
        jr_error_restore(stretches[i].error);
        if (group->size > 1) jr_fail_prefix("device %zu of the group: ", group->first + i);
    }
    return status;
}

static jr_status fold_stretches(jr_group_plan *plan, const jr_spec *spec, const jr_group_data *data) {
    stretch stretches[JR_GROUP_DEVICES_MAX];
    for (int k = 0; k < plan->merge->reduction->input_count; k++)
        if (data->arrays[k] == NULL && data->count > 0)
            return jr_fail(JR_ERROR_INVALID_ARGUMENT, "data is NULL, but the count is %llu",
                           (unsigned long long)data->count);
    cut(plan, spec, data, stretches);
    fold_all(plan->group, stretches);
    return find_failure(plan->group, stretches);
}

jr_status jr_group_host_reduce(jr_group *group, jr_status status, const jr_spec *spec, const jr_group_data *data,
                               jr_value *values) {
    jr_group_plan *plan = NULL;
    status = jr_group_plan_make_merge(group, status, spec, data->count, &plan);
    if (status != JR_OK) return status;
    status = jr_group_plan_finish(plan, fold_stretches(plan, spec, data), values);
    jr_group_plan_free(plan);
    return status;
}
