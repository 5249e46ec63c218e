/* Barriers of a block: bar and barrier, sync, arrive and red, with counts; and of a cluster: barrier.cluster.
 *
 * An aligned barrier needs the whole warp: lanes that come apart wait for the others at the same instruction. Nobody
 * waits for threads that have exited, unless a barrier is for a number of threads that is not reached without them. */
#include "barrier.h"

#include "sim/exec/judge/shadow.h"
#include "sim/exec/lane_group.h"
#include "sim/exec/lanes.h"
#include "sim/exec/observe/observer.h"
#include "sim/ptx/handlers.h"

/* ---- the warp comes together ---- */

static bool aligned_here(const jrs_warp *warp, const jrs_group *other) {
    return other != warp->group && other->state == JRS_AT_ALIGN && other->frame == warp->group->frame &&
           other->pc == warp->group->pc;
}

/* JRS_STEP: all of the warp is in the running group and *mask; else what an aligned barrier returns. */
static jrs_next align(jrs_warp *warp, uint32_t *mask) {
    uint32_t here = *mask;
    if (here == warp->live) return JRS_STEP;
    if (here != warp->group->mask) jrs_group_split(warp, warp->group->mask & ~here)->pc++;
    warp->limit = 0;
    for (uint32_t k = warp->group_count; k-- > 0;) {
        jrs_group *other = &warp->groups[k];
        if (!aligned_here(warp, other)) continue;
        warp->group->mask |= other->mask;
        jrs_group_remove(warp, other);
    }
    *mask = warp->group->mask;
    if (*mask == warp->live) return JRS_STEP;
    warp->group->state = JRS_AT_ALIGN;
    return JRS_WAIT;
}

/* ---- the block comes together ---- */

static void put_result(const jrs_group *group, const jrs_instruction *i, const jrs_barrier *barrier) {
    uint8_t *at = group->frame->registers + (i->d & ((1u << JRS_BASE_SHIFT) - 1));
    bool value = i->operation == JRS_BARRIER_and ? barrier->ands != 0 : barrier->ors != 0;
    lane_u32 *lanes = (void *)at;
    if (i->operation < JRS_BARRIER_popc) return;
    if (i->operation != JRS_BARRIER_popc) {
        *lanes = value ? *lanes | group->mask : *lanes & ~group->mask;
        return;
    }
    for (uint32_t rest = group->mask; rest; rest &= rest - 1) lanes[jrs_first(rest)] = barrier->ones;
}

static uint32_t *clock_of(const jrs_block *block, uint32_t id) {
    return block->barrier_clocks + (size_t)id * block->run->clock_count;
}

static void release_group(jrs_warp *warp, jrs_group *group, uint32_t id) {
    const jrs_block *block = warp->block;
    put_result(group, &group->frame->function->code[group->pc], &block->barriers[id]);
    jrs_clock_join(warp->clock, clock_of(block, id), block->run->clock_count);
}

uint32_t jrs_barrier_needed(const jrs_block *block, const jrs_barrier *barrier) {
    return barrier->whole ? block->threads - block->exited : barrier->expected;
}

/* Lets all that wait go on; the running group steps by itself. */
static void release(jrs_warp *running, uint32_t id, bool running_waits) {
    jrs_block *block = running->block;
    jrs_barrier *barrier = &block->barriers[id];
    if (block->kinds)
        jrs_rounds_barrier(block, running->group ? running->group->frame->function->code[running->group->pc].line : 0);
    for (uint32_t w = 0; w < block->warp_count; w++) {
        for (uint32_t k = 0; k < block->warps[w].group_count; k++) {
            jrs_group *group = &block->warps[w].groups[k];
            if (group->state != JRS_AT_BARRIER || group->barrier != id) continue;
            release_group(&block->warps[w], group, id);
            group->state = JRS_READY;
            group->pc++;
        }
    }
    if (running_waits) release_group(running, running->group, id);
    *barrier = (jrs_barrier){0};
    running->progress = true;
}

static void accumulate(const jrs_warp *warp, const jrs_instruction *i, uint32_t mask, jrs_barrier *barrier) {
    const uint32_t yes = jrs_predicate(warp, i->s[3]) & mask;
    barrier->ones += (uint32_t)__builtin_popcount(yes);
    barrier->ands &= yes == mask;
    barrier->ors |= yes != 0;
}

/* Barrier number and count, the same in all lanes. */
static jrs_next read_operands(const jrs_warp *warp, const jrs_instruction *i, uint32_t mask, uint32_t *id,
                              uint32_t *count) {
    const lane_u32 *ids = jrs_at(warp, i->s[0]);
    unsigned lane = jrs_first(mask);
    *id = ids[lane];
    *count = i->source_count > 1 ? ((const lane_u32 *)jrs_at(warp, i->s[1]))[lane] : 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        if (ids[jrs_first(rest)] != *id)
            return jrs_fault(warp, i, jrs_first(rest), JRS_FAULT_BARRIER,
                             "the lanes of the warp name barriers %u and %u", *id, ids[jrs_first(rest)]);
    if (*id >= JRS_BARRIERS) return jrs_fault(warp, i, lane, JRS_FAULT_BAD_BARRIER, "there is no barrier %u", *id);
    if (i->source_count > 1 && (*count == 0 || *count % JRS_LANES))
        return jrs_fault(warp, i, lane, JRS_FAULT_BAD_BARRIER, "%u threads are not a multiple of %d", *count,
                         JRS_LANES);
    return JRS_STEP;
}

static jrs_next arrive(jrs_warp *warp, const jrs_instruction *i, uint32_t mask, uint32_t id, uint32_t count) {
    jrs_block *block = warp->block;
    jrs_barrier *barrier = &block->barriers[id];
    uint32_t expected = count ? count : block->threads, lane = jrs_first(mask);
    if (barrier->expected && barrier->expected != expected)
        return jrs_fault(warp, i, lane, JRS_FAULT_BARRIER, "barrier %u is for %u threads here and for %u elsewhere", id,
                         expected, barrier->expected);
    if (!barrier->expected) {
        *barrier = (jrs_barrier){.expected = expected, .whole = true, .ands = 1};
        memset(clock_of(block, id), 0, block->run->clock_count * sizeof(uint32_t));
    }
    barrier->whole &= count == 0;
    barrier->arrived += count && mask == warp->live ? JRS_LANES : (uint32_t)__builtin_popcount(mask);
    if (i->operation >= JRS_BARRIER_popc) accumulate(warp, i, mask, barrier);
    jrs_clock_tick(warp);
    jrs_clock_join(clock_of(block, id), warp->clock, block->run->clock_count);
    bool waits = i->operation != JRS_BARRIER_arrive;
    if (barrier->arrived >= jrs_barrier_needed(block, barrier)) {
        release(warp, id, waits);
        return JRS_STEP;
    }
    if (!waits) return JRS_STEP;
    jrs_group *group = jrs_group_split(warp, mask);
    if (group != warp->group) warp->group->pc++; /* lanes whose guard does not hold go on */
    group->state = JRS_AT_BARRIER;
    group->barrier = id;
    return JRS_WAIT;
}

jrs_next jrs_op_barrier(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    uint32_t id, count;
    if (i->aligned) {
        jrs_next next = align(warp, &mask);
        if (next != JRS_STEP) return next;
    }
    if (read_operands(warp, i, mask, &id, &count) == JRS_FAULT) return JRS_FAULT;
    return arrive(warp, i, mask, id, count);
}

void jrs_barrier_leave(jrs_warp *warp) {
    const jrs_block *block = warp->block;
    for (uint32_t k = 0; k < warp->group_count; k++) { /* lanes that wait inside their warp look again */
        jrs_group *group = &warp->groups[k];
        if (group->state == JRS_AT_SYNC || group->state == JRS_AT_ALIGN) group->state = JRS_READY;
    }
    for (uint32_t id = 0; id < JRS_BARRIERS; id++) {
        const jrs_barrier *barrier = &block->barriers[id];
        if (barrier->expected && barrier->arrived >= jrs_barrier_needed(block, barrier)) release(warp, id, false);
    }
}

/* ---- the barrier of a cluster ----
 *
 * A phase is complete when all threads of all blocks that have not exited have arrived. A thread that has arrived must
 * wait before it arrives again, so that no phase is complete before all have left the one before. */

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
    const jrs_next next = i->aligned ? align(warp, &mask) : JRS_STEP;
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
    const jrs_next next = i->aligned ? align(warp, &mask) : JRS_STEP;
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
