/* Segments by the fixed tree: each segment's result has the bits that its elements give alone, for any neighbours. */
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/open_context.h"
#include "support/oracle/tree_case.h"

enum { MOST = 120011, LONG = 70003 };

typedef struct numbers {
    float *single; /* MOST of them */
    double *wide;  /* the same */
} numbers;

static numbers numbers_make(void) {
    numbers made = {.wide = tree_numbers_new(MOST, 11)};
    made.single = tree_singles_new(made.wide, MOST);
    for (int i = 0; i < MOST; i++) made.wide[i] = (double)made.single[i];
    return made;
}

/* results[s] is the tree of elements [begin, end). */
static void same(float result, const double *x, uint64_t begin, uint64_t end, tree_combine by) {
    const jr_value value = {.type = JR_F32, .as.f32 = result};
    tree_same_f32(&value, begin == end ? 0 : tree_of(x + begin, end - begin, by));
}

TEST(equal_segments_of_any_length_tuning_and_address_give_their_trees) {
    static const uint64_t lengths[] = {1, 3, 32, 33, 500, 1024, 1025, 4097, 40009, MOST};
    static const struct { int unroll, block, grid; } tunings[] = {{0, 0, 0}, {2, 96, 3}, {8, 512, 1}};
    const opened *device = *state;
    numbers of = numbers_make();
    float *d_in = device_new(device, (MOST + 4) * sizeof *d_in), *d_out = device_new(device, MOST * sizeof *d_out);
    float *results = test_bytes(MOST * sizeof *results);
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
        for (size_t t = 0; t < sizeof tunings / sizeof *tunings; t++) {
            const uint64_t count = lengths[l] < 33 ? 2000 : MOST / lengths[l];
            if (!tests_take((int)(l + t), 2)) continue;
            const jr_segment_layout layout =
                JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = lengths[l]);
            const jr_work_data run = JR_INIT(jr_work_data, .segments = count);
            const unsigned shift = (unsigned)(l + t) % 4;
            jr_spec spec = tree_spec(JR_OP_SUM, JR_F32);
            spec.unroll = tunings[t].unroll;
            spec.block = tunings[t].block;
            spec.grid = tunings[t].grid;
            jr_plan *plan = plan_held(device, WORK(&spec, .layout = &layout));
            device_write(device, d_in + shift, of.single, MOST * sizeof *of.single);
            works(jr_work_plan_run(plan, DATA_OF(run, FROM(d_in + shift), d_out), NULL, NULL));
            device_read(device, results, d_out, count * sizeof *results);
            for (uint64_t s = 0; s < count; s++)
                same(results[s], of.wide, s * lengths[l], (s + 1) * lengths[l], tree_add_f32);
        }
}

/* A few lanes fold a segment of at most 32 packs: whole packs at a boundary, and others. */
DEVICE_TEST(short_equal_segments_of_every_length_give_their_trees) {
    enum { SEGMENTS = 67, LENGTHS = 130 };
    numbers of = numbers_make();
    float *d_in = device_new(device, (MOST + 4) * sizeof *d_in), *d_out = device_new(device, MOST * sizeof *d_out);
    float results[SEGMENTS];
    const jr_spec spec = tree_spec(JR_OP_SUM, JR_F32);
    for (unsigned shift = 0; shift < 2; shift++) {
        device_write(device, d_in + shift, of.single, MOST * sizeof *of.single);
        for (uint64_t length = 1; length <= LENGTHS; length++) {
            const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = length);
            const jr_work_data run = JR_INIT(jr_work_data, .segments = SEGMENTS);
            jr_plan *plan = NULL;
            works(jr_work_plan_create(device->context, WORK(&spec, .layout = &layout), &plan));
            works(jr_work_plan_run(plan, DATA_OF(run, FROM(d_in + shift), d_out), NULL, NULL));
            device_read(device, results, d_out, sizeof results);
            jr_plan_destroy(plan);
            for (uint64_t s = 0; s < SEGMENTS; s++)
                same(results[s], of.wide, s * length, (s + 1) * length, tree_add_f32);
        }
    }
}

/* Short ones, empty ones, and a long one between them; COUNT + 1 offsets. */
enum { COUNT = 501 };
static void offsets_make(uint64_t *offsets) {
    uint64_t seed = 12;
    offsets[0] = 0;
    for (int s = 0; s < COUNT; s++)
        offsets[s + 1] = offsets[s] + (s == COUNT / 2 ? LONG : s % 5 == 0 ? 0 : random_below(&seed, 90));
    assert_true(offsets[COUNT] <= MOST);
}

/* All at once, and through little of the device's memory, where the long one is cut in pieces. */
TEST(ragged_segments_give_their_trees_also_in_parts) {
    static const uint64_t bytes[] = {0, 65536, 200000};
    const opened *device = *state;
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    numbers of = numbers_make();
    uint64_t offsets[COUNT + 1];
    float results[COUNT];
    offsets_make(offsets);
    const jr_work_data run = JR_INIT(jr_work_data, .segments = COUNT, .offsets = offsets);
    for (size_t b = 0; b < sizeof bytes / sizeof *bytes; b++)
        for (int custom = 0; custom < 2; custom++) {
            const void *const arrays[] = {of.single};
            jr_spec spec = tree_spec(custom ? JR_OP_CUSTOM : JR_OP_SUM, JR_F32);
            jr_stats stats = JR_INIT(jr_stats);
            spec.device_bytes = bytes[b];
            if (custom) {
                spec.combine = "a + b * 0.3f";
                spec.identity = "0";
            }
            works(jr_work_run_host(device->context, WORK(&spec, .layout = &layout), DATA_OF(run, arrays, results)));
            works(jr_context_stats(device->context, &stats));
            assert_true(bytes[b] == 0 ? stats.parts <= 1 : stats.parts > 1);
            for (int s = 0; s < COUNT; s++)
                same(results[s], of.wide, offsets[s], offsets[s + 1], custom ? tree_blend_f32 : tree_add_f32);
        }
}

/* The elements of a segment along axes of a C-ordered array, in its order; returns how many. at: the segment's place, 0
 * along axes that are reduced. */
static uint64_t gather(const uint64_t shape[3], const int reduced[3], const uint64_t at[3], const double *x,
                       double *elements) {
    uint64_t count = 0, end[3];
    for (int d = 0; d < 3; d++) end[d] = reduced[d] ? shape[d] : at[d] + 1;
    for (uint64_t i = at[0]; i < end[0]; i++)
        for (uint64_t j = at[1]; j < end[1]; j++)
            for (uint64_t k = at[2]; k < end[2]; k++) elements[count++] = x[(i * shape[1] + j) * shape[2] + k];
    return count;
}

static void check_axes(const opened *device, const numbers *of, const uint64_t shape[3], const int reduced[3]) {
    int axes[3], axis_count = 0;
    uint64_t outer[3], s = 0;
    double *elements = test_bytes(MOST * sizeof *elements);
    float *results = test_bytes(MOST * sizeof *results);
    for (int i = 0; i < 3; i++) {
        if (reduced[i]) axes[axis_count++] = i;
        outer[i] = reduced[i] ? 1 : shape[i];
    }
    const jr_axis axis =
        JR_INIT(jr_axis, .shape = shape, .dimensions = 3, .axes = axes, .axis_count = (size_t)axis_count);
    const jr_spec spec = tree_spec(JR_OP_SUM, JR_F32);
    works(jr_work_run_host(device->context, WORK(&spec, .axis = &axis), DATA(.in = FROM(of->single), .out = results)));
    for (uint64_t i = 0; i < outer[0]; i++)
        for (uint64_t j = 0; j < outer[1]; j++)
            for (uint64_t k = 0; k < outer[2]; k++) {
                const uint64_t count = gather(shape, reduced, (const uint64_t[]){i, j, k}, of->wide, elements);
                same(results[s++], elements, 0, count, tree_add_f32);
            }
}

TEST(columns_and_axes_give_their_trees) {
    static const uint64_t shapes[][3] = {{3, 501, 7}, {40, 1, 33}, {2, 30000, 2}, {17, 5, 9}};
    static const int reduced[][3] = {{0, 1, 0}, {1, 0, 0}, {1, 0, 1}, {0, 0, 1}, {1, 1, 1}};
    numbers of = numbers_make();
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (size_t r = 0; r < sizeof reduced / sizeof *reduced; r++) check_axes(*state, &of, shapes[s], reduced[r]);
}

/* The index is that within the segment. */
DEVICE_TEST(an_index_counts_within_its_segment) {
    enum { LENGTH = 3001, SEGMENTS = 3 };
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = LENGTH);
    const jr_work_data run = JR_INIT(jr_work_data, .segments = SEGMENTS);
    numbers of = numbers_make();
    float results[SEGMENTS];
    jr_spec spec = tree_spec(JR_OP_SUM, JR_F32);
    spec.map = "x * (float)i";
    works(jr_work_run_host(device->context, WORK(&spec, .layout = &layout), DATA_OF(run, FROM(of.single), results)));
    for (int i = 0; i < SEGMENTS * LENGTH; i++) of.wide[i] = (double)(of.single[i] * (float)(i % LENGTH));
    for (uint64_t s = 0; s < SEGMENTS; s++) same(results[s], of.wide, s * LENGTH, (s + 1) * LENGTH, tree_add_f32);
}

DEVICE_TEST(axes_of_more_than_the_device_may_hold_are_refused) {
    numbers of = numbers_make();
    const uint64_t shape[] = {1000, 100};
    const jr_axis axis = JR_INIT(jr_axis, .shape = shape, .dimensions = 2, .axis = 0);
    float results[100] = {7};
    jr_spec spec = tree_spec(JR_OP_SUM, JR_F32);
    spec.device_bytes = 65536;
    fails(jr_work_run_host(device->context, WORK(&spec, .axis = &axis), DATA(.in = FROM(of.single), .out = results)),
          JR_ERROR_NOT_APPLICABLE, "have no fixed tree in parts");
    assert_true(results[0] == 7);
}

/* Runs of 0 to 60 elements and a long one, by keys that come again. */
TEST(runs_of_keys_give_their_trees_also_in_parts) {
    static const uint64_t bytes[] = {0, 200000};
    enum { KEYS = 30000, LONGEST = 9000, RUNS = KEYS };
    const opened *device = *state;
    const jr_segment_layout layout = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_KEYS, .key_type = JR_F32);
    numbers of = numbers_make();
    float *keys = test_bytes(KEYS * sizeof *keys), *results = test_bytes(RUNS * sizeof *results),
          *found = test_bytes(RUNS * sizeof *found);
    uint64_t begins[RUNS + 1], runs = 0, seed = 9;
    for (uint64_t i = 0; i < KEYS; runs++) {
        const uint64_t length = runs == 20 ? LONGEST : 1 + random_below(&seed, 60);
        begins[runs] = i;
        for (uint64_t k = 0; k < length && i < KEYS; k++) keys[i++] = (float)(runs % 7);
    }
    begins[runs] = KEYS;
    for (size_t b = 0; b < sizeof bytes / sizeof *bytes; b++) {
        const void *const arrays[] = {of.single};
        uint64_t count = 0;
        jr_spec spec = tree_spec(JR_OP_SUM, JR_F32);
        const jr_work_data run =
            JR_INIT(jr_work_data, .keys = keys, .count = KEYS, .run_keys = found, .run_count = &count);
        spec.device_bytes = bytes[b];
        works(jr_work_run_host(device->context, WORK(&spec, .layout = &layout), DATA_OF(run, arrays, results)));
        assert_int_equal(count, runs);
        for (uint64_t r = 0; r < runs; r++) {
            assert_true(found[r] == (float)(r % 7));
            same(results[r], of.wide, begins[r], begins[r + 1], tree_add_f32);
        }
    }
    const jr_work_data wrong = JR_INIT(jr_work_data, .count = KEYS);
    const jr_spec spec = tree_spec(JR_OP_SUM, JR_F32);
    fails(jr_work_run_host(device->context, WORK(&spec, .layout = &layout), DATA_OF(wrong, FROM(of.single), results)),
          JR_ERROR_INVALID_ARGUMENT, "keys");
    const jr_work_data right = JR_INIT(jr_work_data, .count = KEYS, .keys = keys);
    jr_spec indexed = spec;
    indexed.map = "x + i";
    fails(
        jr_work_run_host(device->context, WORK(&indexed, .layout = &layout), DATA_OF(right, FROM(of.single), results)),
        JR_ERROR_NOT_APPLICABLE, "sees the index");
    jr_spec place = spec; /* which has one value, in any order */
    place.op = JR_OP_ARGMAX;
    int64_t *places = test_bytes(RUNS * sizeof *places);
    works(jr_work_run_host(device->context, WORK(&place, .layout = &layout), DATA_OF(right, FROM(of.single), places)));
    assert_true(places[1] >= (int64_t)begins[1] && places[1] < (int64_t)begins[2]);
}

RUN_TESTS(open_context, close_context)
