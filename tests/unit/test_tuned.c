/* The table of tuned numbers: it is complete, classes of devices are distinguished, and what it chooses does not
 * change. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/algorithms.h"
#include "plan/choice.h"
#include "support/fixtures/check.h"

/* By major and minor capability, multiprocessors, memory clock and bus, and KiB of shared memory of a block. */
#define DEVICE(major, minor, multiprocessors, khz, bits, kib)                                                          \
    JR_INIT(jr_device_info, .capability_major = (major), .capability_minor = (minor),                                  \
            .multiprocessor_count = (multiprocessors), .memory_clock_khz = (khz), .memory_bus_bits = (bits),           \
            .shared_bytes_per_block = 48 << 10, .shared_bytes_per_block_optin = (uint64_t)(kib) << 10)
#define T4    DEVICE(7, 5, 40, 5001000, 256, 64)
#define A100  DEVICE(8, 0, 108, 1215000, 5120, 163)
#define H100  DEVICE(9, 0, 132, 2619000, 5120, 227)
#define H200  DEVICE(9, 0, 132, 3201000, 6144, 227)
#define GB202 DEVICE(12, 0, 170, 14001000, 512, 99)

TEST(devices_are_told_apart_by_capability_shared_memory_and_bandwidth) {
    assert_int_equal(jr_tuned_class_of(&T4), JR_CLASS_ANY);
    assert_int_equal(jr_tuned_class_of(&A100), JR_CLASS_ANY);
    assert_int_equal(jr_tuned_class_of(&H100), JR_CLASS_H100);
    assert_int_equal(jr_tuned_class_of(&H200), JR_CLASS_H200);
    assert_int_equal(jr_tuned_class_of(&GB202), JR_CLASS_ANY); /* its blocks have less shared memory */
    assert_int_equal(jr_tuned_class_of(&JR_INIT(jr_device_info)), JR_CLASS_ANY);
}

TEST(a_class_takes_a_number_that_it_does_not_have_from_the_class_it_is_like) {
    assert_int_equal(jr_tuned_class_like(JR_CLASS_H200), JR_CLASS_H100);
    assert_int_equal(jr_tuned_number_of(&H200, JR_NUMBER_SCAN_FEW_WORDS_BLOCK), 896);
    assert_int_equal(jr_tuned_number_of(&H100, JR_NUMBER_SCAN_FEW_WORDS_BLOCK), 640);
    assert_int_equal(jr_tuned_number_of(&H200, JR_NUMBER_SCAN_WORDS_BLOCK), 640);
    assert_int_equal(jr_tuned_number_of(&A100, JR_NUMBER_SCAN_WORDS_BLOCK), 0);
    assert_null(jr_tuned_number_measured(JR_CLASS_H200, JR_NUMBER_SCAN_WORDS_BLOCK));
}

TEST(every_number_and_every_split_says_where_it_was_measured) {
    for (int n = 0; n < JR_NUMBERS; n++) assert_non_null(jr_tuned_number_measured(JR_CLASS_ANY, (jr_tuned_number)n));
    for (int s = JR_SPLITS_ELEMENTS; s < JR_SPLITS_COUNT; s++) {
        const jr_tuned_split *list = jr_tuned_splits_of(&H200, (jr_tuned_splits)s);
        assert_non_null(jr_tuned_splits_measured(JR_CLASS_ANY, (jr_tuned_splits)s));
        for (int k = 1; k < JR_SPLITS_MAX; k++) assert_true(list[k].from_bytes <= list[k - 1].from_bytes);
        assert_int_equal(list[JR_SPLITS_MAX - 1].from_bytes, 0);
    }
    for (int r = JR_TUNED_NONE + 1; r < JR_TUNED_ROW_COUNT; r++) {
        const jr_tuned_algorithm *tuned = jr_tuned_algorithm_of(&H100, (jr_tuned_row)r);
        const bool says = tuned->block > 0 || tuned->unroll > 0 || tuned->vectors_in_flight > 0 || tuned->splits > 0 ||
                          tuned->preferred_from_bytes > 0;
        if (says) assert_non_null(tuned->measured);
    }
}

TEST(every_entry_is_named_by_one_algorithm_and_has_an_order_of_its_own) {
    int named[JR_TUNED_ROW_COUNT] = {0};
    const jr_algorithm_row *row;
    for (size_t i = 0; (row = jr_algorithms_get(i)) != NULL; i++) named[row->tuned]++;
    for (int r = JR_TUNED_NONE + 1; r < JR_TUNED_ROW_COUNT; r++) {
        const int order = jr_tuned_algorithm_of(&H100, (jr_tuned_row)r)->order;
        assert_int_equal(named[r], 1);
        assert_true(order > 0);
        for (int other = JR_TUNED_NONE + 1; other < r; other++)
            assert_int_not_equal(order, jr_tuned_algorithm_of(&H100, (jr_tuned_row)other)->order);
    }
}

/* ---- what is chosen ---- */

typedef struct work {
    const char *name;
    jr_spec spec;
    jr_job_kind kind;
    jr_segment_layout layout;
} work;

#define SPEC(chosen, of) JR_INIT(jr_spec, .op = JR_OP_##chosen, .type = JR_##of)
#define LAYOUT(of, ...)  JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_##of, __VA_ARGS__)
#define SEGMENTS(chosen, ...)                                                                                          \
    { .spec = SPEC(chosen, F32), .kind = JR_JOB_SEGMENTS, .layout = LAYOUT(__VA_ARGS__) }

enum { TEXT_BYTES = 1024, POWERS = 31 };

/* What is chosen for counts that are powers of two, from where on. */
static void tell(const work *of, const jr_device_info *device, char *text) {
    char last[64] = "";
    size_t used = 0;
    jr_job job = {.device = device, .kind = of->kind, .layout = of->layout};
    assert_int_equal(jr_job_make(&of->spec, &job), JR_OK);
    for (int power = 10; power <= POWERS; power++) {
        jr_choice choice;
        char now[64];
        job.requested.capacity = UINT64_C(1) << power;
        assert_int_equal(jr_choice_make(&job, &choice), JR_OK);
        snprintf(now, sizeof now, "%s %dx%d", choice.row->name, choice.tuning.block, choice.tuning.unroll);
        if (strcmp(now, last) != 0)
            used += (size_t)snprintf(text + used, TEXT_BYTES - used, "%s%d: %s", used > 0 ? ", " : "", power, now);
        memcpy(last, now, sizeof last);
    }
    jr_job_free(&job);
}

static void check(const work *of, const jr_device_info *device, const char *wanted) {
    char text[TEXT_BYTES] = "";
    tell(of, device, text);
    assert_string_equal(text, wanted);
}

TEST(sums_are_chosen_by_size_alike_on_all_devices) {
    const work f32 = {.spec = SPEC(SUM, F32)}, var = {.spec = SPEC(VAR, F64)}, index = {.spec = SPEC(ARGMAX, I8)};
    check(&f32, &A100, "10: single_pass 256x4, 22: single_pass 256x8, 24: single_pass 512x8");
    check(&f32, &H100, "10: single_pass 256x4, 22: single_pass 256x8, 24: single_pass 512x8, 30: bulk_copy 512x3");
    check(&var, &H100, "10: single_pass 256x2, 18: single_pass 128x8, 29: bulk_copy 512x3");
    check(&index, &H200, "10: single_pass 256x4, 23: single_pass 256x8, 27: single_pass 512x8");
}

TEST(scans_are_chosen_by_class_and_size) {
    const work f32 = {.spec = SPEC(SUM, F32), .kind = JR_JOB_SCAN}, f64 = {.spec = SPEC(SUM, F64), .kind = JR_JOB_SCAN},
               i8 = {.spec = SPEC(SUM, I8), .kind = JR_JOB_SCAN};
    check(&f32, &A100,
          "10: one_block 512x2, 13: wave 320x1, 18: wave 576x1, 19: wave 576x2, 21: wave 576x4, 22: single_pass 256x8");
    check(&f32, &H100,
          "10: one_block 512x2, 13: wave 320x1, 18: wave 576x1, 19: wave 576x2, 21: wave 576x4, 22: bulk_copy 640x5");
    check(&f32, &H200,
          "10: one_block 512x2, 13: wave 320x1, 18: wave 576x1, 19: wave 576x2, 21: wave 576x4, 22: bulk_copy 896x5, "
          "23: bulk_copy 640x5");
    check(&f64, &H100,
          "10: one_block 512x2, 12: wave 320x1, 17: wave 576x1, 18: wave 576x2, 20: wave 576x4, 21: bulk_copy 896x5, "
          "22: bulk_copy 832x5");
    check(&i8, &H200, "10: one_block 512x2, 15: wave 320x1, 20: wave 576x1, 21: wave 576x2, 22: bulk_copy 768x1");
    check(&f32, &GB202,
          "10: one_block 512x2, 13: wave 320x1, 18: wave 576x1, 19: wave 576x2, 21: wave 576x4, 22: bulk_copy 576x5");
}

TEST(runs_are_chosen_by_capability_and_size) {
    const work runs = SEGMENTS(SUM, KEYS, .key_type = JR_I32);
    check(&runs, &A100, "10: segmented_runs 512x4, 21: segmented_runs 256x8");
    check(&runs, &H100, "10: segmented_runs 512x4, 20: bulk_copy 416x5");
}

TEST(segments_are_chosen_by_their_layout) {
    static const struct {
        uint64_t length, inner;
        const char *wanted;
    } shapes[] = {{4, 0, "10: segmented_short 256x4"},           {100, 0, "10: segmented_lanes 256x4"},
                  {1000, 0, "10: segmented_lanes 256x4"},        {1024, 0, "10: segmented_warps 256x8"},
                  {8192, 0, "10: segmented_blocks 256x4"},       {100000, 0, "10: segmented_blocks 256x4"},
                  {3, 1000000, "10: segmented_threads 128x3"},   {20, 100000, "10: segmented_threads 128x4"},
                  {100, 10000, "10: segmented_columns 128x7"},   {16384, 16384, "10: segmented_columns 256x4"},
                  {1000000, 100, "10: segmented_columns 416x8"}, {10, 3, "10: segmented_slabs 256x4"}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        const work equal = SEGMENTS(SUM, EQUAL, .length = shapes[s].length),
                   columns = SEGMENTS(SUM, STRIDED, .length = shapes[s].length, .inner = shapes[s].inner);
        check(shapes[s].inner > 0 ? &columns : &equal, &H100, shapes[s].wanted);
    }
    const work ragged = SEGMENTS(SUM, OFFSETS, .length = 0);
    check(&ragged, &A100, "10: segmented_walk 128x4");
    check(&ragged, &H100, "10: segmented_flow 128x4");
}

RUN_TESTS(NULL, NULL)
