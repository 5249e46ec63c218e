/* Every operator, type, algorithm, kind of shared memory, unroll factor and block size, with counts at the boundaries
 * of warps, blocks and tiles, every misalignment and several grids, against the CPU reference.
 *
 * The whole cross product of kernels is some 8000 compiles; a generator with a fixed seed deals them out in rounds.
 * Each round compiles every pair of operator and type once and every pair of unroll factor and block size once, dealt
 * together anew. All counts, offsets and grids of a kernel share its compile. */
#include "support/open_context.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/reduce_data.h"
#include "support/reference.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { ROUNDS_SIMULATED = 1, ROUNDS_GPU = 1 };
#else
enum { ROUNDS_SIMULATED = 3, ROUNDS_GPU = 14 };
#endif

enum { PAIRS = 36, COUNTS = 16, PADDING = 8, ELEMENTS_MAX = 1299709 + PADDING };

static const int unrolls[] = {1, 2, 3, 4, 8, 16}, blocks[] = {32, 96, 128, 256, 512, 1024};

/* What one kernel is tested with. */
typedef struct bench {
    const opened *device;
    jr_spec spec; /* grid 0 */
    jr_value initial;
    char *host, *d_in; /* ELEMENTS_MAX elements, the same on both sides */
    uint64_t *d_out;   /* three words: the value goes into the middle one */
    double depth;      /* 0: the data rounds nowhere */
    uint64_t seed, combinations;
} bench;

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* The grid of a run, as plan.h and reduce.h tell it: the spec's, else one block a tile up to the plan's largest. */
static int grid_of(const bench *b, const jr_plan *plan, const jr_spec *spec, uint64_t count) {
    jr_stats stats;
    works(jr_plan_stats(plan, &stats));
    if (spec->grid > 0) return spec->grid;
    const uint64_t tile = (uint64_t)spec->block * (uint64_t)spec->unroll * (16 / jr_type_size(spec->type));
    const uint64_t tiles = (count + tile - 1) / tile;
    (void)b;
    return tiles == 0 ? 1 : (int)least(tiles, (uint64_t)stats.grid);
}

/* Runs on [offset, offset + count) and holds the value, and what lies beside it, against the reference. */
static void run(bench *b, jr_plan *plan, const jr_spec *spec, uint64_t offset, uint64_t count) {
    const size_t bytes = jr_type_size(spec->type);
    uint64_t words[3] = {0xfedcba9876543210u, 0xfedcba9876543210u, 0xfedcba9876543210u};
    reference expected;
    jr_value value = {.type = jr_plan_result_type(plan)};
    char what[200];
    snprintf(what, sizeof what, "%s %s %s shared %d unroll %d block %d grid %d count %llu offset %llu%s",
             jr_op_name(spec->op), jr_type_name(spec->type), jr_algorithm_name(spec->algorithm), (int)spec->shared,
             spec->unroll, spec->block, spec->grid, (unsigned long long)count, (unsigned long long)offset,
             spec->initial != NULL ? " with initial" : "");
    reference_reduce(spec, b->host + offset * bytes, count, &expected);
    device_write(b->device, b->d_out, words, sizeof words);
    const jr_status status = jr_plan_run(plan, b->d_in + offset * bytes, count, b->d_out + 1, NULL, NULL);
    b->combinations++;
    if (expected.empty) {
        fails(status, JR_ERROR_EMPTY_INPUT, jr_op_name(spec->op));
        return;
    }
    if (status != JR_OK) fail_msg("%s: %s", what, jr_last_error()->message);
    device_read(b->device, words, b->d_out, sizeof words);
    memcpy(&value.as, &words[1], jr_type_size(value.type));
    const int grid = grid_of(b, plan, spec, count);
    reference_assert(&expected, &value,
                     b->depth > 0 ? reference_depth(spec, count, grid, spec->block, spec->unroll) : 0, what);
    if (words[0] != words[2] || words[0] != 0xfedcba9876543210u) fail_msg("%s: wrote beside its value", what);
}

/* The same with an element planted at a place that tells. */
static void run_planted(bench *b, jr_plan *plan, const jr_spec *spec, uint64_t offset, uint64_t count) {
    const size_t bytes = jr_type_size(spec->type);
    char planted[8], kept[8];
    run(b, plan, spec, offset, count);
    if (count == 0 || !reduce_data_plant(spec->op, spec->type, planted, &b->seed)) return;
    const uint64_t places[] = {0, count - 1, least(3, count - 1), random_below(&b->seed, count)};
    const uint64_t at = (offset + places[random_below(&b->seed, 4)]) * bytes;
    memcpy(kept, b->host + at, bytes);
    memcpy(b->host + at, planted, bytes);
    device_write(b->device, b->d_in + at, planted, bytes);
    run(b, plan, spec, offset, count);
    memcpy(b->host + at, kept, bytes);
    device_write(b->device, b->d_in + at, kept, bytes);
}

static int counts_of(const jr_spec *spec, uint64_t counts[COUNTS]) {
    const uint64_t block = (uint64_t)spec->block;
    const uint64_t tile = block * (uint64_t)spec->unroll * (16 / jr_type_size(spec->type));
    const uint64_t all[COUNTS] = {0,        1,    31,       32,           33,   block - 1, block,  block + 1,
                                  tile - 1, tile, tile + 1, 2 * tile + 1, 7919, 104729,    1299709};
    memcpy(counts, all, sizeof all);
    return COUNTS - 1;
}

/* All counts of one grid; a large grid of large blocks costs the simulator much, and one count in three tells enough.
 */
static void run_grid(bench *b, int grid) {
    jr_spec spec = b->spec;
    jr_plan *plan = NULL;
    uint64_t counts[COUNTS];
    const uint64_t misalignments = 16 / jr_type_size(spec.type);
    spec.grid = grid;
    works(jr_plan_create(b->device->context, &spec, &plan));
    const int count_of_counts = counts_of(&spec, counts);
    const uint64_t skip = b->device->info.simulated && grid > 7 ? 5 : 1;
    for (int i = 0; i < count_of_counts; i++)
        if (skip == 1 || random_below(&b->seed, skip) == 0)
            run_planted(b, plan, &spec, random_below(&b->seed, misalignments), counts[i]);
    jr_plan_destroy(plan);
}

static void run_grids(bench *b) {
    static const int grids[] = {0, 1, 2, 7, 1000};
    const bool simulated = b->device->info.simulated;
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++) {
        if (b->spec.algorithm == JR_ALGORITHM_ONE_BLOCK && grids[i] > 1) continue;
        if (simulated && i > 0 && random_below(&b->seed, grids[i] > 7 ? 12 : 2) != 0) continue;
        run_grid(b, grids[i]);
    }
}

/* The allowed pairs of operator and type, in the order of the enumerations. */
static void pair_of(int index, jr_spec *spec) {
    jr_type result;
    for (int op = JR_OP_SUM; op <= JR_OP_XOR; op++)
        for (int type = JR_I32; type <= JR_F64; type++)
            if (jr_result_type((jr_op)op, (jr_type)type, &result) == JR_OK && index-- == 0) {
                spec->op = (jr_op)op;
                spec->type = (jr_type)type;
                return;
            }
    fail_msg("there are more than %d pairs", PAIRS);
}

static void shuffle(int deck[PAIRS], uint64_t *seed) {
    for (int i = 0; i < PAIRS; i++) {
        const int j = (int)random_below(seed, (uint64_t)i + 1);
        deck[i] = deck[j];
        deck[j] = i;
    }
}

static void run_kernel(bench *b, int round, int pair, int tuning) {
    const jr_algorithm algorithm = b->spec.algorithm;
    const bool exact = (round + pair) % 2 == 0;
    b->spec = (jr_spec){.algorithm = algorithm,
                        .unroll = unrolls[tuning / 6],
                        .block = blocks[tuning % 6],
                        .shared = (round + pair / 2) % 2 == 0 ? JR_SHARED_STATIC : JR_SHARED_DYNAMIC};
    pair_of(pair, &b->spec);
    works(jr_result_type(b->spec.op, b->spec.type, &b->initial.type));
    reduce_data_fill(b->spec.op, b->spec.type, exact, b->host, ELEMENTS_MAX, &b->seed);
    device_write(b->device, b->d_in, b->host, ELEMENTS_MAX * jr_type_size(b->spec.type));
    reduce_data_fill(b->spec.op, b->initial.type, exact, &b->initial.as, 1, &b->seed);
    b->spec.initial = random_below(&b->seed, 4) == 0 ? &b->initial : NULL;
    b->depth = exact ? 0 : 1;
    run_grids(b);
}

static void run_algorithm(void **state, jr_algorithm algorithm) {
    const opened *device = *state;
    bench b = {.device = device, .spec = {.algorithm = algorithm}, .seed = 20240501u + (uint64_t)algorithm};
    int deck[PAIRS];
    uint64_t *host = calloc(ELEMENTS_MAX, sizeof *host); /* room for the largest elements */
    assert_non_null(host);
    b.host = (char *)host;
    b.d_in = device_new(device, ELEMENTS_MAX * sizeof(uint64_t));
    b.d_out = device_new(device, 3 * sizeof *b.d_out);
    const bool slowed = getenv("SANITIZER") != NULL; /* compute-sanitizer, by tools/dev/check_gpu.sh */
    const int rounds = slowed ? 1 : device->info.simulated ? ROUNDS_SIMULATED : ROUNDS_GPU;
    for (int round = 0; round < rounds; round++) {
        shuffle(deck, &b.seed);
        for (int pair = 0; pair < PAIRS; pair++) run_kernel(&b, round, pair, deck[pair]);
    }
    print_message("%s: %d kernels, %llu combinations\n", jr_algorithm_name(algorithm), rounds * PAIRS,
                  (unsigned long long)b.combinations);
    assert_true(b.combinations >= (uint64_t)rounds * PAIRS * (COUNTS - 1));
    device_free(device, b.d_out);
    device_free(device, b.d_in);
    free(host);
}

static void single_pass_agrees_with_the_reference(void **state) {
    run_algorithm(state, JR_ALGORITHM_SINGLE_PASS);
}

static void two_pass_agrees_with_the_reference(void **state) {
    run_algorithm(state, JR_ALGORITHM_TWO_PASS);
}

static void one_block_agrees_with_the_reference(void **state) {
    run_algorithm(state, JR_ALGORITHM_ONE_BLOCK);
}

/* Each input is an allocation of its own: the simulator and compute-sanitizer see any read outside. */
static void a_run_reads_nothing_outside_its_input(void **state) {
    const opened *device = *state;
    static const uint64_t counts[] = {1, 2, 3, 5, 31, 127, 4095, 4097, 8191};
    int32_t *host = calloc(8192 + 4, sizeof *host);
    assert_non_null(host);
    for (int algorithm = JR_ALGORITHM_SINGLE_PASS; algorithm <= JR_ALGORITHM_ONE_BLOCK; algorithm++) {
        const jr_spec spec = {.op = JR_OP_SUM, .type = JR_I32, .algorithm = (jr_algorithm)algorithm, .block = 128};
        jr_plan *plan = NULL;
        works(jr_plan_create(device->context, &spec, &plan));
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
            for (uint64_t offset = 0; offset < 4; offset++) {
                for (uint64_t e = 0; e < offset + counts[i]; e++) host[e] = e < offset ? 1000000 : (int32_t)e;
                int32_t *d_in = device_new(device, (offset + counts[i]) * sizeof *d_in);
                device_write(device, d_in, host, (offset + counts[i]) * sizeof *d_in);
                const jr_value value = plan_value(device, plan, d_in + offset, counts[i]);
                assert_int_equal(value.as.i64, counts[i] * (2 * offset + counts[i] - 1) / 2);
                device_free(device, d_in);
            }
        jr_plan_destroy(plan);
    }
    free(host);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_reads_nothing_outside_its_input),
        cmocka_unit_test(single_pass_agrees_with_the_reference),
        cmocka_unit_test(two_pass_agrees_with_the_reference),
        cmocka_unit_test(one_block_agrees_with_the_reference),
    };
    return cmocka_run_group_tests(tests, open_context, close_context);
}
