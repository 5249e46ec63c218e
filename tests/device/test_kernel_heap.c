/* Kernels that call malloc, free, new and delete: on a GPU, and on the simulator, which refused their module. */
#include <string.h>

#include "support/fixtures/kernel_case.h"

enum { BLOCK = 128, BLOCKS = 6, THREADS = BLOCK * BLOCKS };

#define HEAD                                                                                                           \
    "extern \"C\" __global__ void k(unsigned *out, unsigned long long *kept) {\n"                                      \
    "    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;\n"

typedef struct words {
    unsigned *out;
    unsigned long long *kept;
} words;

static words words_open(const opened *device) {
    static const unsigned long long zeros[THREADS];
    const words made = {device_new(device, THREADS * sizeof(unsigned)), device_new(device, sizeof zeros)};
    device_write(device, made.out, zeros, THREADS * sizeof(unsigned));
    device_write(device, made.kept, zeros, sizeof zeros);
    return made;
}

static void words_close(const opened *device, const words *made) {
    device_free(device, made->out);
    device_free(device, made->kept);
}

static const unsigned *run(const opened *device, const words *with, const char *name, const char *source) {
    static unsigned out[THREADS];
    const jr_program program = JR_INIT(jr_program, .name = name, .source = source, .entry = "k");
    jr_kernel *kernel = kernel_new(device, &program);
    unsigned *to = with->out;
    unsigned long long *kept = with->kept;
    void *args[] = {&to, &kept};
    works(jr_kernel_launch(kernel, &JR_INIT(jr_launch, .grid = {BLOCKS}, .block = {BLOCK}), args));
    device_read(device, out, with->out, sizeof out);
    return out;
}

/* One thread allocates for its block, all use it, one frees it. */
TEST(a_block_shares_what_one_thread_allocated) {
    static const char source[] =
        HEAD "    __shared__ unsigned *data;\n"
             "    if (threadIdx.x == 0) data = (unsigned *)malloc(blockDim.x * sizeof *data);\n"
             "    __syncthreads();\n"
             "    if (!data) return;\n"
             "    data[threadIdx.x] = i * i;\n"
             "    __syncthreads();\n"
             "    out[i] = data[blockDim.x - 1 - threadIdx.x];\n"
             "    __syncthreads();\n"
             "    if (threadIdx.x == 0) free(data);\n"
             "}\n";
    const words with = words_open(*state);
    const unsigned *out = run(*state, &with, "shared", source);
    for (unsigned i = 0; i < THREADS; i++) {
        const unsigned from = i / BLOCK * BLOCK + BLOCK - 1 - i % BLOCK;
        assert_int_equal(out[i], from * from);
    }
    words_close(*state, &with);
}

/* Objects, arrays of them, and what is aligned further: constructors and destructors count. */
TEST(objects_are_made_and_destroyed) {
    static const char source[] =
        "struct counted { unsigned *n; unsigned v[4];\n"
        "    __device__ counted() : n(nullptr) { for (int k = 0; k < 4; k++) v[k] = k; }\n"
        "    __device__ ~counted() { if (n) *n += v[3]; } };\n"
        "struct alignas(64) wide { double x[12]; };\n"
        "struct node { node *next; unsigned value; };\n" HEAD "    unsigned seen = 0;\n"
        "    counted *one = new counted, *many = new counted[1 + i % 3];\n"
        "    wide *w = new wide;\n"
        "    node *list = nullptr;\n"
        "    for (unsigned k = 0; k < 5; k++) list = new node{list, k + i};\n"
        "    one->n = &seen;\n"
        "    for (unsigned k = 0; k < 1 + i % 3; k++) many[k].n = &seen;\n"
        "    w->x[11] = i;\n"
        "    unsigned sum = (unsigned)w->x[11] + ((unsigned long long)w % 64 ? 1000000 : 0);\n"
        "    while (list) { node *next = list->next; sum += list->value; delete list; list = next; }\n"
        "    delete one;\n"
        "    delete[] many;\n"
        "    delete w;\n"
        "    out[i] = sum + seen * 100000;\n"
        "}\n";
    const words with = words_open(*state);
    const unsigned *out = run(*state, &with, "objects", source);
    for (unsigned i = 0; i < THREADS; i++) assert_int_equal(out[i], i + 5 * i + 10 + (3 + 3 * (1 + i % 3)) * 100000);
    words_close(*state, &with);
}

/* Three programs, which are three modules: one allocates, one looks, one frees. */
TEST(allocations_live_over_launches) {
    static const char makes[] = HEAD "    unsigned *p = (unsigned *)malloc(8 + i);\n"
                                     "    if (p) { p[0] = i; p[1] = ~i; }\n"
                                     "    kept[i] = (unsigned long long)p;\n"
                                     "    out[i] = p != nullptr && (unsigned long long)p % 16 == 0;\n}\n";
    static const char looks[] = HEAD "    unsigned *p = (unsigned *)kept[(i + 77) % (gridDim.x * blockDim.x)];\n"
                                     "    out[i] = p[0] + p[1] == ~0u ? p[0] : ~0u;\n}\n";
    static const char frees[] = HEAD "    free((void *)kept[gridDim.x * blockDim.x - 1 - i]);\n    out[i] = 5;\n}\n";
    const words with = words_open(*state);
    const unsigned *out = run(*state, &with, "makes", makes);
    for (unsigned i = 0; i < THREADS; i++) assert_int_equal(out[i], 1);
    out = run(*state, &with, "looks", looks);
    for (unsigned i = 0; i < THREADS; i++) assert_int_equal(out[i], (i + 77) % THREADS);
    out = run(*state, &with, "frees", frees);
    for (unsigned i = 0; i < THREADS; i++) assert_int_equal(out[i], 5);
    words_close(*state, &with);
}

/* 768 threads want 32 KiB each of 8 MiB: some get theirs, some NULL, and when those are freed all is there again. */
TEST(a_full_heap_gives_null) {
    static const char source[] = HEAD "    char *p = (char *)malloc(32768);\n"
                                      "    kept[i] = (unsigned long long)p;\n"
                                      "    if (p) { p[0] = 1; p[32767] = (char)i; }\n"
                                      "    out[i] = p != nullptr;\n}\n";
    static const char frees[] = HEAD "    char *p = (char *)kept[i];\n"
                                     "    out[i] = p ? p[32767] == (char)i : 2;\n    free(p);\n}\n";
    const words with = words_open(*state);
    for (int round = 0; round < 3; round++) {
        const unsigned *out = run(*state, &with, "fills", source);
        unsigned given = 0, right = 0, none = 0;
        for (unsigned i = 0; i < THREADS; i++) given += out[i];
        assert_in_range(given, 100, 255);
        out = run(*state, &with, "empties", frees);
        for (unsigned i = 0; i < THREADS; i++) {
            right += out[i] == 1;
            none += out[i] == 2;
        }
        assert_int_equal(right, given);
        assert_int_equal(right + none, THREADS);
    }
    words_close(*state, &with);
}

TEST(odd_sizes_are_no_fault) {
    static const char source[] = HEAD "    void *a = malloc(0), *b = malloc(1ull << 63), *c = malloc(1ull << 40);\n"
                                      "    free(a);\n"
                                      "    free(nullptr);\n"
                                      "    out[i] = (b == nullptr) + (c == nullptr) * 10;\n}\n";
    const words with = words_open(*state);
    const unsigned *out = run(*state, &with, "odd", source);
    for (unsigned i = 0; i < THREADS; i++) assert_int_equal(out[i], 11);
    words_close(*state, &with);
}

RUN_TESTS(open_context, close_context)
