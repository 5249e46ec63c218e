/* A resident cluster: its blocks, and their turns. */
#include <stdlib.h>
#include <string.h>

#include "schedule.h"
#include "sim/exec/judge/shadow_word.h"

bool jrs_cluster_allocate(jrs_cluster *cluster, jrs_worker *worker) {
    const jrs_run *run = worker->run;
    const size_t count = run->clock_count;
    cluster->worker = worker;
    cluster->count = run->cluster_size;
    cluster->clocks = calloc((2 + JRS_SYNC_CLOCKS) * count, sizeof *cluster->clocks);
    if (!cluster->clocks) return false;
    cluster->clock = cluster->clocks + JRS_SYNC_CLOCKS * count;
    cluster->done = cluster->clock + count;
    for (uint32_t b = 0; b < cluster->count; b++) {
        jrs_block *block = &cluster->blocks[b];
        block->cluster = cluster;
        block->rank = b;
        block->sync_clocks = cluster->clocks;
        if (!jrs_block_allocate(block, worker)) return false;
    }
    return true;
}

void jrs_cluster_free(jrs_cluster *cluster) {
    for (uint32_t b = 0; b < cluster->count; b++) jrs_block_free(&cluster->blocks[b]);
    free(cluster->clocks);
}

/* The clock at which all warps of the cluster begin: later than any clock of the cluster before, with its low bits free
 * for the rank. */
static uint32_t first_clock(const jrs_cluster *cluster) {
    const uint32_t mask = cluster->worker->run->rank_mask, count = cluster->worker->run->clock_count;
    uint32_t last = 0;
    for (uint32_t b = 0; b < cluster->count; b++) {
        for (uint32_t w = 0; w < cluster->blocks[b].warp_count; w++) {
            const jrs_warp *warp = &cluster->blocks[b].warps[w];
            if (jrs_now(warp) > last) last = jrs_now(warp);
        }
    }
    const uint32_t first = (last | mask) + 1;
    if (first < UINT32_MAX / 2) return first;
    for (uint32_t b = 0; b < cluster->count; b++) /* long before stamps overflow */
        jrs_word_forget_all(&cluster->blocks[b]);
    memset(cluster->clocks, 0, (2 + JRS_SYNC_CLOCKS) * count * sizeof *cluster->clocks);
    return mask + 1;
}

/* Block and cluster are numbered through the grid, x first. */
static void place(jrs_cluster *cluster, uint64_t number) {
    const jrs_run *run = cluster->worker->run;
    const unsigned *grid = run->launch->grid;
    cluster->index[0] = (uint32_t)(number % run->clusters[0]);
    cluster->index[1] = (uint32_t)(number / run->clusters[0] % run->clusters[1]);
    cluster->index[2] = (uint32_t)(number / run->clusters[0] / run->clusters[1]);
    for (uint32_t b = 0; b < cluster->count; b++) {
        jrs_block *block = &cluster->blocks[b];
        const uint32_t inside[3] = {b % run->cluster[0], b / run->cluster[0] % run->cluster[1],
                                    b / run->cluster[0] / run->cluster[1]};
        for (unsigned k = 0; k < 3; k++) block->index[k] = cluster->index[k] * run->cluster[k] + inside[k];
        block->number = ((uint64_t)block->index[2] * grid[1] + block->index[1]) * grid[0] + block->index[0];
    }
}

void jrs_cluster_begin(jrs_cluster *cluster, uint64_t number) {
    const jrs_run *run = cluster->worker->run;
    const uint32_t clock = first_clock(cluster);
    place(cluster, number);
    cluster->active = true;
    cluster->blocks_left = cluster->count;
    cluster->phase = 0;
    cluster->threads = cluster->count * run->block_threads;
    cluster->arrived = cluster->turn = 0;
    for (uint32_t b = 0; b < cluster->count; b++) jrs_block_begin(&cluster->blocks[b], clock);
}

/* A seed lets another block begin each time. */
static jrs_block *block_at(const jrs_cluster *cluster, uint32_t turn) {
    const uint64_t seed = cluster->worker->run->launch->seed;
    if (!seed) return &cluster->blocks[turn];
    const uint64_t drawn = (seed + cluster->turn) * UINT64_C(0x9e3779b97f4a7c15) >> 33;
    return &cluster->blocks[(drawn + turn) % cluster->count];
}

jrs_outcome jrs_cluster_run(jrs_cluster *cluster) {
    bool polling = true, waiting = true;
    cluster->turn++;
    for (uint32_t turn = 0; turn < cluster->count; turn++) {
        jrs_block *block = block_at(cluster, turn);
        if (!block->active) continue;
        const jrs_outcome outcome = jrs_block_run(block);
        if (outcome == JRS_STOPPED) return JRS_STOPPED;
        cluster->blocks_left -= outcome == JRS_FINISHED;
        waiting &= outcome == JRS_WAITING;
        polling &= outcome == JRS_WAITING || outcome == JRS_POLLING;
    }
    cluster->active = cluster->blocks_left > 0;
    if (!cluster->active) return JRS_FINISHED;
    if (waiting) {
        jrs_standstill_explain(cluster);
        return JRS_STOPPED;
    }
    return polling ? JRS_POLLING : JRS_BUSY;
}
