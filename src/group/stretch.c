/* Deals host memory out to devices. */
#include "stretch.h"

#include <pthread.h>
#include <string.h>

#include "base/own_thread.h"
#include "base/whole.h"
#include "host/host_call.h"
#include "lost.h"

/* Whole packs, of any type; the last stretches may have fewer elements than others, or none. */
static jr_host_part part_of(const jr_group_plan *plan, uint64_t count, size_t device) {
    enum { GRANULE = 64 };
    const uint64_t packs = jr_divide_up(count, GRANULE),
                   share = jr_divide_up(packs, plan->group->local_count) * GRANULE;
    const uint64_t begin = device == 0 || count / device >= share ? device * share : count;
    return (jr_host_part){.count = count - begin < share ? count - begin : share, .first = begin};
}

jr_status jr_stretch_cut(jr_group_plan *plan, const jr_spec *spec, const void *const *arrays, uint64_t count,
                         jr_stretch *stretches) {
    const jr_reduction *reduction = plan->merge->reduction;
    const jr_status status = jr_host_call_check(reduction, arrays, count);
    for (size_t i = 0; status == JR_OK && i < plan->group->local_count; i++) {
        jr_stretch *own = &stretches[i];
        *own = (jr_stretch){.context = plan->group->contexts[i],
                            .spec = spec,
                            .part = part_of(plan, count, i),
                            .state = jr_group_plan_state(plan, i)};
        for (int k = 0; k < reduction->input_count && arrays[k] != NULL; k++)
            own->arrays[k] = (const char *)arrays[k] + own->part.first * reduction->inputs[k].bytes;
        own->part.first += plan->before;
        own->part.data = own->arrays;
        own->part.stats = &own->stats;
        jr_group_plan_tell(plan, i, own->part.count);
    }
    return status;
}

jr_status jr_stretch_fold(const jr_stretch *own) {
    return jr_host_fold(own->context, own->spec, &own->part, own->state);
}

/* ---- threads ---- */

typedef struct worker {
    jr_stretch *own;
    jr_status (*work)(const jr_stretch *own);
} worker;

static void *do_work(void *user) {
    const worker *at = user;
    at->own->error = NULL;
    at->own->status = at->work(at->own);
    if (at->own->status != JR_OK) at->own->error = jr_error_save();
    return NULL;
}

static jr_status find_failure(const jr_group *group, const jr_stretch *stretches) {
    jr_status status = JR_OK;
    for (size_t i = 0; i < group->local_count; i++) {
        const jr_stretch *own = &stretches[i];
        if (own->status == JR_OK) continue;
        if (status != JR_OK) {
            jr_error_discard(own->error);
            continue;
        }
        status = own->status;
        if (own->error == NULL) jr_fail_with(status, NULL, NULL, "no memory to say what failed");
        jr_error_restore(own->error);
        jr_group_name_device(group, i, status);
    }
    return status;
}

static double later(double one, double other) {
    return one > other ? one : other;
}

/* How the first device worked, and how long the slowest one. */
static void keep_stats(jr_group *group, const jr_stretch *stretches) {
    jr_stats *kept = &group->stats;
    *kept = stretches[0].stats;
    for (size_t i = 1; i < group->local_count; i++) {
        const jr_stats *own = &stretches[i].stats;
        if (own->origin > kept->origin) kept->origin = own->origin;
        if (kept->compiled_because[0] == '\0')
            memcpy(kept->compiled_because, own->compiled_because, sizeof kept->compiled_because);
        kept->nvrtc_ms = later(kept->nvrtc_ms, own->nvrtc_ms);
        kept->cache_ms = later(kept->cache_ms, own->cache_ms);
        kept->load_ms = later(kept->load_ms, own->load_ms);
        kept->sources_ms = later(kept->sources_ms, own->sources_ms);
        kept->compiler_ms = later(kept->compiler_ms, own->compiler_ms);
        kept->wait_ms = later(kept->wait_ms, own->wait_ms);
        kept->precompiled += own->precompiled;
        kept->launch_ms = later(kept->launch_ms, own->launch_ms);
        kept->kernel_ms = later(kept->kernel_ms, own->kernel_ms);
        kept->copy_ms = later(kept->copy_ms, own->copy_ms);
        kept->launches += own->launches;
        kept->parts += own->parts;
    }
}

/* The calling thread takes the first one, and those for which no thread can be had. */
jr_status jr_stretch_work(jr_group *group, jr_stretch *stretches, jr_status (*work)(const jr_stretch *own)) {
    pthread_t threads[JR_GROUP_DEVICES_MAX];
    bool begun[JR_GROUP_DEVICES_MAX] = {false};
    worker workers[JR_GROUP_DEVICES_MAX];
    for (size_t i = 0; i < group->local_count; i++) {
        workers[i] = (worker){&stretches[i], work};
        if (i > 0) begun[i] = jr_own_thread_begin(&threads[i], NULL, do_work, &workers[i]) == 0;
    }
    for (size_t i = 0; i < group->local_count; i++)
        if (!begun[i]) do_work(&workers[i]);
    for (size_t i = 0; i < group->local_count; i++)
        if (begun[i]) pthread_join(threads[i], NULL);
    const jr_status status = find_failure(group, stretches);
    if (status == JR_OK) keep_stats(group, stretches);
    return status;
}
