/* The pump: arrays arrive on the device whole and in order, in bounded memory, whatever their size and way. */
#include "support/fixtures/pump_case.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "kernel/context.h"

enum { GRANULE = 48, LIMIT = 6 << 10, SMALL_PIECE = 4096 };

/* Every size around the granule and around one and several chunks of a small limit, with and without the ring. */
DEVICE_TEST(arrays_arrive_whole_and_in_order) {
    const uint64_t chunk = LIMIT / JR_PUMP_BUFFERS / GRANULE * GRANULE;
    const uint64_t sizes[] = {1,     GRANULE - 1, GRANULE,   GRANULE + 1,   chunk - 1,
                              chunk, chunk + 1,   3 * chunk, 3 * chunk + 1, 40 * chunk + 7};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (uint64_t from = 1; from <= 1 << 20; from <<= 20) {
            const jr_pump_request request = {
                .count = sizes[i], .granule_count = GRANULE, .limit_bytes = LIMIT, .stage_from_bytes = from};
            pump_case_arrives(device, &request, from == 1);
        }
}

DEVICE_TEST(larger_chunks_go_in_several_pieces) {
    const uint64_t limits[] = {JR_PUMP_BUFFERS * (5 * SMALL_PIECE + 256), 0};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        for (int threads = 0; threads <= 3; threads++) {
            const jr_pump_request request = {.count = (3 << 20) + 5,
                                             .granule_count = 16,
                                             .limit_bytes = limits[i],
                                             .stage_from_bytes = 1,
                                             .piece_bytes = SMALL_PIECE,
                                             .thread_count = threads};
            pump_case_arrives(device, &request, true);
        }
}

/* Elements of 1, 16, 2 and 12 bytes, more than the ring holds, in one piece each and in several. */
DEVICE_TEST(several_arrays_arrive_side_by_side) {
    const uint64_t limits[] = {3 * 1536, 40000, 400000, 0};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        for (uint64_t from = 1; from <= 1 << 30; from <<= 30) {
            const jr_pump_request request = {
                .arrays = {{.element_bytes = 1}, {.element_bytes = 16}, {.element_bytes = 2}, {.element_bytes = 12}},
                .array_count = 4,
                .count = 40011,
                .granule_count = 8,
                .limit_bytes = limits[i],
                .stage_from_bytes = from,
                .piece_bytes = SMALL_PIECE};
            pump_case_arrives(device, &request, from == 1);
        }
}

DEVICE_TEST(an_array_that_fits_one_buffer_is_one_chunk) {
    const jr_pump_request request = {.count = 1 << 20, .granule_count = 4};
    assert_int_equal(pump_case_arrives(device, &request, false), 1);
}

DEVICE_TEST(an_empty_array_has_no_chunk) {
    const jr_pump_request request = {.granule_count = 4, .stage_from_bytes = 1};
    assert_int_equal(pump_case_arrives(device, &request, false), 0);
}

DEVICE_TEST(a_granule_may_be_larger_than_the_usual_chunk) {
    const jr_pump_request request = {.count = 1000, .granule_count = (64 << 20) + 1};
    assert_int_equal(pump_case_arrives(device, &request, false), 1);
}

DEVICE_TEST(a_limit_below_a_granule_for_each_buffer_is_refused) {
    jr_pump_request request = {.arrays = {{.data = "x", .element_bytes = 1}},
                               .array_count = 1,
                               .count = 257,
                               .granule_count = 257,
                               .limit_bytes = 1535};
    jr_pump *pump = NULL;
    fails(jr_pump_open(&device->context->device, &request, &pump), JR_ERROR_INVALID_ARGUMENT,
          "a limit of 1535 bytes of device memory is too small: give at least 1536");
    assert_null(pump);
    request.limit_bytes = 1536;
    works(jr_pump_open(&device->context->device, &request, &pump));
    jr_pump_close(pump);
    jr_pump_close(NULL);
}

/* ---- memory that the driver knows ---- */

DEVICE_TEST(pinned_memory_is_copied_from_where_it_lies) {
    void *pinned = NULL;
    drives(device->driver.cuMemHostAlloc(&pinned, 100000, 0));
    pump_case pumped = {.device = device, .data = {pinned}};
    const jr_pump_request request = {
        .count = 99999, .granule_count = GRANULE, .limit_bytes = LIMIT, .stage_from_bytes = 1};
    pump_case_begin(&pumped, &request);
    assert_false(jr_pump_stages(pumped.pump));
    pump_case_run(&pumped);
    pump_case_end(&pumped);
    drives(device->driver.cuMemFreeHost(pinned));
}

DEVICE_TEST(pinned_and_pageable_arrays_arrive_side_by_side) {
    void *pinned = NULL;
    drives(device->driver.cuMemHostAlloc(&pinned, 80000, 0));
    for (int place = 0; place < 3; place++) {
        pump_case pumped = {.device = device};
        const jr_pump_request request = {.arrays = {{.element_bytes = 4}, {.element_bytes = 4}, {.element_bytes = 4}},
                                         .array_count = 3,
                                         .count = 20000,
                                         .granule_count = GRANULE,
                                         .limit_bytes = LIMIT,
                                         .stage_from_bytes = 1};
        pumped.data[place] = pinned;
        pump_case_begin(&pumped, &request);
        assert_true(jr_pump_stages(pumped.pump));
        pump_case_run(&pumped);
        pump_case_end(&pumped);
    }
    drives(device->driver.cuMemFreeHost(pinned));
}

DEVICE_TEST(memory_that_is_pinned_in_part_is_staged) {
    enum { PAGE = 64 << 10 };
    unsigned char *pages = aligned_alloc(PAGE, 3 * PAGE);
    assert_non_null(pages);
    assert_non_null(device->driver.cuMemHostRegister_v2);
    drives(device->driver.cuMemHostRegister_v2(pages, PAGE, 0));
    pump_case pumped = {.device = device, .data = {pages}};
    const jr_pump_request request = {
        .count = 3 * PAGE, .granule_count = GRANULE, .limit_bytes = LIMIT, .stage_from_bytes = 1};
    pump_case_begin(&pumped, &request);
    assert_true(jr_pump_stages(pumped.pump));
    pump_case_run(&pumped);
    pump_case_end(&pumped);
    drives(device->driver.cuMemHostUnregister(pages));
    free(pages);
}

/* ---- runs ---- */

TEST(a_pump_runs_again_with_what_the_array_holds_then) {
    pump_case pumped = {.device = *state};
    const jr_pump_request request = {
        .count = 50000, .granule_count = GRANULE, .limit_bytes = LIMIT, .stage_from_bytes = 1};
    pump_case_begin(&pumped, &request);
    for (int round = 0; round < 3; round++) {
        pumped.data[0][0] ^= 1;
        pumped.data[0][49999] ^= 1;
        pump_case_run(&pumped);
    }
    pump_case_end(&pumped);
}

/* One warp takes its time with each chunk, while the next ones come. */
TEST(a_buffer_is_not_filled_before_its_kernel_is_done) {
    for (uint64_t from = 1; from <= 1 << 30; from <<= 30) {
        pump_case pumped = {.device = *state, .slow = true};
        const jr_pump_request request = {
            .count = 1 << 20, .granule_count = 4, .limit_bytes = 96 << 10, .stage_from_bytes = from};
        pump_case_begin(&pumped, &request);
        pump_case_run(&pumped);
        pump_case_end(&pumped);
    }
}

TEST(a_failing_callback_ends_the_run_with_its_own_reason) {
    for (uint64_t from = 1; from <= 1 << 30; from <<= 30) {
        pump_case pumped = {.device = *state, .fail_at = 3};
        const jr_pump_request request = {
            .count = 1 << 20, .granule_count = 4, .limit_bytes = LIMIT, .stage_from_bytes = from};
        pump_case_begin(&pumped, &request);
        fails(jr_pump_run(pumped.pump, pump_case_callback, &pumped), JR_ERROR_NOT_APPLICABLE, "enough at chunk 2");
        assert_int_equal(pumped.chunks, 3);
        pumped.fail_at = 0;
        pump_case_run(&pumped);
        pump_case_end(&pumped);
    }
}

/* ---- several at once ---- */

enum { ROUNDS = 4 };

typedef struct runner {
    pump_case pumped;
    jr_status status;
} runner;

/* CMocka's assertions are for the main thread. */
static void *run_several_times(void *argument) {
    runner *self = argument;
    bool pushed = false;
    const jr_device *device = &self->pumped.device->context->device;
    self->status = jr_device_enter(device, &pushed);
    for (int i = 0; i < ROUNDS && self->status == JR_OK; i++) {
        self->pumped.chunks = 0;
        self->pumped.next = 0;
        self->status = jr_pump_run(self->pumped.pump, pump_case_callback, &self->pumped);
    }
    jr_device_leave(device, pushed);
    return NULL;
}

TEST(two_pumps_run_at_once) {
    runner runners[2] = {0};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        const jr_pump_request request = {.count = (1 << 20) + (uint64_t)i,
                                         .granule_count = GRANULE,
                                         .limit_bytes = 64 << 10,
                                         .stage_from_bytes = 1,
                                         .piece_bytes = SMALL_PIECE,
                                         .thread_count = 3};
        runners[i].pumped.device = *state;
        pump_case_begin(&runners[i].pumped, &request);
    }
    for (int i = 0; i < 2; i++) assert_int_equal(pthread_create(&threads[i], NULL, run_several_times, &runners[i]), 0);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(runners[i].status, JR_OK);
        pump_case_compare(&runners[i].pumped);
        pump_case_end(&runners[i].pumped);
    }
}

RUN_TESTS(open_context, close_context)
