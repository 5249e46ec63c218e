/* Searches the tunings of one reduction or scan, of one count: from every algorithm's own tuning over a coarse grid to
 * the neighbours of the best. */
#include "tune_plans.h"

#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "plan/algorithms.h"
#include "plan/choice.h"
#include "plan/make.h"
#include "plan/plan.h"
#include "search.h"
#include "spec/operator.h"
#include "verify.h"

/* Values of a setting; those before GRID identify it. */
enum { ALGORITHM, UNROLL, BLOCK, PER_MULTIPROCESSOR, GRID };

enum { CANDIDATES = 384 }; /* more than the stages add */

typedef struct plans_search {
    jr_search search;
    jr_job job; /* flat or a scan; its capacity is the count */
    jr_arena arena;
    jr_plan *plans[JR_SEARCH_GROUP + 1]; /* of the places; the first is the estimate's */
    const jr_tune_options *options;
    jr_expected expected; /* what the estimate has left */
} plans_search;

/* ---- running ---- */

static jr_status expect(void *user) {
    plans_search *self = user;
    return jr_expected_take(&self->arena, self->plans[0], &self->expected);
}

static jr_status verify(void *user, int place, char why[JR_REASON_BYTES]) {
    const plans_search *self = user;
    return jr_expected_check(&self->expected, self->plans[place], why);
}

/* The job with a setting's tuning asked for. */
static jr_job job_of(const plans_search *self, const int64_t values[]) {
    jr_job job = self->job;
    job.requested.algorithm = (jr_algorithm)values[ALGORITHM];
    job.requested.unroll = (int)values[UNROLL];
    job.requested.block = (int)values[BLOCK];
    job.requested.blocks_per_multiprocessor = (int)values[PER_MULTIPROCESSOR];
    return job;
}

static void describe(const plans_search *self, const jr_plan *plan, int64_t values[]) {
    const jr_tuning *tuning = &plan->choice.tuning;
    values[ALGORITHM] = tuning->algorithm;
    values[UNROLL] = tuning->unroll;
    values[BLOCK] = tuning->block;
    values[PER_MULTIPROCESSOR] = tuning->blocks_per_multiprocessor;
    values[GRID] = jr_plan_grid(plan, self->job.requested.capacity);
}

static jr_status make(void *user, int place, jr_tunable_setting *setting) {
    plans_search *self = user;
    const jr_job job = place == 0 ? self->job : job_of(self, setting->values);
    JR_TRY(jr_make_plan(&job, &self->plans[place]));
    describe(self, self->plans[place], setting->values);
    if (place > 0) return JR_OK;
    JR_TRY(jr_arena_make(&self->job, &self->arena));
    self->search.apart = self->arena.slots / (JR_SEARCH_GROUP + 1);
    return JR_OK;
}

static void release(void *user, int place) {
    plans_search *self = user;
    jr_plan_free(self->plans[place]);
    self->plans[place] = NULL;
}

static jr_status reset(void *user) {
    const plans_search *self = user;
    return jr_arena_blank(&self->arena);
}

static jr_status run(void *user, int place, uint64_t number, jr_stream stream) {
    const plans_search *self = user;
    jr_run made = jr_arena_run(&self->arena, number);
    made.stream = stream;
    return jr_plan_start(self->plans[place], &made);
}

/* ---- which settings ---- */

/* Blocks that come in any order add floats up in any order: not the same bits on every run. */
static bool has_floats(const jr_reduction *reduction) {
    bool floats = reduction->operator_files & JR_OPERATORS_STATISTICS;
    for (int i = 0; i < reduction->input_count; i++) {
        const jr_dtype *row = jr_dtype_find(reduction->inputs[i].type);
        floats |= row == NULL || jr_dtype_is_float(row);
    }
    for (int i = 0; i < reduction->output_count; i++) {
        const jr_dtype *row = jr_dtype_find(reduction->outputs[i].type);
        floats |= row == NULL || jr_dtype_is_float(row);
    }
    return floats;
}

/* The choice for values, whose 0 the estimate fills in; false: the algorithm does not take them. */
static bool choose(const plans_search *self, const int64_t values[], jr_choice *choice) {
    const jr_job job = job_of(self, values);
    JR_KEEP_ERROR;
    return jr_choice_make(&job, choice) == JR_OK;
}

/* The text of a scan's kernel grows by its unroll factor: the compiler takes up to some seconds for what the estimate
 * gives an algorithm, and for twice as much three times as long or more. */
static bool is_too_long(const plans_search *self, const jr_choice *choice) {
    enum { TIMES = 2 };
    const int64_t alone[GRID] = {[ALGORITHM] = choice->row->algorithm};
    jr_choice own;
    if (choice->row->kind != JR_JOB_SCAN) return false;
    return choose(self, alone, &own) && choice->tuning.unroll > TIMES * own.tuning.unroll;
}

/* A copy of much data costs more than it can ever win. */
static bool is_excluded(const plans_search *self, const jr_choice *choice) {
    enum { COPY_BYTES_MAX = 64 << 20 };
    const jr_algorithm_row *row = choice->row;
    const uint64_t bytes = self->arena.count * self->job.reduction->inputs[0].bytes;
    return (row->algorithm == JR_ALGORITHM_ATOMIC && has_floats(self->job.reduction)) ||
           (row->needs_capacity && bytes > COPY_BYTES_MAX) || is_too_long(self, choice);
}

/* Adds values, of which the estimate chooses what is 0, unless their algorithm does not take them. */
static void add(plans_search *self, const int64_t values[]) {
    jr_choice choice;
    if (!choose(self, values, &choice) || is_excluded(self, &choice)) return;
    const int64_t made[GRID] = {values[ALGORITHM], choice.tuning.unroll, choice.tuning.block,
                                values[PER_MULTIPROCESSOR]};
    (void)jr_search_add(&self->search, made);
}

/* Each algorithm that is applicable, with the tuning that the estimate gives it. */
static void add_algorithms(plans_search *self) {
    const jr_algorithm_row *row;
    for (size_t i = 0; (row = jr_algorithms_get(i)) != NULL; i++)
        if (row->algorithm != JR_ALGORITHM_AUTO && jr_algorithms_applies(row, &self->job))
            add(self, (const int64_t[GRID]){[ALGORITHM] = row->algorithm});
}

/* All unroll factors and blocks that are powers of two (of four on the simulator), for the algorithms whose best so far
 * is not much slower than the best of all. */
static void add_grid(plans_search *self, int step) {
    enum { BLOCK_LEAST = 128 };
    static const double NOT_FAR = 0.7;
    jr_tunable_setting *best[JR_SEARCH_BEST];
    int64_t algorithms[JR_SEARCH_BEST + 1] = {self->search.first.values[ALGORITHM]};
    const int found = jr_search_best(&self->search, best);
    int count = 1;
    for (int i = 0; i < found; i++)
        if (best[i]->gain >= NOT_FAR * best[0]->gain && best[i]->values[ALGORITHM] != algorithms[0])
            algorithms[count++] = best[i]->values[ALGORITHM];
    for (int a = 0; a < count; a++)
        for (int unroll = 1; unroll <= JR_UNROLL_MAX; unroll *= step)
            for (int block = BLOCK_LEAST; block <= JR_BLOCK_MAX; block *= step)
                add(self, (const int64_t[GRID]){algorithms[a], unroll, block});
}

/* Adds one with another value in a range. */
static void add_with(plans_search *self, const int64_t values[], int which, int64_t value, int64_t most) {
    int64_t beside[GRID];
    memcpy(beside, values, sizeof beside);
    beside[which] = value;
    if (value >= (which == BLOCK ? JR_BLOCK_STEP : 1) && value <= most) add(self, beside);
}

/* The next unroll factors, blocks, and blocks per multiprocessor. */
static void add_beside(plans_search *self, const int64_t values[]) {
    const int multiprocessors = self->job.context->device.info.multiprocessor_count;
    const int64_t blocks = multiprocessors > 0 ? values[GRID] / multiprocessors : 0, block = values[BLOCK];
    for (int step = -1; step <= 1; step += 2) add_with(self, values, UNROLL, values[UNROLL] + step, JR_UNROLL_MAX);
    for (int times = 4; times >= 2; times -= 2)
        add_with(self, values, BLOCK, block / times * 3 / JR_BLOCK_STEP * JR_BLOCK_STEP, JR_BLOCK_MAX);
    const int64_t waves[] = {blocks - 1, blocks + 1, 2 * blocks};
    for (int i = 0; i < 3 && blocks > 0; i++)
        add_with(self, values, PER_MULTIPROCESSOR, waves[i], JR_BLOCKS_PER_MULTIPROCESSOR_MAX);
}

static void add_neighbours(plans_search *self) {
    jr_tunable_setting *best[JR_SEARCH_BEST];
    const int found = jr_search_best(&self->search, best);
    add_beside(self, self->search.first.values);
    for (int i = 0; i < found; i++) add_beside(self, best[i]->values);
}

/* A simulator's times say nothing of a GPU's: there one pass of neighbours shows that all of it works. */
static jr_status add_stage(jr_search *search, int stage, bool *last) {
    enum { ALGORITHMS, GRIDS, NEIGHBOURS, MORE_NEIGHBOURS, GRID_COUNT = 60, NEIGHBOUR_COUNT = 16 };
    plans_search *self = search->self;
    const bool simulated = self->job.context->device.info.simulated;
    if (stage == ALGORITHMS)
        add_algorithms(self);
    else if (stage == GRIDS)
        add_grid(self, simulated ? 4 : 2);
    else
        add_neighbours(self);
    search->expected = stage == ALGORITHMS ? GRID_COUNT + NEIGHBOUR_COUNT : stage == GRIDS ? NEIGHBOUR_COUNT : 0;
    *last = stage == (simulated ? NEIGHBOURS : MORE_NEIGHBOURS);
    return JR_OK;
}

/* ---- what the caller gets ---- */

static jr_tune_candidate candidate_of(const jr_tunable_setting *setting) {
    jr_tune_candidate made = {.algorithm = (jr_algorithm)setting->values[ALGORITHM],
                              .unroll = (int)setting->values[UNROLL],
                              .block = (int)setting->values[BLOCK],
                              .blocks_per_multiprocessor = (int)setting->values[PER_MULTIPROCESSOR],
                              .grid = (int)setting->values[GRID],
                              .us = setting->us,
                              .gain = setting->gain};
    memcpy(made.failure, setting->failure, sizeof made.failure);
    return made;
}

static int tell(const jr_search *search, const jr_tunable_setting *setting, bool begins) {
    const plans_search *self = search->self;
    const jr_tunable_setting *leader = jr_search_leader(search);
    if (begins || self->options->progress == NULL) return 0;
    const jr_tune_candidate candidate = candidate_of(setting),
                            best = candidate_of(leader != NULL ? leader : &search->first);
    const jr_tune_progress progress = {.size = sizeof progress,
                                       .done = (int)search->done,
                                       .planned = (int)(search->count + search->expected),
                                       .candidate = &candidate,
                                       .best = leader != NULL ? &best : NULL};
    return self->options->progress(self->options->user, &progress);
}

static const jr_search_kind kind = {.first_name = "the estimate",
                                    .add = add_stage,
                                    .make = make,
                                    .release = release,
                                    .reset = reset,
                                    .run = run,
                                    .expect = expect,
                                    .verify = verify,
                                    .tell = tell};

jr_status jr_plans_search(const jr_job *job, const jr_tune_options *options, jr_tuned *tuned) {
    plans_search self = {.search = {.kind = &kind,
                                    .context = job->context,
                                    .value_count = GRID,
                                    .most = CANDIDATES,
                                    .limit_ms = options->limit_ms,
                                    .begin_ms = jr_clock_ms()},
                         .job = *job,
                         .options = options};
    const jr_search *search = &self.search;
    self.search.self = &self;
    JR_INSIDE inside = jr_inside_to_wait(&job->context->device, NULL);
    JR_TRY(inside.status);
    const jr_status status = jr_search_run(&self.search);
    if (status == JR_OK)
        *tuned = (jr_tuned){.count = job->requested.capacity,
                            .estimate = candidate_of(&search->first),
                            .best = candidate_of(&search->best),
                            .better = search->better,
                            .complete = search->complete,
                            .measured = (int)search->measured,
                            .failed = (int)search->failed};
    jr_arena_free(&self.arena);
    release(&self, 0);
    jr_expected_free(&self.expected);
    return status;
}
