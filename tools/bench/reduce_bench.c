/* reduce_bench: device time of plans over sizes, launches back to back, buffers rotated beyond L2.
 *
 * usage: reduce_bench [op [type [algorithm [unroll [block [grid]]]]]]   (defaults: sum f32 and the library's choice)
 * On the simulator one size is run, 100 million elements. */
#include <stdio.h>

#include "bench.h"

enum { ROUNDS = 31, SIZES_FROM = 10, SIZES_TO = 30 };

/* Bytes that all buffers of a size span together at least: several times any L2. */
static const uint64_t COLD_BYTES = 1ull << 30;

/* One size under test. */
typedef struct bench_trial {
    bench_device *device;
    jr_plan *plan;
    jr_cu_deviceptr data, out;
    uint64_t data_bytes, count, bytes;
    int launches; /* of one timed batch */
} bench_trial;

static double batch_us(const bench_trial *trial, jr_cu_event begin, jr_cu_event end) {
    const jr_driver *driver = &trial->device->driver;
    uint64_t at = 0;
    float ms = 0;
    driver->cuEventRecord(begin, NULL);
    for (int i = 0; i < trial->launches; i++) {
        const void *in = (const void *)(uintptr_t)(trial->data + at);
        bench_check(jr_plan_run(trial->plan, in, trial->count, (void *)(uintptr_t)trial->out, NULL, NULL), "running");
        at += (trial->bytes + 255) / 256 * 256;
        if (at + trial->bytes > trial->data_bytes) at = 0;
    }
    driver->cuEventRecord(end, NULL);
    bench_driver(trial->device, driver->cuEventSynchronize(end), "waiting");
    driver->cuEventElapsedTime(&ms, begin, end);
    return (double)ms * 1e3 / trial->launches;
}

static void run_size(bench_trial *trial, int rounds) {
    double us[ROUNDS];
    jr_cu_event begin, end;
    bench_driver(trial->device, trial->device->driver.cuEventCreate(&begin, 0), "creating an event");
    bench_driver(trial->device, trial->device->driver.cuEventCreate(&end, 0), "creating an event");
    batch_us(trial, begin, end);
    for (int i = 0; i < rounds; i++) us[i] = batch_us(trial, begin, end);
    const double median = bench_median(us, rounds);
    printf("%12llu elements  %10.2f us  (fastest %.2f, slowest %.2f)  %8.1f GB/s\n", (unsigned long long)trial->count,
           median, us[0], us[rounds - 1], (double)trial->bytes / median * 1e-3);
    trial->device->driver.cuEventDestroy_v2(begin);
    trial->device->driver.cuEventDestroy_v2(end);
}

static jr_spec spec_of(int argc, char **argv) {
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32);
    if (argc > 1) bench_check(jr_op_find(argv[1], &spec.op), "reading the operator");
    if (argc > 2) bench_check(jr_type_find(argv[2], &spec.type), "reading the type");
    if (argc > 3 && argv[3][0] != '-')
        bench_check(jr_algorithm_find(argv[3], &spec.algorithm), "reading the algorithm");
    if (argc > 4) spec.unroll = bench_number(argv[4]);
    if (argc > 5) spec.block = bench_number(argv[5]);
    if (argc > 6) spec.grid = bench_number(argv[6]);
    return spec;
}

int main(int argc, char **argv) {
    bench_device device;
    const jr_spec spec = spec_of(argc, argv);
    jr_stats stats = JR_INIT(jr_stats);
    bench_trial trial = {.device = &device};
    bench_open(&device);
    bench_check(jr_plan_create(device.context, &spec, &trial.plan), "making the plan");
    bench_check(jr_plan_stats(trial.plan, &stats), "reading the plan's statistics");
    printf("%s, %s of %s, %s, unroll %d, block %d, grid up to %d\n", device.info.name, jr_op_name(spec.op),
           jr_type_name(spec.type), jr_algorithm_name(stats.algorithm), stats.unroll, stats.block, stats.grid);
    const size_t element = jr_type_size(spec.type);
    const uint64_t simulated_count = 100000000;
    trial.data_bytes = device.info.simulated ? simulated_count * element : (1ull << SIZES_TO) * element;
    if (trial.data_bytes < COLD_BYTES && !device.info.simulated) trial.data_bytes = COLD_BYTES;
    trial.data = bench_fill(&device, trial.data_bytes);
    trial.out = bench_fill(&device, 16);
    for (int power = SIZES_FROM; power <= SIZES_TO; power += 2) {
        trial.count = device.info.simulated ? simulated_count : 1ull << power;
        trial.bytes = trial.count * element;
        trial.launches = device.info.simulated ? 1 : power < 22 ? 100 : power < 26 ? 30 : 5;
        run_size(&trial, device.info.simulated ? 5 : ROUNDS);
        if (device.info.simulated) break;
    }
    jr_plan_destroy(trial.plan);
    device.driver.cuMemFree_v2(trial.data);
    device.driver.cuMemFree_v2(trial.out);
    bench_close(&device);
    return 0;
}
