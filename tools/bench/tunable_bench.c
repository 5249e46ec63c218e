/* tunable_bench: a tuned tiled matrix product, compared with random candidates.
 *
 * usage: tunable_bench [side [candidates [limit_s]]]     default: 1024, 30, 60; on the simulator 64, 3, 5
 * jr_tunable_tune searches the space (432 settings, fewer by restrictions); then what it found, the preferred setting
 * and so many others of chance are measured in turn, and all of them listed, the fastest first. Every setting's product
 * is held against the preferred one's before.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { CANDIDATES_MAX = 100, ROUNDS = 15 };

static const char source[] =
    "extern \"C\" __global__ __launch_bounds__(BX * BY) void matmul(const float *a, const float *b, float *c, int n) "
    "{\n"
    "    __shared__ float left[BY * ROWS][DEPTH + 1], right[DEPTH][BX * COLUMNS];\n"
    "    const int x = threadIdx.x, y = threadIdx.y, thread = y * BX + x;\n"
    "    const int row = blockIdx.y * (BY * ROWS), column = blockIdx.x * (BX * COLUMNS);\n"
    "    float sums[ROWS][COLUMNS] = {};\n"
    "    for (int t = 0; t < n; t += DEPTH) {\n"
    "        for (int i = thread; i < BY * ROWS * DEPTH; i += BX * BY)\n"
    "            left[i / DEPTH][i % DEPTH] = a[(row + i / DEPTH) * n + t + i % DEPTH];\n"
    "        for (int i = thread; i < DEPTH * BX * COLUMNS; i += BX * BY)\n"
    "            right[i / (BX * COLUMNS)][i % (BX * COLUMNS)] = b[(t + i / (BX * COLUMNS)) * n + column + i % (BX * "
    "COLUMNS)];\n"
    "        __syncthreads();\n"
    "#pragma unroll\n"
    "        for (int k = 0; k < DEPTH; k++) {\n"
    "            float of_row[ROWS], of_column[COLUMNS];\n"
    "            for (int r = 0; r < ROWS; r++) of_row[r] = left[y + r * BY][k];\n"
    "            for (int s = 0; s < COLUMNS; s++) of_column[s] = right[k][x + s * BX];\n"
    "            for (int r = 0; r < ROWS; r++)\n"
    "                for (int s = 0; s < COLUMNS; s++) sums[r][s] += of_row[r] * of_column[s];\n"
    "        }\n"
    "        __syncthreads();\n"
    "    }\n"
    "    for (int r = 0; r < ROWS; r++)\n"
    "        for (int s = 0; s < COLUMNS; s++) c[(row + y + r * BY) * n + column + x + s * BX] = sums[r][s];\n"
    "}\n";

static const jr_named_text parameters[] = {
    {"BX", "8..32*2"}, {"BY", "4..32*2"}, {"ROWS", "1..8*2"}, {"COLUMNS", "1..4*2"}, {"DEPTH", "8..32*2"}};
enum { PARAMETERS = sizeof parameters / sizeof *parameters };
static const char *const restrictions[] = {"BX * BY <= THREADS_MAX", "BX * BY >= WARP",
                                           "4 * (BY * ROWS * (DEPTH + 1) + DEPTH * BX * COLUMNS) <= 48 * 1024",
                                           "N % (BX * COLUMNS) == 0 && N % (BY * ROWS) == 0 && N % DEPTH == 0"};
static const char *const sizes[] = {"N"};

/* One that is measured. */
typedef struct entry {
    const char *what;
    jr_tunable_choice choice;
    void **args;
    double us;
} entry;

static jr_status run(void *user, uint64_t number, jr_stream stream) {
    entry *one = user;
    (void)number;
    one->choice.launch.stream = stream;
    return jr_kernel_launch(one->choice.kernel, &one->choice.launch, one->args);
}

/* Of a setting by its text; false: it is not possible. */
static bool choose(jr_context *context, jr_tunable tunable, const int64_t *size, const char *text, entry *made) {
    tunable.preferred = text;
    made->choice = JR_INIT(jr_tunable_choice);
    const jr_status status = jr_tunable_get(context, &tunable, size, &made->choice);
    if (status == JR_ERROR_INVALID_ARGUMENT) return false;
    bench_check(status, "a setting");
    return true;
}

static int by_time(const void *one, const void *other) {
    const double a = ((const entry *)one)->us, b = ((const entry *)other)->us;
    return (a > b) - (a < b);
}

static void draw(uint64_t *seed, char text[JR_SETTING_BYTES]) {
    static const int from[] = {8, 4, 1, 1, 8}, count[] = {3, 4, 4, 3, 3};
    size_t length = 0;
    for (int p = 0; p < PARAMETERS; p++) {
        *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407;
        length += (size_t)snprintf(text + length, JR_SETTING_BYTES - length, "%s%s=%d", p > 0 ? "," : "",
                                   parameters[p].name, from[p] << (*seed >> 40) % (unsigned)count[p]);
    }
}

static bool is_known(const entry *entries, int count, const char *text) {
    for (int i = 0; i < count; i++)
        if (strcmp(entries[i].choice.setting.text, text) == 0) return true;
    return false;
}

static void measure(const bench_device *device, entry *entries, int count) {
    jr_measured items[CANDIDATES_MAX + 2];
    static double samples[(CANDIDATES_MAX + 2) * ROUNDS];
    const jr_measure_options how = JR_INIT(jr_measure_options, .rounds = device->info.simulated ? 1 : ROUNDS);
    for (int i = 0; i < count; i++) items[i] = (jr_measured){run, &entries[i]};
    bench_check(jr_measure(device->context, &how, items, count, samples, NULL), "measuring");
    for (int i = 0; i < count; i++) entries[i].us = bench_median(samples + i * how.rounds, how.rounds);
    qsort(entries, (size_t)count, sizeof *entries, by_time);
    for (int i = 0; i < count; i++)
        printf("%10.2f us  %-9s %s\n", entries[i].us, entries[i].what, entries[i].choice.setting.text);
}

int main(int argc, char **argv) {
    static entry entries[CANDIDATES_MAX + 2];
    bench_device device;
    bench_open(&device);
    const bool simulated = device.info.simulated;
    const int side = argc > 1    ? bench_number(argv[1])
                     : simulated ? 64
                                 : 1024,
              candidates = argc > 2    ? bench_number(argv[2])
                           : simulated ? 3
                                       : 30;
    const double limit_s = argc > 3 ? bench_number(argv[3]) : simulated ? 5 : 60;
    bench_demand(candidates >= 0 && candidates <= CANDIDATES_MAX, "%d candidates: 0 to %d", candidates, CANDIDATES_MAX);
    bench_head(&device, NULL, 0, argc, argv);
    const int64_t size = side;
    const uint64_t bytes = (uint64_t)side * (uint64_t)side * sizeof(float);
    int n = side, count = 0;
    jr_cu_deviceptr a = bench_fill(&device, bytes), b = bench_fill(&device, bytes), c = bench_fill(&device, bytes);
    void *args[] = {&a, &b, &c, &n};
    const jr_program program = JR_INIT(jr_program, .name = "matmul", .source = source, .entry = "matmul");
    const jr_tunable tunable =
        JR_INIT(jr_tunable, .program = &program, .parameters = parameters, .parameter_count = PARAMETERS,
                .restrictions = restrictions, .restriction_count = sizeof restrictions / sizeof *restrictions,
                .sizes = sizes, .size_count = 1, .grid = "N / (BX * COLUMNS), N / (BY * ROWS)", .block = "BX, BY",
                .preferred = "BX=16,BY=16,ROWS=1,COLUMNS=1,DEPTH=16");
    const jr_tunable_output output = {
        .address = (void *)(uintptr_t)c, .bytes = bytes, .type = JR_F32, .relative = 1e-4, .absolute = 1e-3};
    const jr_tunable_problem problem =
        JR_INIT(jr_tunable_problem, .sizes = &size, .args = args, .outputs = &output, .output_count = 1);
    const jr_tunable_options options = JR_INIT(jr_tunable_options, .limit_ms = limit_s * 1e3);
    jr_tunable_found found = JR_INIT(jr_tunable_found);
    bench_check(jr_tunable_tune(device.context, &tunable, &problem, &options, &found), "tuning");
    printf("# possible %llu, measured %llu, failed %llu, %s; %.2f times as fast as the preferred setting\n",
           (unsigned long long)found.possible, (unsigned long long)found.measured, (unsigned long long)found.failed,
           found.complete ? "complete" : "the time was over", found.best.gain);
    entries[count++].what = "found";
    if (!choose(device.context, tunable, &size, found.best.text, &entries[0])) return 1;
    entries[count].what = "preferred";
    if (found.better && choose(device.context, tunable, &size, found.preferred.text, &entries[count])) count++;
    uint64_t seed = 7;
    for (int tries = 0, drawn = 0; drawn < candidates && tries < 100 * CANDIDATES_MAX; tries++) {
        char text[JR_SETTING_BYTES];
        draw(&seed, text);
        entries[count].what = "random";
        if (is_known(entries, count, text) || !choose(device.context, tunable, &size, text, &entries[count])) continue;
        count++;
        drawn++;
    }
    for (int i = 0; i < count; i++) entries[i].args = args;
    measure(&device, entries, count);
    bench_close(&device);
    return 0;
}
