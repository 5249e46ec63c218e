/* block_bench: <jitreduce/block.cuh> compared with CUB's block primitives, inside one kernel each that differ in
 * nothing else.
 *
 * usage: block_bench [rounds [op [type]]]: all, or those of one name, of one type
 * A kernel of blocks that fill the device repeats a block's reduction (or exclusive scan) of one value a thread, each
 * step's values made from the last one's result, so that no step can be optimised away. Both kernels are compiled by
 * NVRTC from source, CUB's by the toolkit's headers, timed by events in turn (A B A B), and their results compared.
 * Printed: nanoseconds a step of a block with the median of all rounds, and CUB's time over ours.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { ROUNDS_MAX = 1001, BLOCKS_PER_MULTIPROCESSOR = 2 };

static int steps = 1000; /* fewer on the simulator, where nothing is measured */

static const char source[] =
    "#if OURS\n"
    "#include <jitreduce/block.cuh>\n"
    "#if MIN\n"
    "typedef jr_min<element, element, element> op;\n"
    "#else\n"
    "typedef jr_sum<element, element, element> op;\n"
    "#endif\n"
    "typedef jitreduce::block<op, BLOCK> block;\n"
    "typedef block::storage storage;\n"
    "static __device__ __forceinline__ element reduce(element x, storage &s) { return "
    "op::finish(block::reduce(op::lift(x, 0), s), BLOCK, 0); }\n"
    "static __device__ __forceinline__ element scan(element x, storage &s) { return block::scan_exclusive(x, s); }\n"
    "#else\n"
    "#include <cub/block/block_reduce.cuh>\n"
    "#include <cub/block/block_scan.cuh>\n"
    "struct least { __device__ element operator()(element a, element b) const { return b < a ? b : a; } };\n"
    "typedef cub::BlockReduce<element, BLOCK> reducer;\n"
    "typedef cub::BlockScan<element, BLOCK> scanner;\n"
    "union storage { typename reducer::TempStorage r; typename scanner::TempStorage s; __device__ storage() {} };\n"
    "#if MIN\n"
    "static __device__ __forceinline__ element reduce(element x, storage &s) { return reducer(s.r).Reduce(x, least()); "
    "}\n"
    "#else\n"
    "static __device__ __forceinline__ element reduce(element x, storage &s) { return reducer(s.r).Sum(x); }\n"
    "#endif\n"
    "static __device__ __forceinline__ element scan(element x, storage &s) { element y; scanner(s.s).ExclusiveSum(x, "
    "y); return y; }\n"
    "#endif\n"
    "extern \"C\" __global__ __launch_bounds__(BLOCK) void steps(element *out, int count) {\n"
    "    __shared__ storage s;\n"
    "    element x = (element)((threadIdx.x * 7 + blockIdx.x) % 5), all = 0;\n"
    "#pragma unroll 1\n" /* else parts of the next step stand before a step's last barrier, now here, now there */
    "    for (int i = 0; i < count; i++) {\n"
    "#if SCAN\n"
    "        const element y = scan(x, s);\n"
    "        x = (element)((int)y % 5);\n"
    "        all += y;\n"
    "#else\n"
    "        const element y = reduce(x, s);\n"
    "        if (threadIdx.x == 0) { x = (element)((int)y % 5); all += y; }\n"
    "#endif\n"
    "        __syncthreads();\n"
    "    }\n"
    "    out[blockIdx.x * BLOCK + threadIdx.x] = all;\n"
    "}\n";

typedef struct work {
    const char *name, *type;
    int scan, min;
    size_t bytes;
} work;

static const work works[] = {{"sum", "float", 0, 0, 4},     {"sum", "int", 0, 0, 4},  {"sum", "double", 0, 0, 8},
                             {"sum", "long long", 0, 0, 8}, {"min", "int", 0, 1, 4},  {"min", "float", 0, 1, 4},
                             {"scan", "float", 1, 0, 4},    {"scan", "int", 1, 0, 4}, {"scan", "double", 1, 0, 8}};

static const int blocks[] = {32, 64, 128, 256, 512, 1000, 1024};

static jr_kernel *kernel_of(jr_context *context, const work *done, int block, int ours) {
    jr_kernel *kernel;
    char *text = malloc(sizeof source + 256);
    if (text == NULL) abort();
    snprintf(text, sizeof source + 256,
             "#define OURS %d\n#define BLOCK %d\n#define SCAN %d\n#define MIN %d\ntypedef %s element;\n%s", ours, block,
             done->scan, done->min, done->type, source);
    const jr_program program =
        JR_INIT(jr_program, .name = ours ? "ours" : "cub", .source = text, .entry = "steps", .toolkit_headers = 1);
    bench_check(jr_kernel_get(context, &program, &kernel), "compiling");
    free(text);
    return kernel;
}

static double time_of(jr_context *context, jr_kernel *kernel, const jr_launch *launch, void *out, jr_event events[2]) {
    int count = steps;
    double ms = 0;
    bench_check(jr_event_record(context, events[0], NULL), "recording");
    bench_check(jr_kernel_launch(kernel, launch, (void *[]){&out, &count}), "launching");
    bench_check(jr_event_record(context, events[1], NULL), "recording");
    bench_check(jr_event_wait(context, events[1]), "waiting");
    bench_check(jr_event_elapsed(context, events[0], events[1], &ms), "timing");
    return ms;
}

static void measure(jr_context *context, const work *done, int block, int rounds, unsigned grid, jr_event events[2]) {
    static double times[2][ROUNDS_MAX];
    const size_t bytes = (size_t)grid * (size_t)block * done->bytes;
    const jr_launch launch = JR_INIT(jr_launch, .grid = {grid}, .block = {(unsigned)block});
    char *results[2];
    void *out;
    bench_check(jr_memory_new(context, bytes, &out), "allocating");
    jr_kernel *kernels[2];
    for (int k = 0; k < 2; k++) {
        kernels[k] = kernel_of(context, done, block, k == 0);
        time_of(context, kernels[k], &launch, out, events);
        results[k] = malloc(bytes);
        if (results[k] == NULL) abort();
        bench_check(jr_memory_read(context, results[k], out, bytes), "reading");
    }
    const int equal = memcmp(results[0], results[1], bytes) == 0;
    for (int r = 0; r < rounds; r++)
        for (int k = 0; k < 2; k++) times[k][r] = time_of(context, kernels[k], &launch, out, events);
    for (int k = 0; k < 2; k++) {
        free(results[k]);
    }
    jr_memory_free(context, out);
    const double ours = bench_median(times[0], rounds) * 1e6 / steps,
                 cub = bench_median(times[1], rounds) * 1e6 / steps;
    printf("%-5s %-10s %5d %9.1f %9.1f %7.3f  %s\n", done->name, done->type, block, ours, cub, cub / ours,
           equal ? "equal" : "DIFFERENT");
}

int main(int argc, char **argv) {
    const int rounds = argc > 1 ? bench_number(argv[1]) : 51;
    jr_context *context;
    jr_device_info info = JR_INIT(jr_device_info);
    jr_event events[2];
    if (rounds < 1 || rounds > ROUNDS_MAX)
        return fprintf(stderr, "usage: block_bench [rounds, 1 to 1001 [op [type]]]\n"), 2;
    bench_check(jr_context_open(NULL, &context), "opening a context");
    bench_check(jr_context_device_info(context, &info), "asking for the device");
    for (int i = 0; i < 2; i++) bench_check(jr_event_create(context, 0, &events[i]), "making an event");
    if (info.simulated) steps = 5;
    const unsigned grid = (unsigned)info.multiprocessor_count * BLOCKS_PER_MULTIPROCESSOR;
    printf("%s, %u blocks, %d steps, medians of %d rounds\n", info.name, grid, steps, rounds);
    printf("%-5s %-10s %5s %9s %9s %7s\n", "op", "type", "block", "ours ns", "CUB ns", "ratio");
    for (size_t w = 0; w < sizeof works / sizeof *works; w++) {
        if (argc > 2 && strcmp(argv[2], works[w].name) != 0) continue;
        if (argc > 3 && strcmp(argv[3], works[w].type) != 0) continue;
        for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
            measure(context, &works[w], blocks[b], rounds, grid, events);
    }
    for (int i = 0; i < 2; i++) jr_event_destroy(context, events[i]);
    jr_context_close(context);
    return 0;
}
