/* The bits of float scans: the same over twenty runs, while a copy and a reduction keep another stream of the device
 * busy. Sizes are those of every kernel that is chosen; on the simulator small ones, and each kernel by its name. */
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/open_context.h"

enum { RUNS = 20, SIMULATED_RUNS = 3, MOST = 5000003, SIMULATED_MAX = 9001, KEY_RUN = 300 };

static const uint64_t counts[] = {3001, 50001, 300007, (1 << 21) + 5, MOST};
static const uint64_t simulated_counts[] = {701, SIMULATED_MAX};
static const jr_algorithm algorithms[] = {JR_ALGORITHM_AUTO, JR_ALGORITHM_SINGLE_PASS, JR_ALGORITHM_BULK_COPY,
                                          JR_ALGORITHM_WAVE, JR_ALGORITHM_ONE_BLOCK,   JR_ALGORITHM_THREE_PASS};
enum { ALGORITHMS = sizeof algorithms / sizeof *algorithms };
static const jr_type types[] = {JR_F32, JR_F64, JR_F16};
enum { TYPES = sizeof types / sizeof *types };

/* The stream that is kept busy: what a run of it reads and writes. */
typedef struct noise {
    jr_plan *plan;
    jr_stream stream;
    void *d_in, *d_copy, *d_out, *workspace;
    size_t bytes;
} noise;

typedef struct bits {
    const opened *device;
    uint64_t most;
    int runs;
    void *d_in, *d_out;
    int32_t *d_keys;
    unsigned char *first, *other;
    noise noise;
} bits;

static noise noise_begin(const opened *device, size_t bytes) {
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U32);
    noise made = {.bytes = bytes};
    works(jr_work_plan_create(device->context, WORK(&sum), &made.plan));
    made.stream = stream_new(device);
    made.d_in = device_new(device, bytes);
    made.d_copy = device_new(device, bytes);
    made.d_out = device_new(device, sizeof(uint64_t));
    made.workspace = workspace_new(device, made.plan, made.stream);
    drives(device->driver.cuMemsetD32_v2(device_address(made.d_in), 1, bytes / sizeof(uint32_t)));
    return made;
}
static void noise_make(const opened *device, const noise *with) {
    for (int i = 0; i < 2; i++) {
        drives(device->driver.cuMemcpyDtoDAsync_v2(device_address(with->d_copy), device_address(with->d_in),
                                                   with->bytes, with->stream));
        works(jr_work_plan_run(
            with->plan, DATA(.in = FROM(with->d_in), .count = with->bytes / sizeof(uint32_t), .out = with->d_out),
            with->workspace, with->stream));
    }
}
static void noise_end(const opened *device, const noise *freed) {
    stream_wait(device, freed->stream);
    jr_plan_destroy(freed->plan);
    device_free(device, freed->d_in);
    device_free(device, freed->d_copy);
    device_free(device, freed->d_out);
    device_free(device, freed->workspace);
    stream_free(device, freed->stream);
}

/* Numbers of either sign, whose sums are rounded. */
static void fill(void *data, jr_type type, uint64_t count) {
    uint64_t seed = 77;
    for (uint64_t i = 0; i < count; i++) {
        const int64_t number = (int64_t)random_below(&seed, 2000003) - 1000001;
        if (type == JR_F64) ((double *)data)[i] = (double)number / 3.0;
        if (type == JR_F32) ((float *)data)[i] = (float)number / 3.0f;
        if (type == JR_F16) /* of all signs and of exponents from 2^-7 to 1 */
            ((uint16_t *)data)[i] = (uint16_t)((random_below(&seed, 2) << 15) | (0x2000 + random_below(&seed, 0x1c00)));
    }
}

static void begin(const opened *device, bits *made) {
    *made = (bits){.device = device, .runs = device->info.simulated ? SIMULATED_RUNS : RUNS};
    made->most = device->info.simulated ? SIMULATED_MAX : MOST;
    made->d_in = device_new(device, made->most * sizeof(double));
    made->d_out = device_new(device, made->most * sizeof(double));
    made->d_keys = device_new(device, made->most * sizeof *made->d_keys);
    made->first = test_zeros(made->most, sizeof(double));
    made->other = test_zeros(made->most, sizeof(double));
    int32_t *keys = test_zeros(made->most, sizeof *keys);
    for (uint64_t i = 0; i < made->most; i++) keys[i] = (int32_t)(i / KEY_RUN);
    device_write(device, made->d_keys, keys, made->most * sizeof *keys);
    made->noise = noise_begin(device, device->info.simulated ? 1 << 14 : 1 << 26);
}
static void end(bits *freed) {
    noise_end(freed->device, &freed->noise);
}

/* keys: NULL for a scan of all elements; else of runs of KEY_RUN elements. */
static void run_once(const bits *on, jr_plan *plan, const int32_t *d_keys, uint64_t count, jr_stream stream) {
    const jr_work_data segments = JR_INIT(jr_work_data, .keys = d_keys, .count = count);
    noise_make(on->device, &on->noise);
    if (d_keys != NULL)
        works(jr_work_plan_run(plan, DATA_OF(segments, FROM(on->d_in), on->d_out), NULL, stream));
    else
        works(jr_work_plan_run(plan, DATA(.in = FROM(on->d_in), .count = count, .out = on->d_out), NULL, stream));
    stream_wait(on->device, stream);
}

/* All runs of one plan; the places of the results are overwritten before each, in the order of its stream. */
static void check(const bits *on, jr_plan *plan, jr_type type, const int32_t *d_keys, uint64_t count) {
    jr_stream stream = stream_new(on->device);
    jr_stats stats = JR_INIT(jr_stats);
    const size_t each = jr_type_size(type), bytes = count * each;
    works(jr_plan_stats(plan, &stats));
    for (int r = 0; r < on->runs; r++) {
        drives(on->device->driver.cuMemsetD8Async(device_address(on->d_out), 0xff, bytes, stream));
        run_once(on, plan, d_keys, count, stream);
        device_read(on->device, r == 0 ? on->first : on->other, on->d_out, bytes);
        if (r == 0 || memcmp(on->first, on->other, bytes) == 0) continue;
        size_t at = 0;
        while (on->first[at] == on->other[at]) at++;
        fail_msg("run %d of %llu elements of %s by %s%s: result %zu has other bits", r, (unsigned long long)count,
                 jr_type_name(type), jr_algorithm_name(stats.algorithm), d_keys != NULL ? " by key" : "", at / each);
    }
    stream_free(on->device, stream);
}

static void check_type(const bits *on, jr_type type) {
    const jr_segment_layout by_key = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_KEYS, .key_type = JR_I32);
    const bool simulated = on->device->info.simulated;
    const uint64_t *const sizes = simulated ? simulated_counts : counts;
    const int size_count = simulated ? sizeof simulated_counts / sizeof *counts : sizeof counts / sizeof *counts;
    void *const data = test_zeros(on->most, sizeof(double));
    fill(data, type, on->most);
    device_write(on->device, on->d_in, data, on->most * jr_type_size(type));
    for (int a = 0; a < ALGORITHMS; a++) {
        for (int i = 0; i < size_count; i++) {
            const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = type, .result = type, .capacity = sizes[i],
                                         .algorithm = algorithms[a]);
            jr_plan *plan = plan_held(on->device, WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE));
            check(on, plan, type, NULL, sizes[i]);
            if (algorithms[a] != JR_ALGORITHM_AUTO) continue;
            works(jr_work_plan_create(on->device->context,
                                      WORK(&spec, .kind = JR_WORK_SCAN_INCLUSIVE, .layout = &by_key), &plan));
            check(on, plan, type, on->d_keys, sizes[i]);
            jr_plan_destroy(plan);
        }
    }
}

TEST(twenty_runs_beside_a_busy_stream_have_the_same_bits) {
    bits on;
    begin(*state, &on);
    for (int t = 0; t < TYPES; t++) check_type(&on, types[t]);
    end(&on);
}

RUN_TESTS(open_context, close_context)
