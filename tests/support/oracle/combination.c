/* One kernel under every count, alignment and grid. */
#include "combination.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "element.h"
#include "reduce_data.h"
#include "reference.h"

#define MARK 0xfedcba9876543210u

enum { COUNTS = 15, MIDDLE_COUNT = 104729 };

/* One kernel. */
typedef struct kernel_case {
    combination_bench *bench;
    jr_spec spec;
    jr_value initial;
    bool exact;
    uint64_t most; /* elements that were filled, less the room for misalignments */
    jr_plan *plan; /* with the grid of the spec */
} kernel_case;

/* One run of it: count elements from an offset; of a second array from another one. */
typedef struct stretch {
    uint64_t count, offset, other;
} stretch;

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static uint64_t tile_of(const jr_spec *spec) {
    return (uint64_t)spec->block * (uint64_t)spec->unroll * (16 / element_bytes(spec->type));
}

/* The grid of a run, as plan.h and reduce.h define it: the spec's, else one block per tile up to the plan's largest. */
static int grid_of(const kernel_case *k, uint64_t count) {
    jr_stats stats = JR_INIT(jr_stats);
    works(jr_plan_stats(k->plan, &stats));
    if (k->spec.grid > 0) return k->spec.grid;
    const uint64_t tiles = (count + tile_of(&k->spec) - 1) / tile_of(&k->spec);
    return tiles == 0 ? 1 : (int)least(tiles, (uint64_t)stats.grid);
}

static void describe(const kernel_case *k, const stretch *s, char *what, size_t bytes) {
    const jr_spec *spec = &k->spec;
    snprintf(
        what, bytes,
        "%s %s %s shared %d unroll %d block %d grid %d launch %g ms nan %d ddof %g count %llu offsets %llu %llu%s%s",
        jr_op_name(spec->op), jr_type_name(spec->type), jr_algorithm_name(spec->algorithm), (int)spec->shared,
        spec->unroll, spec->block, spec->grid, spec->max_launch_ms, (int)spec->nan, spec->ddof,
        (unsigned long long)s->count, (unsigned long long)s->offset, (unsigned long long)s->other,
        k->exact ? " exact" : "", spec->initial != NULL ? " with initial" : "");
}

/* Runs, and compares the value and the bytes after it with the reference. */
static void run(const kernel_case *k, const stretch *s) {
    combination_bench *bench = k->bench;
    const size_t bytes = element_bytes(k->spec.type);
    uint64_t words[3] = {MARK, MARK, MARK};
    const void *host[] = {bench->host + s->offset * bytes, bench->host + s->other * bytes};
    const void *d_in[] = {bench->d_in + s->offset * bytes, bench->d_in + s->other * bytes};
    reference expected;
    char what[256];
    describe(k, s, what, sizeof what);
    reference_reduce_arrays(&k->spec, host, s->count, &expected);
    device_write(bench->device, bench->d_out, words, sizeof words);
    const jr_status status =
        jr_work_plan_run(k->plan, DATA(.in = d_in, .count = s->count, .out = bench->d_out + 1), NULL, NULL);
    bench->run_count++;
    if (expected.empty && s->count > 0) { /* NaNs alone, which are skipped */
        expected.empty = false;
        expected.value = (jr_value){.type = JR_I64, .as.i64 = -1};
    }
    if (expected.empty) {
        fails(status, JR_ERROR_EMPTY_INPUT, jr_op_name(k->spec.op));
        return;
    }
    if (status != JR_OK) fail_msg("%s: %s", what, jr_last_error()->message);
    device_read(bench->device, words, bench->d_out, sizeof words);
    jr_value value = {.type = jr_plan_result_type(k->plan)};
    memcpy(&value.as, &words[1], element_bytes(value.type));
    const double depth = reference_depth(&k->spec, s->count, grid_of(k, s->count), k->spec.block, k->spec.unroll);
    reference_assert(&expected, &value, k->exact ? 0 : depth, what);
    uint64_t beside[3] = {MARK, MARK, MARK};
    memcpy(&beside[1], &value.as, element_bytes(value.type));
    if (memcmp(words, beside, sizeof words) != 0) fail_msg("%s: wrote beside its value", what);
}

/* The same with a special element at a position where an error would show. */
static void run_planted(const kernel_case *k, const stretch *s) {
    combination_bench *bench = k->bench;
    const size_t bytes = element_bytes(k->spec.type);
    char planted[8], kept[8];
    run(k, s);
    if (s->count == 0 || !reduce_data_plant(k->spec.op, k->spec.type, planted, &bench->seed)) return;
    const uint64_t places[] = {0, s->count - 1, least(3, s->count - 1), random_below(&bench->seed, s->count)};
    const uint64_t at = (s->offset + places[random_below(&bench->seed, 4)]) * bytes;
    memcpy(kept, bench->host + at, bytes);
    memcpy(bench->host + at, planted, bytes);
    device_write(bench->device, bench->d_in + at, planted, bytes);
    run(k, s);
    memcpy(bench->host + at, kept, bytes);
    device_write(bench->device, bench->d_in + at, kept, bytes);
}

/* At the boundaries of warps, blocks and tiles, and primes. */
static void fill_counts(const jr_spec *spec, uint64_t counts[COUNTS]) {
    const uint64_t block = (uint64_t)spec->block, tile = tile_of(spec);
    const uint64_t all[COUNTS] = {0,
                                  1,
                                  31,
                                  32,
                                  33,
                                  block - 1,
                                  block,
                                  block + 1,
                                  tile - 1,
                                  tile,
                                  tile + 1,
                                  2 * tile + 1,
                                  7919,
                                  MIDDLE_COUNT,
                                  COMBINATION_COUNT_MAX};
    memcpy(counts, all, sizeof all);
}

/* All counts of one grid; for a large grid of large blocks, which is slow on the simulator, one count in four. */
static bool run_grid(kernel_case *k, int grid) {
    combination_bench *bench = k->bench;
    const uint64_t misalignments = 16 / element_bytes(k->spec.type);
    uint64_t counts[COUNTS];
    k->spec.grid = grid;
    const jr_status status = jr_work_plan_create(bench->device->context, WORK(&k->spec), &k->plan);
    if (status == JR_ERROR_NOT_APPLICABLE) return false;
    works(status);
    fill_counts(&k->spec, counts);
    for (int i = 0; i < COUNTS; i++) {
        const stretch s = {counts[i], random_below(&bench->seed, misalignments),
                           random_below(&bench->seed, misalignments)};
        if (counts[i] <= k->most && (bench->thorough || grid == 0 || random_below(&bench->seed, 4) == 0))
            run_planted(k, &s);
    }
    jr_plan_destroy(k->plan);
    return true;
}

static void fill(kernel_case *k) {
    combination_bench *bench = k->bench;
    jr_spec *spec = &k->spec;
    const uint64_t elements = k->most + (COMBINATION_ELEMENTS - COMBINATION_COUNT_MAX);
    reduce_data_fill(spec->op, spec->type, k->exact, bench->host, elements, &bench->seed);
    if (spec->nan == JR_NAN_IGNORE && element_is_float(spec->type))
        reduce_data_sprinkle_nan(spec->type, bench->host, elements, 50, &bench->seed);
    device_write(bench->device, bench->d_in, bench->host, elements * element_bytes(spec->type));
}

/* Operators whose results can be combined again. */
static bool takes_initial(jr_op op) {
    return op <= JR_OP_XOR || op == JR_OP_DOT;
}

static void choose_initial(kernel_case *k) {
    jr_spec *spec = &k->spec;
    k->initial.type = reference_result_type(spec);
    if (!takes_initial(spec->op) || random_below(&k->bench->seed, 4) != 0) return;
    reduce_data_fill(spec->op, k->initial.type, k->exact, &k->initial.as, 1, &k->bench->seed);
    if (k->initial.type == JR_BOOL) k->initial.as.boolean = k->initial.as.boolean != 0;
    spec->initial = &k->initial;
}

/* The same kernel in many short launches, where the algorithm can. How their partial results are added up is not in
 * reference_depth: only for data that rounds nowhere. */
static void run_in_parts(kernel_case *k) {
    if (!k->exact || random_below(&k->bench->seed, 4) != 0) return;
    k->spec.max_launch_ms = 1e-5; /* the least that there is: launches of 65536 elements */
    run_grid(k, 0);
}

bool combination_run(combination_bench *bench, const jr_spec *spec, bool exact) {
    static const int grids[] = {1, 2, 7, 1000};
    kernel_case k = {.bench = bench, .spec = *spec, .exact = exact && reference_can_be_exact(spec->op)};
    k.most = bench->thorough || random_below(&bench->seed, 8) == 0 ? COMBINATION_COUNT_MAX : MIDDLE_COUNT;
    k.spec.capacity = k.most;
    choose_initial(&k);
    fill(&k);
    if (!run_grid(&k, 0)) return false;
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++)
        if (bench->thorough || random_below(&bench->seed, grids[i] > 7 ? 12 : 3) == 0) run_grid(&k, grids[i]);
    run_in_parts(&k);
    return true;
}

void combination_open(combination_bench *bench, const opened *device, uint64_t seed) {
    *bench = (combination_bench){.device = device, .seed = seed, .thorough = !device->info.simulated};
    uint64_t *host = calloc(COMBINATION_ELEMENTS, sizeof *host);
    assert_non_null(host);
    bench->host = (char *)host;
    bench->d_in = device_new(device, COMBINATION_ELEMENTS * sizeof(uint64_t));
    bench->d_out = device_new(device, 3 * sizeof *bench->d_out);
}

void combination_close(combination_bench *bench) {
    device_free(bench->device, bench->d_out);
    device_free(bench->device, bench->d_in);
    free(bench->host);
}
