/* The barrier of a cluster: barrier.cluster.arrive and .wait.
 *
 * A phase is complete when all threads of all blocks that have not exited have arrived. A thread that has arrived must
 * wait before it arrives again, so that no phase is complete before all have left the one before. */
#include "barrier.h"
#include "sim/exec/judge/shadow.h"
#include "sim/exec/lane_group.h"
#include "sim/exec/lanes.h"
#include "sim/exec/observe/observer.h"
#include "sim/ptx/handlers.h"

/* Lanes that arrived in a phase that is complete go on: what they wait for has happened. */
static void pass(jrs_warp *warp, uint32_t lanes) {
    const jrs_cluster *cluster = warp->block->cluster;
    jrs_clock_join(warp->clock, cluster->done, warp->block->run->clock_count);
    warp->arrived[0] &= ~lanes;
    warp->arrived[1] &= ~lanes;
    warp->met = (1u << cluster->count) - 1;
    warp->passed = cluster->phase;
}

static void release_warp(jrs_warp *warp) {
    for (uint32_t k = 0; k < warp->group_count; k++) {
        jrs_group *group = &warp->groups[k];
        if (group->state != JRS_AT_CLUSTER) continue;
        pass(warp, group->mask);
        group->state = JRS_READY;
        group->pc++;
    }
}

/* line: of the instruction that completed it, 0: threads have exited. */
static void complete(jrs_warp *running, uint32_t line) {
    jrs_cluster *cluster = running->block->cluster;
    cluster->phase++;
    cluster->arrived = 0;
    jrs_clock_join(cluster->done, cluster->clock, running->block->run->clock_count);
    for (uint32_t b = 0; b < cluster->count; b++) {
        jrs_block *block = &cluster->blocks[b];
        if (block->kinds && block->active) jrs_rounds_barrier(block, line);
        for (uint32_t w = 0; w < block->warp_count; w++) release_warp(&block->warps[w]);
    }
    running->progress = true;
}

/* .relaxed releases only accesses that precede a fence. */
jrs_next jrs_op_cluster_arrive(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    jrs_cluster *cluster = warp->block->cluster;
    const jrs_next next = i->aligned ? jrs_barrier_align(warp, &mask) : JRS_STEP;
    if (next != JRS_STEP) return next;
    const uint32_t again = mask & (warp->arrived[0] | warp->arrived[1]);
    if (again)
        return jrs_fault(warp, i, jrs_first(again), JRS_FAULT_BARRIER,
                         "the thread has arrived at the cluster's barrier before and not waited since");
    jrs_clock_tick(warp);
    jrs_clock_join(cluster->clock, i->operation == JRS_CLUSTER_RELAXED && warp->fenced ? warp->fenced : warp->clock,
                   warp->block->run->clock_count);
    warp->arrived[cluster->phase & 1] |= mask;
    cluster->arrived += (uint32_t)__builtin_popcount(mask);
    if (cluster->arrived == cluster->threads) complete(warp, i->line);
    return JRS_STEP;
}

jrs_next jrs_op_cluster_wait(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    const jrs_cluster *cluster = warp->block->cluster;
    const jrs_next next = i->aligned ? jrs_barrier_align(warp, &mask) : JRS_STEP;
    if (next != JRS_STEP) return next;
    const uint32_t early = mask & ~(warp->arrived[0] | warp->arrived[1]);
    if (early)
        return jrs_fault(warp, i, jrs_first(early), JRS_FAULT_BARRIER,
                         "the thread waits at the cluster's barrier and has not arrived");
    const uint32_t waiting = mask & warp->arrived[cluster->phase & 1];
    if (mask & ~waiting) pass(warp, mask & ~waiting);
    if (!waiting) return JRS_STEP;
    jrs_group *group = jrs_group_split(warp, waiting);
    if (group != warp->group) warp->group->pc++; /* lanes whose guard does not hold, or whose phase is over, go on */
    group->state = JRS_AT_CLUSTER;
    return JRS_WAIT;
}

void jrs_cluster_leave(jrs_warp *warp, uint32_t mask) {
    jrs_cluster *cluster = warp->block->cluster;
    cluster->threads -= (uint32_t)__builtin_popcount(mask);
    cluster->arrived -= (uint32_t)__builtin_popcount(mask & warp->arrived[cluster->phase & 1]);
    warp->arrived[0] &= ~mask;
    warp->arrived[1] &= ~mask;
    if (cluster->arrived && cluster->arrived == cluster->threads) complete(warp, 0);
}
