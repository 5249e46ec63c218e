/* Opens groups. */
#include "group.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "devices.h"
#include "kernel/pack_record.h"

enum { VERSION_BYTES = 32 };

/* What ranks send to each other when a group is opened. All versions have the same layout. */
typedef struct hello {
    char version[VERSION_BYTES];
    uint64_t rank, ranks, devices, unused[4];
} hello;

/* ---- what is asked for ---- */

static jr_status check_options(const jr_group_options *options) {
    if (options->contexts != NULL && options->devices != NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "devices '%s' and contexts are set: give one of them",
                       options->devices);
    if (options->contexts != NULL && (options->context_count < 1 || options->context_count > JR_GROUP_DEVICES_MAX))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%zu contexts: a rank of a group has 1 to %d", options->context_count,
                       JR_GROUP_DEVICES_MAX);
    for (size_t i = 0; options->contexts != NULL && i < options->context_count; i++)
        if (options->contexts[i] == NULL)
            return jr_fail(JR_ERROR_INVALID_ARGUMENT, "options->contexts[%zu] is NULL", i);
    if (options->rank < 0 || options->rank >= options->ranks)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "rank %d of %d ranks: ranks are counted from 0", options->rank,
                       options->ranks);
    if (options->ranks > 1 && options->allgather == NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%d ranks, but allgather is NULL: set the way to the others",
                       options->ranks);
    if (!(options->wait_limit_ms >= 0))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "wait_limit_ms %g is not allowed: 0 or a positive number",
                       options->wait_limit_ms);
    if (isnan(options->launch_look_us)) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "launch_look_us is not a number");
    return JR_OK;
}

static jr_status take_contexts(const jr_group_options *options, jr_group *group) {
    static const jr_options usual;
    if (options->contexts != NULL) {
        group->local_count = options->context_count;
        for (size_t i = 0; i < group->local_count; i++) group->contexts[i] = options->contexts[i];
        return JR_OK;
    }
    group->own_contexts = true;
    return jr_group_devices_open(options->devices, options->context_options != NULL ? options->context_options : &usual,
                                 group->contexts, &group->local_count);
}

/* ---- the other ranks ---- */

static jr_status check_hello(const hello *first, const hello *other, int rank, int ranks) {
    if (memcmp(first->version, other->version, sizeof first->version) != 0)
        return jr_fail(JR_ERROR_RANKS_DIFFER,
                       "rank 0 runs jitreduce %.*s and rank %d jitreduce %.*s: all ranks of a group need one version",
                       VERSION_BYTES, first->version, rank, VERSION_BYTES, other->version);
    if (other->rank != (uint64_t)rank || other->ranks != (uint64_t)ranks)
        return jr_fail(
            JR_ERROR_RANKS_DIFFER,
            "what the transport says to be rank %d of %d calls itself rank %llu of %llu: its order and that of "
            "the ranks must be one",
            rank, ranks, (unsigned long long)other->rank, (unsigned long long)other->ranks);
    return JR_OK;
}

static jr_status read_hellos(jr_group *group) {
    const int ranks = group->exchange.ranks;
    hello first, other;
    memcpy(&first, jr_exchange_of(&group->exchange, 0), sizeof first);
    for (int rank = 0; rank < ranks; rank++) {
        memcpy(&other, jr_exchange_of(&group->exchange, rank), sizeof other);
        const jr_status status = check_hello(&first, &other, rank, ranks);
        if (status != JR_OK) return status;
        group->counts[rank] = (size_t)other.devices;
        if (group->most_count < group->counts[rank]) group->most_count = group->counts[rank];
        if (rank < group->exchange.rank) group->first += group->counts[rank];
        group->size += group->counts[rank];
    }
    return JR_OK;
}

static jr_status meet(const jr_group_options *options, jr_group *group) {
    hello own = {.rank = (uint64_t)options->rank, .ranks = (uint64_t)options->ranks};
    snprintf(own.version, sizeof own.version, "%s", jr_version());
    const jr_status opened = take_contexts(options, group);
    own.devices = group->local_count;
    const jr_payload payload = {JR_STEP_OPEN, &own, sizeof own};
    JR_TRY(jr_exchange_run(&group->exchange, opened, &payload));
    return read_hellos(group);
}

/* Those that this thread, and threads that it begins, may run on. */
static long count_cores(void) {
    cpu_set_t cores;
    return sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : sysconf(_SC_NPROCESSORS_ONLN);
}

/* How long a launcher polls for its next launch, in microseconds; 0: the group has no launchers. */
static double look_us(const jr_group *group, const jr_group_options *options) {
    enum { USUAL_US = 200 }; /* a call that follows another one is made well within it, and little is lost */
    if (group->local_count == 1 || options->launch_look_us < 0) return 0;
    if (options->launch_look_us > 0) return options->launch_look_us;
    return count_cores() > (long)group->local_count ? USUAL_US : 0;
}

jr_status jr_group_make(const jr_group_options *options, jr_group **group) {
    JR_TRY(check_options(options));
    jr_group *made = calloc(1, sizeof *made);
    size_t *counts = calloc((size_t)options->ranks, sizeof *counts);
    if (made == NULL || counts == NULL) {
        free(made);
        free(counts);
        return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for a group of %d ranks", options->ranks);
    }
    made->counts = counts;
    made->limit_ms = options->wait_limit_ms;
    jr_status status = jr_exchange_open(options, sizeof(hello), &made->exchange);
    if (status == JR_OK) status = meet(options, made);
    if (status == JR_OK) made->launch_look_us = look_us(made, options);
    if (status == JR_OK)
        *group = made;
    else
        jr_group_free(made);
    return status;
}

void jr_group_free(jr_group *group) {
    if (group == NULL) return;
    JR_KEEP_ERROR;
    if (group->launchers != NULL) group->launchers_free(group->launchers);
    if (group->communicators != NULL) group->communicators_free(group->communicators);
    jr_exchange_close(&group->exchange);
    for (size_t i = 0; group->own_contexts && i < group->local_count; i++) {
        jr_pack_record_write(group->contexts[i]);
        jr_context_free(group->contexts[i]);
    }
    free(group->counts);
    free(group);
}
