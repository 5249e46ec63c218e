/* Lists candidates. */
#include "tune_candidates.h"

#include <string.h>

#include "base/error.h"
#include "plan/algorithms.h"
#include "plan/choice.h"
#include "spec/operator.h"

static bool is_same(const jr_tune_candidate *one, const jr_tune_candidate *other) {
    return one->algorithm == other->algorithm && one->unroll == other->unroll && one->block == other->block &&
           one->blocks_per_multiprocessor == other->blocks_per_multiprocessor;
}

static bool is_known(const jr_trials *trials, const jr_candidates_list *list, const jr_tune_candidate *candidate) {
    if (is_same(&trials->estimate, candidate)) return true;
    for (int i = 0; i < list->count; i++)
        if (is_same(&list->items[i], candidate)) return true;
    return false;
}

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

/* The choice for a candidate, whose 0 the estimate fills in; false: its algorithm does not take it. */
static bool choose(const jr_trials *trials, const jr_tune_candidate *wanted, jr_choice *choice) {
    const jr_job job = jr_trials_job(trials, wanted);
    JR_KEEP_ERROR;
    return jr_choice_make(&job, choice) == JR_OK;
}

/* The text of a scan's kernel grows by its unroll factor: the compiler takes up to some seconds for what the estimate
 * gives an algorithm, and for twice as much three times as long or more. */
static bool is_too_long(const jr_trials *trials, const jr_choice *choice) {
    enum { TIMES = 2 };
    jr_choice own;
    if (choice->row->kind != JR_JOB_SCAN) return false;
    const jr_tune_candidate alone = {.algorithm = choice->row->algorithm};
    return choose(trials, &alone, &own) && choice->tuning.unroll > TIMES * own.tuning.unroll;
}

/* A copy of much data costs more than it can ever win. */
static bool is_excluded(const jr_trials *trials, const jr_choice *choice) {
    enum { COPY_BYTES_MAX = 64 << 20 };
    const jr_algorithm_row *row = choice->row;
    const uint64_t bytes = trials->arena.count * trials->job.reduction->inputs[0].bytes;
    return (row->algorithm == JR_ALGORITHM_ATOMIC && has_floats(trials->job.reduction)) ||
           (row->needs_capacity && bytes > COPY_BYTES_MAX) || is_too_long(trials, choice);
}

/* Adds a candidate, what is 0 chosen by the estimate, unless it is known or its algorithm does not take it. */
static void add(const jr_trials *trials, const jr_tune_candidate *wanted, jr_candidates_list *list) {
    jr_choice choice;
    if (list->count == JR_CANDIDATES_MAX || !choose(trials, wanted, &choice) || is_excluded(trials, &choice)) return;
    const jr_tune_candidate made = {.algorithm = wanted->algorithm,
                                    .unroll = choice.tuning.unroll,
                                    .block = choice.tuning.block,
                                    .blocks_per_multiprocessor = wanted->blocks_per_multiprocessor};
    if (!is_known(trials, list, &made)) list->items[list->count++] = made;
}

void jr_candidates_add_algorithms(const jr_trials *trials, jr_candidates_list *list) {
    const jr_algorithm_row *row;
    for (size_t i = 0; (row = jr_algorithms_get(i)) != NULL; i++)
        if (row->algorithm != JR_ALGORITHM_AUTO && jr_algorithms_applies(row, &trials->job))
            add(trials, &(jr_tune_candidate){.algorithm = row->algorithm}, list);
}

void jr_candidates_add_grid(const jr_trials *trials, jr_candidates_list *list) {
    enum { BLOCK_LEAST = 128 };
    static const double NOT_FAR = 0.7;
    const int step = trials->job.context->device.info.simulated ? 4 : 2;
    const jr_algorithm estimated = trials->estimate.algorithm;
    jr_tune_candidate *best[JR_CANDIDATES_BEST];
    jr_algorithm algorithms[JR_CANDIDATES_BEST + 1] = {estimated};
    const int found = jr_candidates_best(list, best, JR_CANDIDATES_BEST);
    int count = 1;
    for (int i = 0; i < found; i++)
        if (best[i]->gain >= NOT_FAR * best[0]->gain && best[i]->algorithm != estimated)
            algorithms[count++] = best[i]->algorithm;
    for (int a = 0; a < count; a++)
        for (int unroll = 1; unroll <= JR_UNROLL_MAX; unroll *= step)
            for (int block = BLOCK_LEAST; block <= JR_BLOCK_MAX; block *= step)
                add(trials, &(jr_tune_candidate){.algorithm = algorithms[a], .unroll = unroll, .block = block}, list);
}

static void add_beside(const jr_trials *trials, const jr_tune_candidate *one, jr_candidates_list *list) {
    const int multiprocessors = trials->job.context->device.info.multiprocessor_count;
    const int blocks = multiprocessors > 0 ? one->grid / multiprocessors : 0;
    const int unrolls[] = {one->unroll - 1, one->unroll + 1};
    const int block_sizes[] = {one->block / 4 * 3 / JR_BLOCK_STEP * JR_BLOCK_STEP,
                               one->block / 2 * 3 / JR_BLOCK_STEP * JR_BLOCK_STEP};
    const int waves[] = {blocks - 1, blocks + 1, 2 * blocks};
    jr_tune_candidate beside = *one;
    for (int i = 0; i < 2; i++, beside = *one) {
        beside.unroll = unrolls[i];
        if (beside.unroll >= 1 && beside.unroll <= JR_UNROLL_MAX) add(trials, &beside, list);
    }
    for (int i = 0; i < 2; i++, beside = *one) {
        beside.block = block_sizes[i];
        if (beside.block >= JR_BLOCK_STEP && beside.block <= JR_BLOCK_MAX) add(trials, &beside, list);
    }
    for (int i = 0; i < 3 && blocks > 0; i++, beside = *one) {
        beside.blocks_per_multiprocessor = waves[i];
        if (waves[i] >= 1 && waves[i] <= JR_BLOCKS_PER_MULTIPROCESSOR_MAX) add(trials, &beside, list);
    }
}

void jr_candidates_add_neighbours(const jr_trials *trials, jr_candidates_list *list) {
    jr_tune_candidate *best[JR_CANDIDATES_BEST];
    const int found = jr_candidates_best(list, best, JR_CANDIDATES_BEST);
    add_beside(trials, &trials->estimate, list);
    for (int i = 0; i < found; i++) add_beside(trials, best[i], list);
}

int jr_candidates_best(jr_candidates_list *list, jr_tune_candidate *best[], int most) {
    int found = 0;
    for (int i = 0; i < list->done; i++) {
        jr_tune_candidate *candidate = &list->items[i];
        if (candidate->failure[0] != '\0' || candidate->us <= 0) continue;
        int place = found;
        while (place > 0 && candidate->gain > best[place - 1]->gain) place--;
        if (place == most) continue;
        if (found < most) found++;
        for (int k = found - 1; k > place; k--) best[k] = best[k - 1];
        best[place] = candidate;
    }
    return found;
}
