/* The pump's way back: results arrive in host memory whole, in bounded memory, whatever their size and way. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "kernel/context.h"
#include "support/fixtures/pump_case.h"

enum { GRANULE = 48, LIMIT = 6 << 10, SMALL_PIECE = 4096 };

static void returns(const opened *device, const jr_pump_request *request, bool uses_landing) {
    pump_case pumped = {.device = device};
    pump_case_begin(&pumped, request);
    assert_true(jr_pump_uses_landing(pumped.pump) == uses_landing);
    for (int round = 0; round < 2; round++) pump_case_run(&pumped);
    pump_case_end(&pumped);
}

/* Every size around the granule and around one and several chunks of a small limit, with and without the rings. */
TEST(results_arrive_whole) {
    const uint64_t chunk = 960; /* of two bytes: 3 buffers within the limit */
    const uint64_t sizes[] = {1,     GRANULE - 1, GRANULE,   GRANULE + 1,   chunk - 1,
                              chunk, chunk + 1,   2 * chunk, 3 * chunk + 1, 40 * chunk + 7};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (uint64_t from = 1; from <= 1 << 20; from <<= 20) {
            const jr_pump_request request = {.count = sizes[i],
                                             .granule_count = GRANULE,
                                             .limit_bytes = LIMIT,
                                             .stage_from_bytes = from,
                                             .results = {.bytes = 1}};
            returns(*state, &request, from == 1);
        }
}

TEST(results_of_larger_chunks_come_in_several_pieces) {
    const uint64_t limits[] = {JR_PUMP_BUFFERS * (10 * SMALL_PIECE + 512), 0};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        for (int threads = 0; threads <= 3; threads++) {
            const jr_pump_request request = {.count = (3 << 20) + 5,
                                             .granule_count = 16,
                                             .limit_bytes = limits[i],
                                             .stage_from_bytes = 1,
                                             .piece_bytes = SMALL_PIECE,
                                             .thread_count = threads,
                                             .results = {.bytes = 1}};
            returns(*state, &request, true);
        }
}

TEST(nothing_comes_of_nothing) {
    const jr_pump_request request = {.granule_count = 4, .stage_from_bytes = 1, .results = {.bytes = 1}};
    returns(*state, &request, false);
}

/* Written upon the data while later chunks are still sent. */
TEST(results_may_take_the_place_of_the_data) {
    for (uint64_t from = 1; from <= 1 << 30; from <<= 30) {
        const jr_pump_request request = {.arrays = {{.element_bytes = 4}, {.element_bytes = 2}},
                                         .array_count = 2,
                                         .count = 100003,
                                         .granule_count = 4,
                                         .limit_bytes = 64 << 10,
                                         .stage_from_bytes = from,
                                         .piece_bytes = SMALL_PIECE,
                                         .results = {.bytes = 4, .upon_first = true}};
        returns(*state, &request, from == 1);
    }
}

DEVICE_TEST(results_go_straight_into_memory_that_the_driver_knows) {
    void *pinned = NULL;
    drives(device->driver.cuMemHostAlloc(&pinned, 100000, 0));
    for (uint64_t from = 1; from <= 1 << 30; from <<= 30) {
        const jr_pump_request request = {.count = 99999,
                                         .granule_count = GRANULE,
                                         .limit_bytes = LIMIT,
                                         .stage_from_bytes = from,
                                         .results = {.data = pinned, .bytes = 1}};
        returns(device, &request, false);
    }
    drives(device->driver.cuMemFreeHost(pinned));
}

DEVICE_TEST(a_limit_counts_the_results) {
    jr_pump_request request = {.arrays = {{.data = "x", .element_bytes = 1}},
                               .array_count = 1,
                               .count = 256,
                               .granule_count = 256,
                               .limit_bytes = 3 * 2304 - 1,
                               .results = {.data = &request, .bytes = 8}};
    jr_pump *pump = NULL;
    fails(jr_pump_open(&device->context->device, &request, &pump), JR_ERROR_INVALID_ARGUMENT,
          "a limit of 6911 bytes of device memory is too small: give at least 6912");
    request.limit_bytes++;
    works(jr_pump_open(&device->context->device, &request, &pump));
    jr_pump_close(pump);
}

/* ---- chunks that the caller cuts ---- */

/* Five chunks, out of order: one has no elements, one no results. The elements of each are copied, and each result is
 * its chunk's item with the same index. */
enum { CUTS = 5, ELEMENTS = 20000, RESULTS = 9000 };
static const jr_chunk_cut cuts[CUTS] = {{{0, 7000}, {0, 1}, {0, 2}},
                                        {{12000, 100}, {3000, 6000}, {3000, 6000}},
                                        {{7001, 0}, {1, 2000}, {1, 2001}},
                                        {{12100, 7900}, {2500, 0}, {2500, 1}},
                                        {{7005, 4995}, {2001, 999}, {2001, 1000}}};

typedef struct cut_case {
    const opened *device;
    unsigned char *d_copy;
    uint64_t next;
} cut_case;

static jr_status copy_on(const cut_case *at, const jr_chunk *chunk, jr_cu_deviceptr to, jr_cu_deviceptr from,
                         uint64_t bytes) {
    const jr_driver *driver = &at->device->driver;
    if (bytes == 0) return JR_OK;
    return jr_driver_check(driver, driver->cuMemcpyDtoDAsync_v2(to, from, bytes, chunk->stream), "copying");
}

static jr_status take_cut(void *user, const jr_chunk *chunk) {
    cut_case *at = user;
    const jr_chunk_cut *cut = &cuts[at->next];
    if (chunk->index != at->next++ || chunk->first != cut->elements.first || chunk->count != cut->elements.count ||
        chunk->results.first != cut->results.first || chunk->results.count != cut->results.count)
        return jr_fail(JR_ERROR_DRIVER, "chunk %d is another", (int)chunk->index);
    const jr_status status = copy_on(at, chunk, device_address(at->d_copy + chunk->first), chunk->in[0], chunk->count);
    return status == JR_OK ? copy_on(at, chunk, chunk->out, chunk->in[1], chunk->results.count * sizeof(uint64_t))
                           : status;
}

static void run_cuts(const opened *device, uint64_t from) {
    unsigned char *data = test_zeros(ELEMENTS, 1), *back = test_zeros(ELEMENTS, 1);
    uint64_t *numbers = test_zeros(RESULTS + 1, sizeof *numbers), *results = calloc(RESULTS, sizeof *results),
             seed = from;
    assert_true(results != NULL);
    for (int i = 0; i < ELEMENTS; i++) data[i] = (unsigned char)random_bits(&seed);
    for (int i = 0; i <= RESULTS; i++) numbers[i] = random_bits(&seed);
    const jr_pump_request request = {.arrays = {{data, 1, false, NULL}, {numbers, sizeof *numbers, true, NULL}},
                                     .array_count = 2,
                                     .count = ELEMENTS,
                                     .beside_count = RESULTS + 1,
                                     .results = {.data = results, .bytes = sizeof *results},
                                     .result_count = RESULTS,
                                     .cuts = cuts,
                                     .cut_count = CUTS,
                                     .stage_from_bytes = from,
                                     .piece_bytes = SMALL_PIECE};
    cut_case at = {.device = device, .d_copy = device_new(device, ELEMENTS)};
    jr_pump *pump = NULL;
    works(jr_pump_open(&device->context->device, &request, &pump));
    works(jr_pump_run(pump, take_cut, &at));
    jr_pump_close(pump);
    device_read(device, back, at.d_copy, ELEMENTS);
    for (int c = 0; c < CUTS; c++) {
        const jr_span *elements = &cuts[c].elements;
        assert_memory_equal(back + elements->first, data + elements->first, elements->count);
    }
    assert_memory_equal(results, numbers, RESULTS * sizeof *results);
    device_free(device, at.d_copy);
    free(results);
}

TEST(chunks_go_as_the_caller_cuts_them) {
    for (uint64_t from = 1; from <= 1 << 30; from <<= 30) run_cuts(*state, from);
}

/* ---- order ---- */

/* Each kernel takes its time, and the next one needs what it leaves. */
static const char follow[] = "extern \"C\" __global__ void follow(unsigned *last, unsigned index) {\n"
                             "    const unsigned before = *last;\n"
                             "    unsigned mixed = index;\n"
                             "    for (int i = 0; i < 3000; i++) mixed = mixed * 1664525 + 1013904223;\n"
                             "    *last = before * 31 + index + (mixed == 7);\n"
                             "}\n";

typedef struct follow_case {
    jr_kernel *kernel;
    unsigned *d_last;
    unsigned wanted;
} follow_case;

static jr_status follow_chunk(void *user, const jr_chunk *chunk) {
    follow_case *at = user;
    unsigned index = (unsigned)chunk->index;
    void *args[] = {&at->d_last, &index};
    const jr_launch launch = JR_INIT(jr_launch, .grid = {1}, .block = {1}, .stream = chunk->stream);
    at->wanted = at->wanted * 31 + index;
    return jr_kernel_launch(at->kernel, &launch, args);
}

DEVICE_TEST(kernels_of_ordered_chunks_wait_for_each_other) {
    enum { COUNT = 50000 };
    const jr_program program = JR_INIT(jr_program, .name = "follow.cu", .source = follow, .entry = "follow");
    unsigned char *data = test_zeros(COUNT, 1);
    follow_case at = {.d_last = device_new(device, sizeof(unsigned))};
    const unsigned none = 0;
    unsigned last = 1;
    jr_pump *pump = NULL;
    const jr_pump_request request = {
        .arrays = {{data, 1, false, NULL}}, .array_count = 1, .count = COUNT, .limit_bytes = LIMIT, .ordered = true};
    device_write(device, at.d_last, &none, sizeof none);
    works(jr_kernel_get(device->context, &program, &at.kernel));
    works(jr_pump_open(&device->context->device, &request, &pump));
    works(jr_pump_run(pump, follow_chunk, &at));
    jr_pump_close(pump);
    device_read(device, &last, at.d_last, sizeof last);
    assert_int_equal(last, at.wanted);
}

RUN_TESTS(open_context, close_context)
