/* start_bench: what the first things of a process take: NVRTC's first compile, a first result, from nothing to a value.
 *
 * usage: start_bench [ROUNDS [PEER.so|- [FOLDER...]]]
 *   ROUNDS    processes of each case (11; on the simulator 1), 1 to 101
 *   PEER.so   a peer (tools/jitreduce/bench/peer.h); -: none
 *   FOLDER    of CUB's headers, whose smallest sums are compiled too
 *
 * CSV, a row for each case: the median, least and greatest time of fresh processes in milliseconds, and the median over
 * that of the section's first case. Cases take turns in every round (A B C A B C); all compile with --no-cache.
 * Sections: `compile`, NVRTC's time of a process' first compile: the default sum of f32, the command's `--op min --uf
 * 4`, NVRTC's empty kernel without and with --minimal (which our kernels have), sums by three of CUB's headers;
 * `later`, the same in a process that has compiled before;
 * `cached`, from an open context to the first value of 1024 elements, from the disk cache;
 * `loaded` and `value`, on a GPU only, from before the driver is initialised until a sum is loaded, compiled with
 * nothing in any cache, and until its value is in host memory: ours, and the peer's, whose process opens the driver
 * without our library. Fails where a sum is wrong. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "bench.h"
#include "start_text.h"

enum { ROUNDS_MAX = 101, COUNT = 1024, NUMBERS_MAX = 3 };

static const char empty_text[] = "extern \"C\" __global__ void empty() {}";

typedef struct start_setup {
    int argc;
    char **argv;
    int ordinal; /* of the device */
    const char *peer;
    char **folders;
    int folder_count;
} start_setup;

/* What a fresh process measures: a number for each of its rows. */
typedef struct start_case {
    struct {
        const char *section, *name;
    } rows[NUMBERS_MAX];
    void (*measure)(const struct start_case *own, double *ms);
    jr_spec spec;
    const char *source;     /* that NVRTC compiles */
    bool minimal, is_first; /* of its sections */
    const start_setup *setup;
} start_case;

/* ---- compiles ---- */

/* A context without a disk cache, so that it compiles. */
static jr_context *open_uncached(void) {
    jr_context *context;
    bench_check(jr_context_open(&JR_INIT(jr_options, .cache_dir = ""), &context), "opening a context");
    return context;
}

static double plan_ms(jr_context *context, const jr_spec *spec) {
    jr_plan *plan;
    jr_stats stats = JR_INIT(jr_stats);
    bench_check(jr_work_plan_create(context, &JR_INIT(jr_work, .spec = spec), &plan), "compiling the reduction");
    bench_check(jr_plan_stats(plan, &stats), "reading the statistics");
    jr_plan_destroy(plan);
    return stats.nvrtc_ms;
}

static void compile_plan(const start_case *own, double *ms) {
    jr_context *context = open_uncached();
    *ms = plan_ms(context, &own->spec);
    jr_context_close(context);
}

static void compile_text(const start_case *own, double *ms) {
    jr_context *context = open_uncached();
    *ms = start_text_ms(context, own->source, own->minimal, own->setup->folders, own->setup->folder_count);
    jr_context_close(context);
}

/* Compiles of a process that has compiled before. */
static void compile_later(const start_case *own, double *ms) {
    const jr_spec other = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .block = 512);
    jr_context *context = open_uncached();
    plan_ms(context, &own->spec);
    ms[0] = plan_ms(context, &other);
    ms[1] = start_text_ms(context, empty_text, false, NULL, 0);
    ms[2] = start_text_ms(context, empty_text, true, NULL, 0);
    jr_context_close(context);
}

/* ---- first values ---- */

/* Values whose f32 sum is exact in any order. */
static void fill(float data[COUNT]) {
    for (int i = 0; i < COUNT; i++) data[i] = (float)(i + 1);
}

static void check_sum(float sum) {
    const float right = 0.5F * COUNT * (COUNT + 1);
    bench_demand(sum == right, "the sum is %.9g instead of %.9g", (double)sum, (double)right);
}

static void start_cached(const start_case *own, double *ms) {
    float data[COUNT];
    jr_context *context;
    jr_value value;
    fill(data);
    bench_check(jr_context_open(NULL, &context), "opening a context");
    const double begin = jr_clock_ms();
    bench_check(jr_reduce_host(context, &own->spec, data, COUNT, &value), "reducing");
    *ms = jr_clock_ms() - begin;
    check_sum(value.as.f32);
    jr_context_close(context);
}

static void start_ours(const start_case *own, double *ms) {
    static const jr_options no_cache = {.size = sizeof(jr_options), .cache_dir = "", .start_in_background = 1};
    float data[COUNT], sum = 0;
    jr_context *context;
    jr_plan *plan;
    void *in, *out;
    fill(data);
    const double begin = jr_clock_ms();
    bench_check(jr_context_open(&no_cache, &context), "opening a context");
    bench_check(jr_work_plan_create(context, &JR_INIT(jr_work, .spec = &own->spec), &plan), "making the plan");
    bench_check(jr_memory_new(context, sizeof data, &in), "allocating");
    bench_check(jr_memory_new(context, 16, &out), "allocating");
    bench_check(jr_memory_write(context, in, data, sizeof data), "copying");
    ms[0] = jr_clock_ms() - begin;
    const void *const arrays[] = {in};
    bench_check(jr_work_plan_run(plan, &JR_INIT(jr_work_data, .in = arrays, .count = COUNT, .out = out), NULL, NULL),
                "running");
    bench_check(jr_memory_read(context, &sum, out, sizeof sum), "copying");
    ms[1] = jr_clock_ms() - begin;
    check_sum(sum);
    jr_plan_destroy(plan);
    jr_memory_free(context, in);
    jr_memory_free(context, out);
    jr_context_close(context);
}

static void start_peer(const start_case *own, double *ms) {
    float data[COUNT], sum = 0;
    bench_device device = {0};
    const jr_driver *driver = &device.driver;
    jr_cu_context context;
    jr_cu_deviceptr in, out;
    fill(data);
    const double begin = jr_clock_ms();
    bench_check(jr_driver_open(NULL, NULL, false, NULL, &device.driver), "opening the driver");
    bench_driver(&device, driver->cuInit(0), "initialising the driver");
    bench_driver(&device, driver->cuDevicePrimaryCtxRetain(&context, own->setup->ordinal), "retaining the context");
    bench_driver(&device, driver->cuCtxSetCurrent(context), "setting the context");
    bench_driver(&device, driver->cuMemAlloc_v2(&in, sizeof data), "allocating");
    bench_driver(&device, driver->cuMemAlloc_v2(&out, 16), "allocating");
    bench_driver(&device, driver->cuMemcpyHtoD_v2(in, data, sizeof data), "copying");
    const peer *other = bench_peer(own->setup->peer);
    const peer_work work = {.device = own->setup->ordinal,
                            .op = "sum",
                            .type = "f32",
                            .count = COUNT,
                            .in = {(const void *)(uintptr_t)in},
                            .out = (void *)(uintptr_t)out};
    void *handle = other->prepare(&work);
    ms[0] = jr_clock_ms() - begin;
    bench_demand(handle != NULL, "%s cannot sum f32 here", other->name);
    const int failure = other->run(handle, &work, NULL);
    bench_demand(failure == 0, "%s failed with %d", other->name, failure);
    bench_driver(&device, driver->cuMemcpyDtoH_v2(&sum, out, sizeof sum), "copying");
    ms[1] = jr_clock_ms() - begin;
    check_sum(sum);
    other->release(handle);
}

/* ---- all cases ---- */

#define SUM                                                                                                            \
    { .size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F32 }

/* A grid-stride loop, whose sums CUB joins within a block, a warp or a thread; atomics join the rest. */
#define SUM_BY(header, body)                                                                                           \
    "#include <" header ">\n"                                                                                          \
    "extern \"C\" __global__ void sum(const float *in, unsigned long long count, float *out) {\n"                      \
    "    const unsigned long long stride = blockDim.x * (unsigned long long)gridDim.x;\n"                              \
    "    unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;\n"                          \
    "    float x = 0;\n" body "}\n"
#define SUM_IN(header, reduce, storage, own, lanes)                                                                    \
    SUM_BY(header, "    using reduce = cub::" reduce ";\n"                                                             \
                   "    __shared__ typename reduce::TempStorage temporary" storage ";\n"                               \
                   "    for (; i < count; i += stride) x += in[i];\n"                                                  \
                   "    x = reduce(temporary" own ").Sum(x);\n"                                                        \
                   "    if (threadIdx.x % " lanes " == 0) atomicAdd(out, x);\n")

static const start_case all_cases[] = {
    {{{"compile", "sum f32"}}, .measure = compile_plan, .spec = SUM, .is_first = true},
    {{{"compile", "min f32 uf 4"}},
     .measure = compile_plan,
     .spec = {.size = sizeof(jr_spec), .op = JR_OP_MIN, .type = JR_F32, .unroll = 4}},
    {{{"compile", "empty"}}, .measure = compile_text, .source = empty_text},
    {{{"compile", "empty --minimal"}}, .measure = compile_text, .source = empty_text, .minimal = true},
    {{{"compile", "cub/block/block_reduce.cuh"}},
     .measure = compile_text,
     .source = SUM_IN("cub/block/block_reduce.cuh", "BlockReduce<float, 256>", "", "", "256")},
    {{{"compile", "cub/warp/warp_reduce.cuh"}},
     .measure = compile_text,
     .source = SUM_IN("cub/warp/warp_reduce.cuh", "WarpReduce<float>", "[32]", "[threadIdx.x / 32]", "32")},
    {{{"compile", "cub/thread/thread_reduce.cuh"}},
     .measure = compile_text,
     .source = SUM_BY("cub/thread/thread_reduce.cuh", "    for (; i + stride < count; i += 2 * stride) {\n"
                                                      "        float pair[2] = {in[i], in[i + stride]};\n"
                                                      "        x += cub::ThreadReduce(pair, cuda::std::plus<>{});\n"
                                                      "    }\n"
                                                      "    if (i < count) x += in[i];\n"
                                                      "    atomicAdd(out, x);\n")},
    {{{"later", "sum f32"}, {"later", "empty"}, {"later", "empty --minimal"}},
     .measure = compile_later,
     .spec = SUM,
     .is_first = true},
    {{{"cached", "sum f32"}}, .measure = start_cached, .spec = SUM, .is_first = true},
    {{{"loaded", "jitreduce"}, {"value", "jitreduce"}}, .measure = start_ours, .spec = SUM, .is_first = true},
    {{{"loaded", "peer"}, {"value", "peer"}}, .measure = start_peer}};
enum { CASES = sizeof all_cases / sizeof *all_cases };

static bool is_measured(const start_case *one, bool simulated) {
    if (one->measure == compile_text && strcmp(one->source, empty_text) != 0) return one->setup->folder_count > 0;
    if (one->measure == start_peer) return !simulated && one->setup->peer != NULL;
    return one->measure != start_ours || !simulated;
}

static void measure_case(const void *one, double *ms) {
    ((const start_case *)one)->measure(one, ms);
}

static void describe_device(const void *words, double *facts) {
    const start_setup *setup = words;
    bench_device device;
    bench_open(&device);
    facts[0] = device.info.simulated;
    facts[1] = device.info.ordinal;
    bench_head(&device, NULL, 0, setup->argc, setup->argv);
    bench_close(&device);
}

/* A row for each number of a case; first: the median of the section's first case. */
static void print_rows(const start_case *one, double ms[NUMBERS_MAX][ROUNDS_MAX], int rounds, double *first) {
    for (int i = 0; i < NUMBERS_MAX && one->rows[i].name != NULL; i++) {
        const double median = bench_median(ms[i], rounds); /* sorted now */
        double *of = &first[one->measure == compile_later ? 0 : i];
        if (one->is_first && (i == 0 || of != first)) *of = median;
        printf("%s,%s,%.3f,%.3f,%.3f,%.3f,%d\n", one->rows[i].section, one->rows[i].name, median, ms[i][0],
               ms[i][rounds - 1], median / *of, rounds);
    }
}

int main(int argc, char **argv) {
    static double times[CASES][NUMBERS_MAX][ROUNDS_MAX];
    start_case cases[CASES];
    double numbers[NUMBERS_MAX] = {0}, first[NUMBERS_MAX] = {0};
    start_setup setup = {.argc = argc,
                         .argv = argv,
                         .peer = argc > 2 && strcmp(argv[2], "-") != 0 ? argv[2] : NULL,
                         .folders = argv + 3,
                         .folder_count = argc > 3 ? argc - 3 : 0};
    setenv("CUDA_CACHE_DISABLE", "1", 1); /* the driver's own cache */
    bench_fresh(describe_device, &setup, numbers, 2);
    const bool simulated = numbers[0] != 0;
    setup.ordinal = (int)numbers[1];
    const int rounds = argc > 1 ? bench_number(argv[1]) : simulated ? 1 : 11;
    bench_demand(rounds >= 1 && rounds <= ROUNDS_MAX && setup.folder_count <= FOLDERS_MAX,
                 "%d rounds, %d folders: 1 to %d, at most %d", rounds, setup.folder_count, ROUNDS_MAX, FOLDERS_MAX);
    int count = 0;
    for (int c = 0; c < CASES; c++) {
        cases[count] = all_cases[c];
        cases[count].setup = &setup;
        count += is_measured(&cases[count], simulated);
    }
    for (int round = -1; round < rounds; round++) /* the first fills the page cache, and the disk cache */
        for (int c = 0; c < count; c++) {
            bench_fresh(measure_case, &cases[c], numbers, NUMBERS_MAX);
            for (int i = 0; round >= 0 && i < NUMBERS_MAX; i++) times[c][i][round] = numbers[i];
        }
    printf("section,case,median_ms,least_ms,most_ms,ratio,rounds\n");
    for (int c = 0; c < count; c++) print_rows(&cases[c], times[c], rounds, first);
    return 0;
}
