/* Every operator, type, algorithm, kind of shared memory, unroll factor and block size, with counts at the boundaries
 * of warps, blocks and tiles, every misalignment and several grids, against the CPU reference.
 *
 * The whole cross product of kernels is some hundred thousand compiles; a generator with a fixed seed deals them out.
 * The pairs of operator and type are shuffled and dealt to the algorithms in turn, so that each pair is compiled once a
 * round (every seventh pair, unless JR_TESTS=whole), with an unroll factor and a block size of a second deck. All
 * counts, offsets and grids of a kernel share its compile. JITREDUCE_TEST_COMBINATIONS: how many combinations each
 * algorithm is to run at least. */
#include <stdbool.h>
#include <stdlib.h>

#include "support/every/every_row.h"
#include "support/oracle/combination.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SLOWED = 5 };
#else
enum { SLOWED = 1 };
#endif

enum { PAIRS_MAX = 512, TUNINGS = 36 };

static const int unrolls[] = {1, 2, 3, 4, 8, 16}, blocks[] = {32, 96, 128, 256, 512, 1024};

/* The pairs of operator and type, and the order in which a round deals them. */
typedef struct deck {
    jr_op ops[PAIRS_MAX];
    jr_type types[PAIRS_MAX];
    int order[PAIRS_MAX], count;
} deck;

static void shuffle(int *order, int count, uint64_t *seed) {
    for (int i = 0; i < count; i++) order[i] = i;
    for (int i = count - 1; i > 0; i--) {
        const int j = (int)random_below(seed, (uint64_t)i + 1), card = order[i];
        order[i] = order[j];
        order[j] = card;
    }
}

/* All pairs but those of custom, which has no operator of its own. */
static void deck_fill(deck *d, uint64_t seed) {
    jr_type result;
    d->count = 0;
    for (size_t op = 0; op < EVERY_OPS; op++)
        for (size_t type = 0; type < EVERY_TYPES; type++)
            if (every_op[op] != JR_OP_CUSTOM && jr_result_type(every_op[op], every_type[type], &result) == JR_OK) {
                assert_true(d->count < PAIRS_MAX);
                d->ops[d->count] = every_op[op];
                d->types[d->count++] = every_type[type];
            }
    shuffle(d->order, d->count, &seed);
}

static jr_spec spec_of(const deck *d, int card, int tuning, uint64_t *seed) {
    jr_spec spec = JR_INIT(jr_spec, .op = d->ops[card], .type = d->types[card], .unroll = unrolls[tuning / 6],
                           .block = blocks[tuning % 6],
                           .shared = random_below(seed, 2) == 0 ? JR_SHARED_STATIC : JR_SHARED_DYNAMIC);
    if (random_below(seed, 3) == 0) spec.nan = JR_NAN_IGNORE;
    if (spec.op == JR_OP_VAR || spec.op == JR_OP_STD) spec.ddof = (double)random_below(seed, 2);
    return spec;
}

/* What one algorithm did, and of how many pairs it takes one: all, or fewer under a sanitizer. */
typedef struct tally {
    int kernels, not_applicable, one_in;
} tally;

/* One round's share of an algorithm. A pair that it does not take goes to the one that the library chooses. */
static void run_round(combination_bench *bench, jr_algorithm algorithm, int round, tally *sum) {
    deck d;
    int tunings[TUNINGS];
    deck_fill(&d, 20240501u + (uint64_t)round);
    shuffle(tunings, TUNINGS, &bench->seed);
    for (int i = (int)(algorithm - 1 + (unsigned)round) % EVERY_ALGORITHMS; i < d.count;
         i += EVERY_ALGORITHMS * sum->one_in) {
        jr_spec spec = spec_of(&d, d.order[i], tunings[sum->kernels % TUNINGS], &bench->seed);
        const bool exact = random_below(&bench->seed, 2) == 0;
        spec.algorithm = algorithm;
        sum->kernels++;
        if (combination_run(bench, &spec, exact)) continue;
        sum->not_applicable++;
        spec.algorithm = JR_ALGORITHM_AUTO;
        assert_true(combination_run(bench, &spec, exact));
    }
}

static uint64_t combinations_wanted(void) {
    const char *wanted = getenv("JITREDUCE_TEST_COMBINATIONS");
    return wanted != NULL ? strtoull(wanted, NULL, 10) : 1;
}

static void run_algorithm(void **state, jr_algorithm algorithm) {
    combination_bench bench;
    const bool supervised = getenv("SANITIZER") != NULL; /* compute-sanitizer, by tools/dev/check_gpu.sh */
    tally sum = {.one_in = supervised ? 10 : tests_are_whole() ? SLOWED : SLOWED + 6};
    combination_open(&bench, *state, 20240501u + (uint64_t)algorithm);
    if (supervised) bench.thorough = false;
    for (int round = 0; bench.run_count < combinations_wanted(); round++) run_round(&bench, algorithm, round, &sum);
    print_message("%s: %d kernels, %llu combinations; %d kernels not applicable went to another algorithm\n",
                  jr_algorithm_name(algorithm), sum.kernels, (unsigned long long)bench.run_count, sum.not_applicable);
    assert_true(sum.kernels > 0 && bench.run_count > (uint64_t)sum.kernels);
    combination_close(&bench);
}

#define AGREES(name, number, text)                                                                                     \
    static void name##_agrees_with_the_reference(void **state) {                                                       \
        run_algorithm(state, JR_ALGORITHM_##name);                                                                     \
    }
JR_ALGORITHMS(AGREES)

/* Each input is an allocation of its own: the simulator and compute-sanitizer see any read outside. */
static void read_inside(const opened *device, jr_algorithm algorithm) {
    static const uint64_t counts[] = {1, 2, 3, 5, 31, 127, 4095, 4097, 8191};
    const jr_spec spec =
        JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .algorithm = algorithm, .block = 128, .capacity = counts[8]);
    int32_t *host = test_zeros(8192 + 4, sizeof *host);
    jr_plan *plan = plan_held(device, WORK(&spec));
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (uint64_t offset = 0; offset < 4; offset++) {
            for (uint64_t e = 0; e < offset + counts[i]; e++) host[e] = e < offset ? 1000000 : (int32_t)e;
            int32_t *d_in = device_new(device, (offset + counts[i]) * sizeof *d_in);
            device_write(device, d_in, host, (offset + counts[i]) * sizeof *d_in);
            const jr_value value = plan_value(device, plan, d_in + offset, counts[i]);
            assert_int_equal(value.as.i64, counts[i] * (2 * offset + counts[i] - 1) / 2);
            device_free(device, d_in);
        }
}

#define READS_INSIDE(name, number, text) read_inside(*state, JR_ALGORITHM_##name);
static void a_run_reads_nothing_outside_its_input(void **state) {
    JR_ALGORITHMS(READS_INSIDE)
}

#define TEST_ROW(name, number, text)                                                                                   \
    {text "_agrees_with_the_reference", name##_agrees_with_the_reference, NULL, NULL, NULL},
int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_run_reads_nothing_outside_its_input),
                                       JR_ALGORITHMS(TEST_ROW)};
    return cmocka_run_group_tests(tests, open_context, close_context);
}
