/* A launch: workers, and the resident clusters they take turns with. */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/float_mode.h"
#include "schedule.h"
#include "sim/exec/judge/ranges.h"
#include "sim/exec/judge/watch.h"
#include "sim/exec/observe/observer.h"
#include "sim/native/native.h"
#include "sim/ptx/special.h"

static _Atomic uint64_t launches; /* numbers grids for %gridid */

/* ---- clusters ---- */

/* Claims the next cluster of the grid for this worker, in shuffled order; false if all have been claimed. */
static bool claim(jrs_run *run, uint64_t *number) {
    uint64_t turn = atomic_fetch_add_explicit(&run->next_cluster, 1, memory_order_relaxed);
    if (turn >= run->cluster_total) return false;
    __extension__ typedef unsigned __int128 wide;
    *number = (uint64_t)((wide)turn * run->multiplier % run->cluster_total);
    return true;
}

/* Begins the next cluster of the grid; false: all have begun, or there is no memory for it, which
 * stops the launch. */
static bool begin(jrs_worker *worker, jrs_cluster *cluster) {
    uint64_t number;
    if (!claim(worker->run, &number)) return false;
    if (!cluster->clocks && !jrs_cluster_allocate(cluster, worker)) {
        jrs_fault_launch(worker->run, 2, "out of memory for a resident block of kernel %s",
                         worker->run->function->name);
        return false;
    }
    jrs_cluster_begin(cluster, number);
    return true;
}

/* Runs resident clusters in rounds. Each round begins one more cluster, while there is room for it, and gives each
 * active one its turn; a cluster that finishes is replaced by the next one at once. Yields if all of them only poll. */
static void run_resident(jrs_worker *worker) {
    uint32_t begun = 0, active = 0;
    bool more = true;
    while (!atomic_load_explicit(&worker->run->stopped, memory_order_relaxed)) {
        bool idle = true;
        if (more && begun < worker->cluster_count) {
            more = begin(worker, &worker->clusters[begun]);
            begun += more;
            active += more;
            idle = !more;
        }
        if (!active) return;
        for (uint32_t c = 0; c < begun; c++) {
            jrs_cluster *cluster = &worker->clusters[c];
            if (!cluster->active) continue;
            jrs_outcome outcome = jrs_cluster_run(cluster);
            while (outcome == JRS_FINISHED && more && (more = begin(worker, cluster)))
                outcome = jrs_cluster_run(cluster);
            if (outcome == JRS_STOPPED) return;
            if (outcome == JRS_FINISHED) active--;
            idle &= outcome == JRS_POLLING;
        }
        if (idle) sched_yield();
    }
}

static bool allocate(jrs_worker *worker) {
    const uint32_t size = worker->run->cluster_size;
    worker->scratch = aligned_alloc(64, JRS_SCRATCH_BYTES);
    worker->clusters = calloc(worker->cluster_count, sizeof *worker->clusters);
    worker->blocks = calloc((size_t)worker->cluster_count * size, sizeof *worker->blocks);
    if (!worker->scratch || !worker->clusters || !worker->blocks) return false;
    for (uint32_t c = 0; c < worker->cluster_count; c++) worker->clusters[c].blocks = &worker->blocks[(size_t)c * size];
    return true;
}

static void *run_worker(void *argument) {
    jrs_worker *worker = argument;
    if (allocate(worker))
        run_resident(worker);
    else
        jrs_fault_launch(worker->run, 2, "out of memory for a worker of kernel %s", worker->run->function->name);
    for (uint32_t c = 0; worker->clusters && c < worker->cluster_count; c++) jrs_cluster_free(&worker->clusters[c]);
    free(worker->clusters);
    free(worker->blocks);
    free(worker->scratch);
    return NULL;
}

/* ---- launches ---- */

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b) {
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* A multiplier without a common factor with the count visits every cluster once. */
static uint64_t shuffle_of(uint64_t seed, uint64_t total) {
    if (!seed || total < 3) return 1;
    uint64_t multiplier = (seed * UINT64_C(0x9e3779b97f4a7c15) >> 1) % total | 1;
    while (greatest_common_divisor(multiplier, total) != 1) multiplier++;
    return multiplier;
}

static bool refuse(jrs_report *report, const char *name, const char *why) {
    report->error = 1;
    snprintf(report->message, sizeof report->message, "launch of kernel %s: %s", name, why);
    return false;
}

static bool check_shape(const jrs_launch *launch, jrs_report *report) {
    const jrs_function *function = launch->function;
    uint64_t threads = 1;
    for (int k = 0; k < 3; k++) {
        if (!launch->grid[k] || !launch->block[k]) return refuse(report, function->name, "an extent is 0");
        threads *= launch->block[k];
        if (function->required[0] && launch->block[k] != function->required[k])
            return refuse(report, function->name, "the block is not the one .reqntid requires");
        if (threads > function->max_threads) return refuse(report, function->name, "too many threads in a block");
    }
    return true;
}

static bool check_cluster(const jrs_run *run, jrs_report *report) {
    const jrs_launch *launch = run->launch;
    const jrs_function *function = launch->function;
    for (int k = 0; k < 3; k++) {
        if (function->required_cluster[0] && run->cluster[k] != function->required_cluster[k])
            return refuse(report, function->name, "the cluster is not the one .reqnctapercluster requires");
        if (launch->grid[k] % run->cluster[k])
            return refuse(report, function->name, "the grid is not a multiple of the cluster");
    }
    if (run->cluster_size > JRS_MAX_CLUSTER) return refuse(report, function->name, "too many blocks in a cluster");
    if (function->explicit_cluster && !run->clustered)
        return refuse(report, function->name, "the kernel has .explicitcluster, and no cluster is given");
    return true;
}

/* The launch's own cluster, else the one that the function requires, else a block alone. */
static void prepare_clusters(jrs_run *run) {
    const jrs_launch *launch = run->launch;
    const uint32_t *asked = launch->cluster[0] ? launch->cluster : run->function->required_cluster;
    run->clustered = asked[0] != 0;
    run->cluster_size = 1;
    run->cluster_total = 1;
    for (int k = 0; k < 3; k++) {
        run->cluster[k] = asked[k] ? asked[k] : 1;
        run->clusters[k] = launch->grid[k] / run->cluster[k];
        run->cluster_total *= run->clusters[k];
        if (run->cluster_size <= JRS_MAX_CLUSTER) run->cluster_size *= run->cluster[k];
    }
    run->clock_count = run->cluster_size * run->warp_count;
    run->rank_mask = run->cluster_size > 1 ? JRS_MAX_CLUSTER - 1 : 0;
}

static void prepare(jrs_run *run, const jrs_launch *launch, jrs_report *report) {
    const jrs_function *function = launch->function;
    *run = (jrs_run){.launch = launch, .function = function, .report = report};
    run->activity = launch->activity ? launch->activity : &run->own;
    run->block_threads = launch->block[0] * launch->block[1] * launch->block[2];
    run->warp_count = (run->block_threads + JRS_LANES - 1) / JRS_LANES;
    prepare_clusters(run);
    run->dynamic_shared = (function->shared_bytes + 15) / 16 * 16;
    run->shared_bytes = launch->shared_bytes ? run->dynamic_shared + launch->shared_bytes : function->shared_bytes;
    run->own_shared = run->shared_bytes;
    run->reserved_shared = (run->shared_bytes + 15) / 16 * 16;
    if (function->uses_reserved || (function->calls && function->module->uses_reserved))
        run->shared_bytes = run->reserved_shared + JRS_RESERVED_BYTES;
    run->grid_id = atomic_fetch_add(&launches, 1) + 1;
    run->page_shift = jrs_ranges_page_shift(launch->memory);
    run->multiplier = shuffle_of(launch->seed, run->cluster_total);
}

static bool execute(const jrs_launch *launch, jrs_report *report) {
    jrs_run run;
    prepare(&run, launch, report);
    if (!check_cluster(&run, report) || !jrs_native_begin(&run, report)) return false;
    uint64_t resident = launch->resident_blocks / run.cluster_size;
    if (resident > run.cluster_total) resident = run.cluster_total;
    if (!resident) resident = 1;
    uint32_t count = launch->threads < resident ? launch->threads : (uint32_t)resident;
    if (!count) count = 1;
    jrs_worker *workers = calloc(count, sizeof *workers);
    if (!workers) return refuse(report, launch->function->name, "out of memory");
    pthread_mutex_init(&run.mutex, NULL);
    for (uint32_t w = 0; w < count; w++) {
        workers[w].run = &run;
        workers[w].cluster_count = (uint32_t)(resident * (w + 1) / count - resident * w / count);
    }
    jrs_watch_begin(&run);
    if (launch->rounds.line) jrs_rounds_launch(&run);
    for (uint32_t w = 1; w < count; w++)
        workers[w].started = pthread_create(&workers[w].thread, NULL, run_worker, &workers[w]) == 0;
    run_worker(&workers[0]);
    for (uint32_t w = 1; w < count; w++)
        if (workers[w].started) pthread_join(workers[w].thread, NULL);
    jrs_watch_end(&run);
    if (launch->rounds.line) launch->rounds.line(launch->rounds.user, NULL);
    pthread_mutex_destroy(&run.mutex);
    free(workers);
    return !run.failed;
}

bool jrs_execute(const jrs_launch *launch, jrs_report *report) {
    jr_float_mode caller;
    if (!check_shape(launch, report)) return false;
    jr_float_mode_enter(&caller);
    bool done = execute(launch, report);
    jr_float_mode_leave(&caller);
    return done;
}
