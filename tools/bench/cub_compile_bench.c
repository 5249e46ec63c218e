/* cub_compile_bench: the cost of a cold compile of the library's sum, compared with the smallest programs made with
 * CUB.
 *
 * usage: cub_compile_bench [rounds [FOLDER...]]   (FOLDERs hold CUB's headers; without them there is no CUB to compile)
 * NVRTC time of the default sum f32, and of small sums of f32 by three of CUB's headers, each the first compile of a
 * fresh process, the kinds in turn (A B C D A B C D), for the same architecture. All with --no-cache. */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "bench.h"
#include "loader/nvrtc.h"

enum { ROUNDS_MAX = 101, FOLDERS_MAX = 8, OPTION_BYTES = 4096 };

/* What a process compiles. */
typedef struct cub_options {
    const char *source; /* NULL: ours */
    char **folders;
    int folder_count;
} cub_options;

/* A grid-stride loop, whose sums CUB joins within a block, a warp or a thread; atomics join the rest. */
#define SUM_BY(header, body)                                                                                           \
    "#include <" header ">\n"                                                                                          \
    "extern \"C\" __global__ void sum(const float *in, unsigned long long count, float *out) {\n"                      \
    "    const unsigned long long stride = blockDim.x * (unsigned long long)gridDim.x;\n"                              \
    "    unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;\n"                          \
    "    float x = 0;\n" body "}\n"

static const char block_sum[] =
    SUM_BY("cub/block/block_reduce.cuh", "    using reduce = cub::BlockReduce<float, 256>;\n"
                                         "    __shared__ typename reduce::TempStorage temporary;\n"
                                         "    for (; i < count; i += stride) x += in[i];\n"
                                         "    x = reduce(temporary).Sum(x);\n"
                                         "    if (threadIdx.x == 0) atomicAdd(out, x);\n");
static const char warp_sum[] =
    SUM_BY("cub/warp/warp_reduce.cuh", "    using reduce = cub::WarpReduce<float>;\n"
                                       "    __shared__ typename reduce::TempStorage temporary[32];\n"
                                       "    for (; i < count; i += stride) x += in[i];\n"
                                       "    x = reduce(temporary[threadIdx.x / 32]).Sum(x);\n"
                                       "    if (threadIdx.x % 32 == 0) atomicAdd(out, x);\n");
static const char thread_sum[] =
    SUM_BY("cub/thread/thread_reduce.cuh", "    for (; i + stride < count; i += 2 * stride) {\n"
                                           "        float pair[2] = {in[i], in[i + stride]};\n"
                                           "        x += cub::ThreadReduce(pair, cuda::std::plus<>{});\n"
                                           "    }\n"
                                           "    if (i < count) x += in[i];\n"
                                           "    atomicAdd(out, x);\n");

static const struct {
    const char *name, *source;
} kinds[] = {{"jitreduce", NULL},
             {"cub/block/block_reduce.cuh", block_sum},
             {"cub/warp/warp_reduce.cuh", warp_sum},
             {"cub/thread/thread_reduce.cuh", thread_sum}};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static void compile_ours(jr_context *context, double *ms) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32);
    jr_plan *plan;
    jr_stats stats = JR_INIT(jr_stats);
    bench_check(jr_plan_create(context, &spec, &plan), "compiling the sum");
    bench_check(jr_plan_stats(plan, &stats), "reading the statistics");
    *ms = stats.nvrtc_ms;
    jr_plan_destroy(plan);
}

/* Ends the program with NVRTC's log unless the program compiled. */
static void check_nvrtc(const jr_nvrtc *nvrtc, jr_nvrtc_program program, jr_nvrtc_result result) {
    size_t bytes = 0;
    if (result == JR_NVRTC_SUCCESS) return;
    nvrtc->nvrtcGetProgramLogSize(program, &bytes);
    char *log = calloc(bytes + 1, 1);
    if (log != NULL) nvrtc->nvrtcGetProgramLog(program, log);
    fprintf(stderr, "NVRTC returned %d (%s):\n%.4000s\n", result, nvrtc->nvrtcGetErrorString(result), log ? log : "");
    exit(1);
}

/* Times what the library times of its own programs, with the options that it gives NVRTC for any program. */
static void compile_source(const char *const *options, int count, const char *source, double *ms) {
    char path[JR_PATH_BYTES];
    jr_nvrtc nvrtc;
    jr_nvrtc_program program = NULL;
    bench_check(jr_nvrtc_locate(NULL, NULL, NULL, path), "locating NVRTC");
    bench_check(jr_nvrtc_open(path, &nvrtc), "opening NVRTC");
    const double begin = jr_clock_ms();
    jr_nvrtc_result result = nvrtc.nvrtcCreateProgram(&program, source, "cub", 0, NULL, NULL);
    if (result == JR_NVRTC_SUCCESS) result = nvrtc.nvrtcCompileProgram(program, count, options);
    *ms = jr_clock_ms() - begin;
    check_nvrtc(&nvrtc, program, result);
    nvrtc.nvrtcDestroyProgram(&program);
    jr_nvrtc_close(&nvrtc);
}

static void compile_cub(jr_context *context, const cub_options *options, double *ms) {
    static char folders[FOLDERS_MAX][OPTION_BYTES];
    char architecture[64];
    const char *list[4 + FOLDERS_MAX] = {architecture, "--no-source-include", "--no-cache", "--std=c++17"};
    jr_device_info info = JR_INIT(jr_device_info);
    bench_check(jr_context_device_info(context, &info), "describing the device");
    snprintf(architecture, sizeof architecture, "--gpu-architecture=sm_%d%d", info.capability_major,
             info.capability_minor);
    for (int i = 0; i < options->folder_count; i++) {
        snprintf(folders[i], OPTION_BYTES, "-I%s", options->folders[i]);
        list[4 + i] = folders[i];
    }
    compile_source(list, 4 + options->folder_count, options->source, ms);
}

static void measure(const void *opaque, double *ms) {
    const cub_options *options = opaque;
    const jr_options no_cache = JR_INIT(jr_options, .cache_dir = "");
    jr_context *context;
    bench_check(jr_context_open(&no_cache, &context), "opening a context");
    if (options->source == NULL) compile_ours(context, ms);
    if (options->source != NULL) compile_cub(context, options, ms);
    jr_context_close(context);
}

static void print_medians(double ms[KINDS][ROUNDS_MAX], int rounds) {
    double medians[KINDS], least = 0;
    for (int k = 0; k < KINDS; k++) medians[k] = bench_median(ms[k], rounds);
    printf("NVRTC, first in the process, medians of %d: sum f32 of %s %.1f ms\n", rounds, kinds[0].name, medians[0]);
    for (int k = 1; k < KINDS; k++) {
        if (k == 1 || medians[k] < least) least = medians[k];
        printf("sum f32 by <%s>: %.1f ms: ratio %.2f\n", kinds[k].name, medians[k], medians[k] / medians[0]);
    }
    printf("the fastest to compile of CUB's: %.1f ms: ratio %.2f\n", least, least / medians[0]);
}

int main(int argc, char **argv) {
    static double ms[KINDS][ROUNDS_MAX];
    int rounds = argc > 1 ? bench_number(argv[1]) : 11;
    rounds = rounds < 1 ? 1 : rounds > ROUNDS_MAX ? ROUNDS_MAX : rounds;
    if (argc <= 2 || argc - 2 > FOLDERS_MAX) {
        printf("not measured: name 1 to %d folders of CUB's headers: %s %d FOLDER...\n", FOLDERS_MAX, argv[0], rounds);
        return argc > 2;
    }
    for (int round = 0; round < rounds; round++)
        for (int k = 0; k < KINDS; k++) {
            const cub_options options = {kinds[k].source, argv + 2, argc - 2};
            bench_fresh(measure, &options, &ms[k][round], 1);
        }
    print_medians(ms, rounds);
    return 0;
}
