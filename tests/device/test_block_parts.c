/* <jitreduce/block.cuh> in kernels of the caller's own, against the library's own reductions and plain loops. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec/dtype.h"
#include "spec/reduction.h"
#include "support/fixtures/kernel_case.h"

static const int sizes[] = {1, 2, 7, 31, 32, 33, 50, 64, 96, 127, 128, 255, 256, 257, 500, 1000, 1024};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* Several operators, with 16 bytes of results each. Stored whole: ptxas 13.0 makes st.u8 of a new half a conversion. */
static const char reduce_head[] =
    "#include <jitreduce/block.cuh>\n"
    "template <class op> static __device__ void run(unsigned char *out, const ELEMENT *x) {\n"
    "    typedef jitreduce::block<op, THREADS> block;\n"
    "    __shared__ typename block::storage storage;\n"
    "    const typename block::accumulator total =\n"
    "        block::reduce(op::lift((VALUE)x[threadIdx.x], threadIdx.x), storage);\n"
    "    if (threadIdx.x > 0) return;\n"
    "    *(decltype(op::finish(total, THREADS, 0)) *)out = op::finish(total, THREADS, 0);\n"
    "}\n"
    "extern \"C\" __global__ void k(unsigned char *out, const ELEMENT *x) {\n";

/* Small numbers, so that sums and products of floats are exact in any order: ones, and a few twos and threes. */
static void fill(const jr_dtype *dtype, int count, unsigned char *bytes) {
    for (int i = 0; i < count; i++) {
        const int number = i % 101 == 5 ? 2 : i % 211 == 6 ? 3 : 1;
        const float small = (float)number;
        unsigned bits;
        memcpy(&bits, &small, sizeof bits);
        unsigned char *to = bytes + (size_t)i * dtype->bytes;
        const long long whole = number;
        const double large = number;
        switch (dtype->type) {
        case JR_F32: memcpy(to, &small, 4); break;
        case JR_F64: memcpy(to, &large, 8); break;
        case JR_BF16: memcpy(to, (unsigned char *)&bits + 2, 2); break;
        case JR_F16: {
            static const unsigned short halves[] = {0, 0x3c00, 0x4000, 0x4200};
            memcpy(to, &halves[number], 2);
            break;
        }
        case JR_BOOL: *to = number & 1; break;
        default: memcpy(to, &whole, dtype->bytes);
        }
    }
}

/* The kernel of some operators over one type. */
static jr_kernel *kernel_of(const opened *device, jr_reduction *const *reductions, size_t count, int threads) {
    char source[16384], number[16];
    size_t length = (size_t)snprintf(source, sizeof source, "%s", reduce_head);
    for (size_t i = 0; i < count; i++)
        length += (size_t)snprintf(source + length, sizeof source - length, "    run<%s>(out + %zu, x);\n",
                                   reductions[i]->operator_text, 16 * i);
    assert_true(length + 3 < sizeof source);
    snprintf(source + length, sizeof source - length, "}\n");
    snprintf(number, sizeof number, "%d", threads);
    const jr_named_text constants[] = {{"ELEMENT", reductions[0]->inputs[0].c_name},
                                       {"VALUE", reductions[0]->inputs[0].value_name},
                                       {"THREADS", number}};
    const jr_program program = JR_INIT(jr_program, .name = "block", .source = source, .entry = "k",
                                       .constants = constants, .constant_count = 3);
    return kernel_new(device, &program);
}

static bool agrees(const jr_value *got, const jr_value *wanted, size_t bytes) {
    if (memcmp(&got->as, &wanted->as, bytes) == 0) return true;
    if (wanted->type == JR_F64) return fabs(got->as.f64 - wanted->as.f64) <= 1e-12 * fabs(wanted->as.f64);
    return wanted->type == JR_F32 && fabsf(got->as.f32 - wanted->as.f32) <= 1e-6f * fabsf(wanted->as.f32);
}

/* Some operators over one type in a block of so many threads, against the library's own reductions. */
static void block_agrees(const opened *device, jr_reduction *const *reductions, size_t count, int threads) {
    enum { OPERATORS_MAX = 32 };
    const jr_dtype *dtype = jr_dtype_find(reductions[0]->inputs[0].type);
    _Alignas(16) unsigned char data[1024 * 8] = {0};
    unsigned char results[OPERATORS_MAX * 16] = {0}; /* 16 bytes each, of which a result may take fewer */
    jr_kernel *kernel = kernel_of(device, reductions, count, threads);
    void *x = device_new(device, sizeof data), *out = device_new(device, sizeof results);
    fill(dtype, threads, data);
    device_write(device, x, data, sizeof data);
    device_write(device, out, results, sizeof results);
    assert_true(count <= OPERATORS_MAX);
    works(
        jr_kernel_launch(kernel, &JR_INIT(jr_launch, .grid = {1}, .block = {(unsigned)threads}), (void *[]){&out, &x}));
    works(jr_memory_read(device->context, results, out, 16 * count));
    for (size_t i = 0; i < count; i++) {
        jr_value expected = {0};
        works(jr_reduce_host(device->context, &reductions[i]->spec, data, (uint64_t)threads, &expected));
        jr_value got = expected;
        const size_t bytes = jr_dtype_find(expected.type)->bytes;
        memcpy(&got.as, results + 16 * i, bytes);
        if (!agrees(&got, &expected, bytes))
            fail_msg("%s over %s, %d threads: %016llx, expected %016llx", reductions[i]->operator_text, dtype->name,
                     threads, (unsigned long long)got.as.u64, (unsigned long long)expected.as.u64);
    }
}

/* Those of the operators that take a type. accumulate: JR_TYPE_NONE, or in what. */
static size_t reductions_of(jr_type type, jr_op first, jr_op last, jr_type accumulate, jr_reduction **made) {
    size_t count = 0;
    for (int op = (int)first; op <= (int)last; op++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = (jr_op)op, .type = type, .accumulate = accumulate);
        if (op != JR_OP_DOT && jr_reduction_create(&spec, &made[count]) == JR_OK) count++; /* else not of this type */
    }
    return count;
}

static void destroy(jr_reduction **reductions, size_t count) {
    for (size_t i = 0; i < count; i++) jr_reduction_destroy(reductions[i]);
}

/* The sample has four operators for every type, and every other size. */
TEST(every_operator_agrees_over_every_type) {
    static const jr_type types[] = {JR_I8,  JR_U8,  JR_I16,  JR_U16, JR_I32, JR_U32, JR_I64,
                                    JR_U64, JR_F16, JR_BF16, JR_F32, JR_F64, JR_BOOL};
    static const int threads[] = {100, 1, 33, 256, 1000, 32, 7, 511, 64, 96, 1024, 129, 31};
    size_t ran = 0;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        jr_reduction *made[32];
        const size_t count = reductions_of(types[t], JR_OP_SUM, JR_OP_LOGSUMEXP, JR_TYPE_NONE, made);
        for (size_t i = 0; i < count; i += 4) { /* more in one kernel take long to compile */
            if (!tests_are_whole() && i != t * 4 % count / 4 * 4) continue;
            block_agrees(*state, made + i, count - i < 4 ? count - i : 4, threads[t]);
            ran += count - i < 4 ? count - i : 4;
        }
        destroy(made, count);
    }
    assert_true(ran > (tests_are_whole() ? 180 : 25));
}

static const char scan_source[] =
    "#include <jitreduce/block.cuh>\n"
    "struct affine { unsigned a, b; };\n" /* x -> a x + b: does not commute */
    "struct op { typedef affine accumulator;\n"
    "    static __device__ affine identity() { return {1, 0}; }\n"
    "    static __device__ affine combine(affine f, affine g) { return {f.a * g.a, g.a * f.b + g.b}; } };\n"
    "typedef jitreduce::block<op, THREADS> block;\n"
    "typedef jitreduce::grid<op, THREADS> grid;\n"
    "extern \"C\" __global__ void k(affine *out, const affine *x, jr_u64 *workspace, unsigned count) {\n"
    "    __shared__ block::storage s;\n"
    "    const unsigned i = blockIdx.x * THREADS + threadIdx.x;\n"
    "    affine total, all, pair[2] = {x[i], x[i]}, other[2] = {x[i], x[i]};\n"
    "    out[0 * count + i] = block::scan_inclusive(x[i], s, &total); __syncthreads();\n"
    "    out[1 * count + i] = total;\n"
    "    out[2 * count + i] = block::scan_exclusive(x[i], s); __syncthreads();\n"
    "    out[3 * count + i] = block::reduce_all(x[i], s); __syncthreads();\n"
    "    out[4 * count + i] = grid::scan_inclusive(x[i], s, workspace); __syncthreads();\n"
    "    block::scan_inclusive(pair, s); __syncthreads(); out[5 * count + i] = pair[1];\n"
    "    block::scan_exclusive(other, s); __syncthreads(); out[6 * count + i] = other[1];\n"
    "}\n"
    "extern \"C\" __global__ void whole(affine *out, const affine *x, jr_u64 *workspace, unsigned count) {\n"
    "    __shared__ block::storage s;\n"
    "    affine total;\n"
    "    if (grid::reduce(x[blockIdx.x * THREADS + threadIdx.x], s, workspace, &total)) *out = total;\n"
    "}\n"
    "extern \"C\" __global__ void before(affine *out, const affine *x, jr_u64 *workspace, unsigned count) {\n"
    "    __shared__ block::storage s;\n"
    "    const unsigned i = blockIdx.x * THREADS + threadIdx.x;\n"
    "    out[i] = grid::scan_exclusive(x[i], s, workspace);\n"
    "}\n";

typedef struct affine {
    unsigned a, b;
} affine;

static affine combine(affine f, affine g) {
    return (affine){f.a * g.a, g.a * f.b + g.b};
}

static void same(affine got, affine wanted, const char *what, int threads, unsigned blocks, unsigned at) {
    if (got.a != wanted.a || got.b != wanted.b)
        fail_msg("%s, %u blocks of %d threads, at %u: %u %u, not %u %u", what, blocks, threads, at, got.a, got.b,
                 wanted.a, wanted.b);
}

static void check_scans(const affine *x, const affine *out, int threads, unsigned blocks) {
    const unsigned count = blocks * (unsigned)threads;
    affine grid = {1, 0};
    for (unsigned b = 0; b < blocks; b++) {
        affine fold = {1, 0}, twice = {1, 0}, total = {1, 0};
        for (int t = 0; t < threads; t++) total = combine(total, x[b * (unsigned)threads + (unsigned)t]);
        for (int t = 0; t < threads; t++) {
            const unsigned i = b * (unsigned)threads + (unsigned)t;
            same(out[2 * count + i], fold, "scan_exclusive", threads, blocks, i);
            fold = combine(fold, x[i]);
            grid = combine(grid, x[i]);
            twice = combine(twice, x[i]);
            same(out[6 * count + i], twice, "scan_exclusive of pairs", threads, blocks, i);
            twice = combine(twice, x[i]);
            same(out[0 * count + i], fold, "scan_inclusive", threads, blocks, i);
            same(out[1 * count + i], total, "total", threads, blocks, i);
            same(out[3 * count + i], total, "reduce_all", threads, blocks, i);
            same(out[4 * count + i], grid, "grid::scan_inclusive", threads, blocks, i);
            same(out[5 * count + i], twice, "scan_inclusive of pairs", threads, blocks, i);
        }
    }
}

/* Blocks of one size, in grids of several. The workspace is used again by every launch, and never cleared between. */
static void size_agrees(const opened *device, int threads) {
    static const char *const entries[] = {"k", "whole", "before"};
    enum { BLOCKS_MAX = 37 };
    char number[16];
    snprintf(number, sizeof number, "%d", threads);
    const jr_named_text constant = {"THREADS", number};
    jr_program program =
        JR_INIT(jr_program, .name = "scans", .source = scan_source, .constants = &constant, .constant_count = 1);
    const size_t most = BLOCKS_MAX * (size_t)threads;
    affine *data = test_zeros(most, sizeof *data), *got = test_zeros(7 * most, sizeof *got);
    jr_kernel *kernels[3];
    for (int k = 0; k < 3; k++) {
        program.entry = entries[k];
        kernels[k] = kernel_new(device, &program);
    }
    affine whole = {1, 0};
    for (unsigned i = 0; i < most; i++) data[i] = (affine){2 * i + 3, i * 7 + 1};
    void *x = device_new(device, most * sizeof *data), *out = device_new(device, 7 * most * sizeof *data);
    void *workspace = device_new(device, (1 + 2 * BLOCKS_MAX) * 8);
    const uint64_t zeros[1 + 2 * BLOCKS_MAX] = {0};
    uint64_t left[1 + 2 * BLOCKS_MAX];
    device_write(device, x, data, most * sizeof *data);
    device_write(device, workspace, zeros, sizeof zeros);
    static const unsigned grids[] = {1, 2, BLOCKS_MAX};
    for (size_t g = 0; g < 3; g++) {
        unsigned count = grids[g] * (unsigned)threads;
        const jr_launch launch = JR_INIT(jr_launch, .grid = {grids[g]}, .block = {(unsigned)threads});
        void *arguments[] = {&out, &x, &workspace, &count};
        works(jr_kernel_launch(kernels[0], &launch, arguments));
        device_read(device, got, out, 7 * (size_t)count * sizeof *got);
        check_scans(data, got, threads, grids[g]);
        works(jr_kernel_launch(kernels[1], &launch, arguments));
        device_read(device, got, out, sizeof *got);
        whole = (affine){1, 0};
        for (unsigned i = 0; i < count; i++) whole = combine(whole, data[i]);
        same(got[0], whole, "grid::reduce", threads, grids[g], 0);
        works(jr_kernel_launch(kernels[2], &launch, arguments));
        device_read(device, got, out, (size_t)count * sizeof *got);
        whole = (affine){1, 0};
        for (unsigned i = 0; i < count; i++) {
            same(got[i], whole, "grid::scan_exclusive", threads, grids[g], i);
            whole = combine(whole, data[i]);
        }
        device_read(device, left, workspace, sizeof left);
        assert_memory_equal(left, zeros, sizeof zeros);
    }
}

TEST(every_size_of_block_scans_and_reduces_in_order) {
    for (size_t i = 0; i < SIZES; i += tests_are_whole() ? 1 : 5) size_agrees(*state, sizes[i]);
}

TEST(single_instructions_agree_in_whole_and_partial_warps) {
    static const jr_type types[] = {JR_I32, JR_U32};
    for (size_t t = 0; t < 2; t++) {
        jr_reduction *made[32];
        size_t count = reductions_of(types[t], JR_OP_SUM, JR_OP_SUM, types[t], made);
        count += reductions_of(types[t], JR_OP_MIN, JR_OP_XOR, JR_TYPE_NONE, made + count);
        for (size_t i = 1; i < 8; i++)
            if (tests_take((int)(i + t), 3)) block_agrees(*state, made, count, sizes[i]);
        destroy(made, count);
    }
}

DEVICE_TEST(names_below_the_prefix_are_the_librarys_own) {
    const jr_named_text header = {"jitreduce/mine.cuh", ""}, harmless = {"core/types.cuh", "#error \"taken\"\n"};
    jr_kernel *kernel = NULL;
    jr_program program = JR_INIT(jr_program, .name = "mine", .entry = "k", .headers = &header, .header_count = 1,
                                 .source = "#include <jitreduce/block.cuh>\nextern \"C\" __global__ void k(int *o) "
                                           "{ *o = jitreduce::warp<jr_sum<int, int, int>>::reduce(2) / 64 + 5; }\n");
    fails(jr_kernel_get(device->context, &program, &kernel), JR_ERROR_INVALID_ARGUMENT, "jitreduce/mine.cuh");
    program.headers = &harmless; /* ours are below jitreduce/ */
    program.source =
        "#include <jitreduce/block.cuh>\n"
        "extern \"C\" __global__ void k(int *o) { *o = jitreduce::warp<jr_sum<int, int, int>, 1>::reduce(6); }\n";
    assert_int_equal(kernel_answer(device, kernel_new(device, &program)), 6);
}

RUN_TESTS(open_context, close_context)
