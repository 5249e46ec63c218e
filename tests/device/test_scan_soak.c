/* Scans that never hang and never differ: launches at sizes around every change of kernel, while a copy, another scan
 * and a reduction keep other streams of the device busy. Some thousands; a million by JR_TESTS=whole. On the simulator
 * few. */
#include <stdlib.h>

#include "support/fixtures/open_context.h"

enum {
    WHOLE = 1000000,
    SAMPLE = 20000,
    SIMULATED = 60,
    EVERY = 500,
    LARGEST = (1 << 22) + 1,
    SIMULATED_LARGEST = 1 << 13
};

/* A plan with the stream and the workspace that it runs in. */
typedef struct lane {
    jr_plan *plan;
    jr_stream stream;
    void *workspace;
    uint64_t *d_out;
} lane;

typedef struct soak {
    const opened *device;
    uint64_t largest;
    uint32_t *d_in; /* ones */
    void *d_copy;
    lane scan, other, reduction;
    jr_stream copies;
} soak;

static lane lane_new(const opened *device, jr_plan *plan, uint64_t results) {
    lane made = {.plan = plan, .stream = stream_new(device)};
    made.workspace = workspace_new(device, plan, made.stream);
    made.d_out = device_new(device, results * sizeof *made.d_out);
    return made;
}
static void lane_free(const opened *device, lane *freed) {
    stream_wait(device, freed->stream);
    jr_plan_destroy(freed->plan);
    device_free(device, freed->workspace);
    device_free(device, freed->d_out);
    stream_free(device, freed->stream);
}

static void soak_begin(const opened *device, soak *made) {
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U32, .result = JR_U64),
                  max = JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_U32, .result = JR_U64);
    jr_plan *plans[3];
    *made = (soak){.device = device, .largest = device->info.simulated ? SIMULATED_LARGEST : LARGEST};
    works(jr_work_plan_create(device->context, WORK(&sum, .kind = JR_WORK_SCAN_INCLUSIVE), &plans[0]));
    works(jr_work_plan_create(device->context, WORK(&max, .kind = JR_WORK_SCAN_INCLUSIVE), &plans[1]));
    works(jr_work_plan_create(device->context, WORK(&sum), &plans[2]));
    made->d_in = device_new(device, made->largest * sizeof *made->d_in);
    made->d_copy = device_new(device, made->largest * sizeof *made->d_in);
    drives(device->driver.cuMemsetD32_v2(device_address(made->d_in), 1, made->largest));
    made->scan = lane_new(device, plans[0], made->largest);
    made->other = lane_new(device, plans[1], made->largest);
    made->reduction = lane_new(device, plans[2], 1);
    made->copies = stream_new(device);
}
static void soak_end(soak *freed) {
    lane_free(freed->device, &freed->scan);
    lane_free(freed->device, &freed->other);
    lane_free(freed->device, &freed->reduction);
    stream_wait(freed->device, freed->copies);
    stream_free(freed->device, freed->copies);
    device_free(freed->device, freed->d_in);
    device_free(freed->device, freed->d_copy);
}

static void run(const soak *on, const lane *in, uint64_t count) {
    works(jr_work_plan_run(in->plan, DATA(.in = FROM(on->d_in), .count = count, .out = in->d_out), in->workspace,
                           in->stream));
}

/* Powers of two and their neighbours: kernels change at some of these, whatever the device. Small ones most often.
 */
static uint64_t size_at(const soak *on, uint64_t launch, uint64_t *seed) {
    const uint64_t rare = launch % 64 == 0 ? on->largest : launch % 8 == 0 ? on->largest / 16 : on->largest / 256;
    uint64_t power = 1;
    while (random_below(seed, 16) != 0 && power < rare) power *= 2;
    const uint64_t size = power - 1 + random_below(seed, 3);
    return size == 0 ? 1 : size < on->largest ? size : on->largest;
}

/* Results of the last launch: the n-th is n. */
static void check(const soak *on, uint64_t count) {
    uint64_t *got = test_bytes(count * sizeof *got), total = 0, last = 0;
    stream_wait(on->device, on->scan.stream);
    stream_wait(on->device, on->other.stream);
    stream_wait(on->device, on->reduction.stream);
    device_read(on->device, got, on->scan.d_out, count * sizeof *got);
    for (uint64_t i = 0; i < count; i++)
        if (got[i] != i + 1)
            fail_msg("result %llu of %llu is %llu", (unsigned long long)i, (unsigned long long)count,
                     (unsigned long long)got[i]);
    device_read(on->device, &total, on->reduction.d_out, sizeof total);
    device_read(on->device, &last, on->other.d_out + count - 1, sizeof last);
    assert_int_equal(total, count);
    assert_int_equal(last, 1);
}

TEST(no_launch_hangs_or_differs_whatever_else_the_device_does) {
    soak on;
    const opened *device = *state;
    const uint64_t launches = device->info.simulated ? SIMULATED : tests_are_whole() ? WHOLE : SAMPLE;
    const uint64_t every = device->info.simulated ? 10 : EVERY;
    uint64_t seed = 4, size = 1;
    soak_begin(device, &on);
    for (uint64_t i = 1; i <= launches; i++) {
        size = size_at(&on, i, &seed);
        run(&on, &on.scan, size);
        if (i % 3 == 0 || i % every == 0) run(&on, &on.other, size);
        if (i % 5 == 0 || i % every == 0) run(&on, &on.reduction, size);
        if (i % 7 == 0)
            drives(device->driver.cuMemcpyDtoDAsync_v2(device_address(on.d_copy), device_address(on.d_in),
                                                       on.largest * sizeof *on.d_in, on.copies));
        if (i % every == 0) check(&on, size);
    }
    print_message("%llu launches\n", (unsigned long long)launches);
    soak_end(&on);
}

RUN_TESTS(open_context, close_context)
