/* Makes and uses NCCL's communicators. */
#include "communicators.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "kernel/context.h"

struct jr_communicators {
    jr_nccl nccl;
    size_t count;
    jr_nccl_communicator items[JR_GROUP_DEVICES_MAX]; /* NULL: not made yet */
};

/* ---- how calls go on ---- */

static jr_status fail_call(const jr_communicators *all, jr_nccl_result result, const char *doing) {
    const jr_nccl *nccl = &all->nccl;
    const char *more = nccl->ncclGetLastError != NULL ? nccl->ncclGetLastError(NULL) : NULL;
    return jr_fail(JR_ERROR_TRANSPORT, "NCCL %s failed in %s: %d: %s%s%s", nccl->path, doing, result,
                   nccl->ncclGetErrorString(result), more != NULL && more[0] != '\0' ? "; " : "",
                   more != NULL ? more : "");
}

static jr_status check(const jr_communicators *all, jr_nccl_result result, const char *doing) {
    if (result == JR_NCCL_SUCCESS || result == JR_NCCL_IN_PROGRESS) return JR_OK;
    return fail_call(all, result, doing);
}

/* Is anything still under way? Errors: JR_ERROR_TRANSPORT. */
static jr_status ask(const jr_communicators *all, const char *doing, bool *under_way) {
    jr_status status = JR_OK;
    *under_way = false;
    for (size_t i = 0; status == JR_OK && i < all->count; i++) {
        jr_nccl_result state = JR_NCCL_SUCCESS;
        const jr_nccl_result asked = all->nccl.ncclCommGetAsyncError(all->items[i], &state);
        status = check(all, asked != JR_NCCL_SUCCESS ? asked : state, doing);
        *under_way = *under_way || state == JR_NCCL_IN_PROGRESS;
    }
    return status;
}

static jr_status check_time(double begin_ms, double limit_ms, const char *doing) {
    if (limit_ms == 0 || jr_clock_ms() - begin_ms < limit_ms) {
        sched_yield();
        return JR_OK;
    }
    return jr_fail(JR_ERROR_TRANSPORT,
                   "NCCL did not come back from %s within %g ms: a rank is lost, or needs a longer wait_limit_ms",
                   doing, limit_ms);
}

static jr_status settle(const jr_communicators *all, double limit_ms, const char *doing) {
    const double begin_ms = jr_clock_ms();
    bool under_way = true;
    jr_status status = ask(all, doing, &under_way);
    while (status == JR_OK && under_way) {
        status = check_time(begin_ms, limit_ms, doing);
        if (status == JR_OK) status = ask(all, doing, &under_way);
    }
    return status;
}

/* ---- making and freeing ---- */

void jr_communicators_abort(jr_group *group) {
    jr_communicators *all = group->communicators;
    if (all == NULL) return;
    JR_KEEP_ERROR;
    for (size_t i = 0; i < all->count; i++) {
        if (all->items[i] == NULL) continue;
        JR_INSIDE inside = jr_inside_device(&group->contexts[i]->device);
        if (inside.status == JR_OK) all->nccl.ncclCommAbort(all->items[i]);
    }
    free(all);
    group->communicators = NULL;
}

/* All ranks close their groups at about one time; those that do not are not waited for long. */
static void free_all(jr_communicators *all) {
    const double limit_ms = 5000;
    JR_KEEP_ERROR;
    jr_nccl_result result = JR_NCCL_SUCCESS;
    for (size_t i = 0; i < all->count; i++) {
        const jr_nccl_result one = all->nccl.ncclCommFinalize(all->items[i]);
        if (one != JR_NCCL_SUCCESS && one != JR_NCCL_IN_PROGRESS) result = one;
    }
    const bool well = result == JR_NCCL_SUCCESS && settle(all, limit_ms, "finalising") == JR_OK;
    for (size_t i = 0; i < all->count; i++) (well ? all->nccl.ncclCommDestroy : all->nccl.ncclCommAbort)(all->items[i]);
    free(all);
}

/* What rank 0 sends to the others. */
typedef struct invitation {
    jr_nccl_id id;
    uint64_t version;
    uint64_t there; /* of each rank: it has communicators already */
} invitation;

static jr_status open_library(jr_group *group, const char *path, invitation *own) {
    jr_communicators *all = calloc(1, sizeof *all);
    if (all == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for communicators");
    jr_status status = jr_nccl_open(path, &all->nccl);
    if (status == JR_OK && group->exchange.rank == 0)
        status = check(all, all->nccl.ncclGetUniqueId(&own->id), "ncclGetUniqueId");
    if (status == JR_OK) {
        group->communicators = all;
        group->communicators_free = free_all;
    } else
        free(all);
    own->version = status == JR_OK ? (uint64_t)all->nccl.version : 0;
    return status;
}

static jr_status compare(const jr_exchange *exchange) {
    invitation first, other;
    memcpy(&first, jr_exchange_of(exchange, 0), sizeof first);
    for (int rank = 1; rank < exchange->ranks; rank++) {
        memcpy(&other, jr_exchange_of(exchange, rank), sizeof other);
        if (other.there != first.there)
            return jr_fail(JR_ERROR_RANKS_DIFFER,
                           "NCCL's communicators of rank %d are closed, because a call failed there or took too long: "
                           "open another group",
                           first.there ? rank : 0);
        if (other.version != first.version)
            return jr_fail(JR_ERROR_RANKS_DIFFER,
                           "rank 0 has NCCL %llu and rank %d NCCL %llu: all ranks need one version",
                           (unsigned long long)first.version, rank, (unsigned long long)other.version);
    }
    return JR_OK;
}

static jr_status join_one(jr_group *group, size_t index, jr_nccl_id id) {
    jr_communicators *all = group->communicators;
    const jr_device *device = &group->contexts[index]->device;
    jr_nccl_config config = {.size = sizeof config,
                             .magic = JR_NCCL_MAGIC,
                             .version = JR_NCCL_VERSION_MIN,
                             .blocking = 0,
                             .unused = JR_NCCL_UNDEFINED};
    JR_IN_DEVICE(device);
    const jr_nccl_result result = all->nccl.ncclCommInitRankConfig(&all->items[index], (int)group->size, id,
                                                                   (int)(group->first + index), &config);
    return check(all, result, "ncclCommInitRankConfig");
}

/* In one group of calls, which only its end carries out: a communicator is there then. */
static jr_status join(jr_group *group, jr_nccl_id id, double limit_ms) {
    jr_communicators *all = group->communicators;
    jr_status status = check(all, all->nccl.ncclGroupStart(), "ncclGroupStart");
    if (status != JR_OK) return status;
    for (size_t i = 0; status == JR_OK && i < group->local_count; i++) status = join_one(group, i, id);
    const jr_nccl_result ended = all->nccl.ncclGroupEnd();
    if (status == JR_OK) status = check(all, ended, "ncclGroupEnd");
    while (all->count < group->local_count && all->items[all->count] != NULL) all->count++;
    if (status == JR_OK && all->count < group->local_count)
        status = jr_fail(JR_ERROR_TRANSPORT, "NCCL %s made no communicator for device %zu", all->nccl.path, all->count);
    return status == JR_OK ? settle(all, limit_ms, "making communicators") : status;
}

jr_status jr_communicators_make(jr_group *group, jr_status status, const char *path, double limit_ms) {
    invitation own = {0}, first;
    const bool there = group->communicators != NULL;
    if (status == JR_OK && !there) status = open_library(group, path, &own);
    if (there) own = (invitation){.version = (uint64_t)group->communicators->nccl.version, .there = 1};
    const jr_payload invites = {JR_STEP_WAY, &own, sizeof own}, joined = {JR_STEP_WAY, &own, 0};
    status = jr_exchange_run(&group->exchange, status, &invites);
    if (status == JR_OK) status = compare(&group->exchange);
    if (status == JR_OK) memcpy(&first, jr_exchange_of(&group->exchange, 0), sizeof first);
    if (status == JR_OK && !there) {
        status = join(group, first.id, limit_ms);
        status = jr_exchange_run(&group->exchange, status, &joined);
    }
    if (status != JR_OK && !there && group->communicators != NULL) jr_communicators_abort(group);
    return status;
}

/* ---- using them ---- */

static jr_status gather_one(jr_group *group, size_t index, const jr_gathering *asked) {
    jr_communicators *all = group->communicators;
    const jr_device *device = &group->contexts[index]->device;
    JR_IN_DEVICE(device);
    const jr_nccl_result result =
        all->nccl.ncclAllGather(jr_cu_pointer(asked->from[index]), jr_cu_pointer(asked->to[index]), asked->bytes,
                                JR_NCCL_INT8, all->items[index], asked->streams[index]);
    return check(all, result, "ncclAllGather");
}

static jr_status refuse_gone(void) {
    return jr_fail(JR_ERROR_TRANSPORT, "NCCL's communicators of this group are closed, because a call failed or took "
                                       "too long: make another all-reduce");
}

jr_status jr_communicators_gather(jr_group *group, const jr_gathering *asked) {
    jr_communicators *all = group->communicators;
    if (all == NULL) return refuse_gone();
    jr_status status = check(all, all->nccl.ncclGroupStart(), "ncclGroupStart");
    if (status != JR_OK) return status;
    for (size_t i = 0; status == JR_OK && i < group->local_count; i++) status = gather_one(group, i, asked);
    const jr_nccl_result ended = all->nccl.ncclGroupEnd();
    if (status == JR_OK) status = check(all, ended, "ncclAllGather");
    if (status == JR_OK) status = settle(all, asked->limit_ms, "ncclAllGather");
    if (status != JR_OK) jr_communicators_abort(group);
    return status;
}

static jr_status await_one(jr_group *group, size_t index, jr_stream stream, double limit_ms) {
    const jr_device *device = &group->contexts[index]->device;
    const double begin_ms = jr_clock_ms();
    bool under_way;
    JR_IN_DEVICE_TO_WAIT(device, stream);
    for (;;) {
        const jr_cu_result result = device->driver.cuStreamQuery(stream);
        if (result != JR_CUDA_ERROR_NOT_READY)
            return jr_driver_check(&device->driver, result, "waiting for the device");
        JR_TRY(ask(group->communicators, "ncclAllGather", &under_way));
        JR_TRY(check_time(begin_ms, limit_ms, "ncclAllGather"));
    }
}

jr_status jr_communicators_await(jr_group *group, const jr_stream *streams, double limit_ms) {
    jr_status status = JR_OK;
    if (group->communicators == NULL) return refuse_gone();
    for (size_t i = 0; status == JR_OK && i < group->local_count; i++)
        status = await_one(group, i, streams[i], limit_ms);
    if (status == JR_ERROR_TRANSPORT) jr_communicators_abort(group);
    return status;
}
