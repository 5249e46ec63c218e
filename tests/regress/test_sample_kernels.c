/* Kernels as others write them, in CUDA C through NVRTC: threads leave early, masks name all lanes of a short warp,
 * many threads set one flag, a merge loads one element more than there is. The simulator stopped all of them; a GPU
 * runs them.
 */
#include <stdbool.h>
#include <string.h>

#include "support/fixtures/kernel_case.h"

enum { COUNT = 1000, BLOCK = 256, BLOCKS = (COUNT + BLOCK - 1) / BLOCK };

/* What every kernel here is given: n elements in, as many out, and one word for each block. */
#define HEAD "extern \"C\" __global__ void k(const int *in, int *out, int *blocks, int n) {\n"
#define FULL "0xffffffffu"

typedef struct ran {
    int in[COUNT], out[COUNT], blocks[BLOCKS];
} ran;

static ran *run(const opened *device, const char *name, const char *source, unsigned block, int n) {
    static ran what;
    const jr_program program = JR_INIT(jr_program, .name = name, .source = source, .entry = "k");
    jr_kernel *kernel = kernel_new(device, &program);
    uint64_t seed = 14;
    memset(&what, 0, sizeof what);
    for (int i = 0; i < COUNT; i++) what.in[i] = (int)random_below(&seed, 1000) - 300;
    int *d_in = device_new(device, sizeof what.in), *d_out = device_new(device, sizeof what.out);
    int *d_blocks = device_new(device, sizeof what.blocks);
    device_write(device, d_in, what.in, sizeof what.in);
    device_write(device, d_out, what.out, sizeof what.out);
    device_write(device, d_blocks, what.blocks, sizeof what.blocks);
    void *args[] = {&d_in, &d_out, &d_blocks, &n};
    const unsigned grid = ((unsigned)n + block - 1) / block;
    works(jr_kernel_launch(kernel, &JR_INIT(jr_launch, .grid = {grid}, .block = {block}), args));
    device_read(device, what.out, d_out, sizeof what.out);
    device_read(device, what.blocks, d_blocks, sizeof what.blocks);
    return &what;
}

static int end_of_block(int b, int n) {
    return (b + 1) * BLOCK < n ? (b + 1) * BLOCK : n;
}

/* Threads past the end leave before the barrier. */
TEST_BETWEEN(a_block_is_turned_round_by_the_threads_that_have_an_element, open_context, close_context) {
    static const char source[] = HEAD "    __shared__ int tile[256];\n"
                                      "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                      "    if (i >= n) return;\n"
                                      "    int last = min((int)blockDim.x, n - (int)(blockIdx.x * blockDim.x)) - 1;\n"
                                      "    tile[threadIdx.x] = in[i];\n"
                                      "    __syncthreads();\n"
                                      "    out[i] = tile[last - threadIdx.x];\n"
                                      "    int odd = __syncthreads_count(tile[threadIdx.x] & 1);\n"
                                      "    if (threadIdx.x == 0) blocks[blockIdx.x] = odd;\n"
                                      "}\n";
    const ran *what = run(*state, "turned", source, BLOCK, COUNT);
    for (int b = 0; b < BLOCKS; b++) {
        const int begin = b * BLOCK, end = end_of_block(b, COUNT);
        int odd = 0;
        for (int i = begin; i < end; i++) {
            assert_int_equal(what->out[i], what->in[end - 1 - (i - begin)]);
            odd += what->in[i] & 1;
        }
        assert_int_equal(what->blocks[b], odd);
    }
}

/* Prefix sums by shuffles: each warp its own, the warps' sums by the first lanes of warp 0 under a mask of theirs, and
 * the threads that have no element gone before the warps meet again. */
TEST_BETWEEN(prefix_sums_go_through_shuffles, open_context, close_context) {
    static const char source[] =
        HEAD "    __shared__ int sums[8];\n"
             "    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;\n"
             "    int value = i < n ? in[i] : 0;\n"
             "    for (int step = 1; step < 32; step *= 2) {\n"
             "        int other = __shfl_up_sync(" FULL ", value, step);\n"
             "        if (lane >= step) value += other;\n"
             "    }\n"
             "    if (lane == 31) sums[warp] = value;\n"
             "    __syncthreads();\n"
             "    if (warp == 0 && lane < 8) {\n"
             "        int sum = sums[lane];\n"
             "        for (int step = 1; step < 8; step *= 2) {\n"
             "            int other = __shfl_up_sync(0xffu, sum, step, 8);\n"
             "            if (lane >= step) sum += other;\n"
             "        }\n"
             "        sums[lane] = sum;\n"
             "    }\n"
             "    if (i >= n) return;\n"
             "    __syncthreads();\n"
             "    out[i] = value + (warp ? sums[warp - 1] : 0);\n"
             "}\n";
    const ran *what = run(*state, "prefix", source, BLOCK, COUNT);
    for (int b = 0; b < BLOCKS; b++)
        for (int i = b * BLOCK, sum = 0; i < end_of_block(b, COUNT); i++) {
            sum += what->in[i];
            assert_int_equal(what->out[i], sum);
        }
}

/* A tree, ballots, matches and a reduction in blocks of 20 threads with masks of 32. */
TEST_BETWEEN(masks_of_all_lanes_serve_a_short_warp, open_context, close_context) {
    enum { SHORT = 20 };
    static const char source[] = HEAD "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                      "    int value = in[i], sum = value;\n"
                                      "    for (int step = 16; step > 0; step /= 2) {\n"
                                      "        int other = __shfl_down_sync(" FULL ", sum, step);\n"
                                      "        if (threadIdx.x + step < blockDim.x) sum += other;\n"
                                      "    }\n"
                                      "    int odd = __popc(__ballot_sync(" FULL ", value & 1));\n"
                                      "    int alike = __popc(__match_any_sync(" FULL ", value & 3));\n"
                                      "    int most = __reduce_max_sync(" FULL ", value);\n"
                                      "    __syncwarp();\n"
                                      "    out[i] = odd * 100 + alike;\n"
                                      "    if (threadIdx.x == 0) blocks[blockIdx.x] = sum * 4096 + most;\n"
                                      "}\n";
    const ran *what = run(*state, "short", source, SHORT, 2 * SHORT);
    for (int b = 0; b < 2; b++) {
        int odd = 0, kinds[4] = {0}, sum = 0, most = -1000;
        for (int i = b * SHORT; i < (b + 1) * SHORT; i++) {
            odd += what->in[i] & 1;
            kinds[what->in[i] & 3]++;
            sum += what->in[i];
            if (what->in[i] > most) most = what->in[i];
        }
        for (int i = b * SHORT; i < (b + 1) * SHORT; i++)
            assert_int_equal(what->out[i], odd * 100 + kinds[what->in[i] & 3]);
        assert_int_equal(what->blocks[b], sum * 4096 + most);
    }
}

/* Whoever finds it says so: the same word, the same value. */
TEST_BETWEEN(many_threads_set_one_flag, open_context, close_context) {
    static const char source[] = HEAD "    __shared__ int found, least;\n"
                                      "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                      "    if (threadIdx.x == 0) { found = 0; least = 1 << 30; }\n"
                                      "    __syncthreads();\n"
                                      "    if (i < n && in[i] > 500) { found = 1; atomicMin(&least, in[i]); }\n"
                                      "    __syncthreads();\n"
                                      "    if (threadIdx.x == 0) blocks[blockIdx.x] = found ? least : -1;\n"
                                      "}\n";
    const ran *what = run(*state, "flag", source, BLOCK, COUNT);
    for (int b = 0; b < BLOCKS; b++) {
        int least = -1;
        for (int i = b * BLOCK; i < end_of_block(b, COUNT); i++)
            if (what->in[i] > 500 && (least < 0 || what->in[i] < least)) least = what->in[i];
        assert_int_equal(what->blocks[b], least);
    }
}

/* Each thread merges 4 of two sorted runs in shared memory. It compares both heads before it tests whether they exist;
 * memory after the last run's end was never written. */
TEST_BETWEEN(a_merge_loads_one_more_than_there_is, open_context, close_context) {
    enum { EACH = 96, MERGED = 2 * EACH };
    static const char source[] =
        HEAD "    const int each = 96, items = 4;\n"
             "    __shared__ int keys[2 * each + 1];\n"
             "    for (int i = threadIdx.x; i < 2 * each; i += blockDim.x) keys[i] = (i % each) * 3 + "
             "(i / each) * 2;\n"
             "    __syncthreads();\n"
             "    int diagonal = threadIdx.x * items, low = max(0, diagonal - each), high = min(diagonal, each);\n"
             "    if (diagonal >= 2 * each) return;\n"
             "    while (low < high) {\n"
             "        int middle = (low + high) / 2;\n"
             "        if (keys[each + diagonal - 1 - middle] < keys[middle]) high = middle; else low = middle + 1;\n"
             "    }\n"
             "    int a = low, b = each + diagonal - low, key_a = keys[a], key_b = keys[b];\n"
             "    int merged[items];\n"
             "    #pragma unroll\n"
             "    for (int item = 0; item < items; item++) {\n"
             "        bool second = b < 2 * each && (a >= each || key_b < key_a);\n"
             "        merged[item] = second ? key_b : key_a;\n"
             "        if (second) key_b = keys[++b]; else key_a = keys[++a];\n"
             "    }\n"
             "    __syncthreads();\n"
             "    #pragma unroll\n"
             "    for (int item = 0; item < items; item++) keys[diagonal + item] = merged[item];\n"
             "    __syncthreads();\n"
             "    for (int item = 0; item < items; item++) out[diagonal + item] = keys[diagonal + item];\n"
             "}\n";
    const ran *what = run(*state, "merge", source, BLOCK, BLOCK);
    for (int i = 0, a = 0, b = 0; i < MERGED; i++) {
        const bool second = b < EACH && (a >= EACH || b * 3 + 2 < a * 3);
        assert_int_equal(what->out[i], second ? b * 3 + 2 : a * 3);
        if (second)
            b++;
        else
            a++;
    }
}

RUN_TESTS(NULL, NULL)
