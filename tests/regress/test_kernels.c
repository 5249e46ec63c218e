/* Kernels of callers: their blocks, shared memory, constants and entries. */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "support/fixtures/kernel_case.h"

/* On the simulator a kernel that is compiled for blocks of 1024 threads, but keeps more than 64 values at once, did not
 * fit on a multiprocessor: it counted registers that the compiler would have spilled to honour the launch bound. The
 * same with blocks of 544 threads, whose 17 warps take the room of 20. */
static const char many_values[] =
    "extern \"C\" __global__ void __launch_bounds__(BLOCK) many(const int *in, int *out) {\n"
    "    int kept[100];\n"
    "    for (int i = 0; i < 100; i++) kept[i] = in[(i * 7 + threadIdx.x) % 1024];\n"
    "    __syncthreads();\n"
    "    int mixed = 0;\n"
    "    for (int i = 99; i >= 0; i--) mixed = mixed * 31 + kept[i];\n"
    "    out[threadIdx.x] = mixed;\n"
    "}\n";

static void run_with(const opened *device, unsigned block) {
    char text[8];
    const jr_named_text constants[] = {{"BLOCK", text}};
    const jr_program program = JR_INIT(jr_program, .name = "many", .source = many_values, .entry = "many",
                                       .constants = constants, .constant_count = 1);
    static int in[1024], out[1024];
    jr_kernel *kernel = NULL;
    int blocks = 0, wanted = 0;
    snprintf(text, sizeof text, "%u", block);
    for (int i = 0; i < 1024; i++) in[i] = i % 13;
    works(jr_kernel_get(device->context, &program, &kernel));
    works(jr_kernel_occupancy(kernel, (int)block, 0, &blocks));
    assert_true(blocks >= 1);
    int *d_in = device_new(device, sizeof in), *d_out = device_new(device, sizeof out);
    device_write(device, d_in, in, sizeof in);
    void *args[] = {&d_in, &d_out};
    works(jr_kernel_launch(kernel, &JR_INIT(jr_launch, .grid = {1}, .block = {block}), args));
    device_read(device, out, d_out, sizeof out);
    for (int i = 99; i >= 0; i--) wanted = (int)((unsigned)wanted * 31u + (unsigned)in[(i * 7 + 5) % 1024]);
    assert_int_equal(out[5], wanted);
}

TEST(a_kernel_fits_the_block_it_is_compiled_for) {
    run_with(*state, 1024);
    run_with(*state, 544);
}

/* Kernels with more dynamic shared memory than is free to all run, but their occupancy was 0 and no block was chosen.
 */
static const jr_program large = {.size = sizeof(jr_program),
                                 .name = "large",
                                 .source = "extern \"C\" __global__ void k(int *out) {\n"
                                           "    extern __shared__ int room[];\n"
                                           "    room[threadIdx.x] = 42;\n"
                                           "    *out = room[threadIdx.x];\n"
                                           "}\n",
                                 .entry = "k"};

DEVICE_TEST(what_runs_has_an_occupancy) {
    jr_kernel *kernel = kernel_new(device, &large);
    const size_t most = (size_t)device->info.shared_bytes_per_block_optin;
    int blocks = -1, fewer = -1;
    if (most <= 64 * 1024) skip_because("a block of this device has no more than %zu shared bytes\n", most);
    works(jr_kernel_occupancy(kernel, 64, 64 * 1024, &blocks));
    assert_true(blocks >= 1);
    works(jr_kernel_occupancy(kernel, 64, most, &fewer));
    assert_true(fewer >= 1 && fewer <= blocks);
    works(jr_kernel_occupancy(kernel, 64, most + 4, &blocks));
    assert_int_equal(blocks, 0);
    works(jr_kernel_occupancy(kernel, 64, SIZE_MAX, &blocks));
    assert_int_equal(blocks, 0);
}

DEVICE_TEST(a_block_is_chosen_for_it) {
    jr_kernel *kernel = kernel_new(device, &large);
    const size_t most = (size_t)device->info.shared_bytes_per_block_optin;
    jr_kernel_info info = JR_INIT(jr_kernel_info);
    int block = -1, grid = -1;
    works(jr_kernel_info_get(kernel, &info));
    assert_int_equal(info.max_dynamic_shared_bytes, most);
    works(jr_kernel_block_choose(kernel, most, &block, &grid));
    assert_true(block >= 32 && grid >= device->info.multiprocessor_count);
    fails(jr_kernel_block_choose(kernel, most + 4, &block, &grid), JR_ERROR_LAUNCH_RESOURCES, "does not fit");
    fails(jr_kernel_block_choose(kernel, SIZE_MAX, &block, &grid), JR_ERROR_LAUNCH_RESOURCES, "does not fit");
    assert_true(block >= 32);
}

/* A launch whose static and dynamic shared memory were each below 48 KiB, but not together, was refused by the driver:
 * the leave to use more was asked for only when the dynamic part alone was above. And threads that launched one kernel
 * with different amounts took that leave away from each other. */
static const char shared_twice[] = "extern \"C\" __global__ void k(int *out, int words) {\n"
                                   "    __shared__ int fixed[8192];\n"
                                   "    extern __shared__ int room[];\n"
                                   "    for (int i = threadIdx.x; i < 8192; i += blockDim.x) fixed[i] = i;\n"
                                   "    for (int i = threadIdx.x; i < words; i += blockDim.x) room[i] = -i;\n"
                                   "    __syncthreads();\n"
                                   "    if (threadIdx.x == 0) *out = fixed[8191] + room[words - 1];\n"
                                   "}\n";

static const jr_program together = {
    .size = sizeof(jr_program), .name = "together", .source = shared_twice, .entry = "k"};

static jr_status launch(jr_kernel *kernel, int *d_out, int words, jr_stream stream) {
    void *args[] = {&d_out, &words};
    const jr_launch how =
        JR_INIT(jr_launch, .grid = {1}, .block = {64}, .shared_bytes = (unsigned)words * 4, .stream = stream);
    return jr_kernel_launch(kernel, &how, args);
}

DEVICE_TEST(static_and_dynamic_shared_memory_add_up) {
    static const int words[] = {1, 4096, 4097, 6000, 12288, 12289, 20000, 100};
    jr_kernel *kernel = kernel_new(device, &together);
    int *d_out = device_new(device, sizeof *d_out), out = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        works(launch(kernel, d_out, words[i], NULL));
        device_read(device, &out, d_out, sizeof out);
        assert_int_equal(out, 8191 - (words[i] - 1));
    }
    fails(launch(kernel, d_out, (int)device->info.shared_bytes_per_block_optin / 4 - 4096, NULL),
          JR_ERROR_LAUNCH_RESOURCES, "32768 static shared bytes");
    works(launch(kernel, d_out, 5000, NULL));
    device_read(device, &out, d_out, sizeof out);
    assert_int_equal(out, 8191 - 4999);
}

typedef struct launcher {
    jr_kernel *kernel;
    jr_stream stream;
    int *d_out;
    int words;
    bool ok;
    pthread_barrier_t *together; /* so that their launches meet */
} launcher;

static void *launch_often(void *user) {
    launcher *self = user;
    self->ok = true;
    for (int i = 0; i < 500; i++) {
        pthread_barrier_wait(self->together);
        self->ok = launch(self->kernel, self->d_out, self->words, self->stream) == JR_OK && self->ok;
    }
    return NULL;
}

DEVICE_TEST(threads_that_need_different_amounts_do_not_disturb_each_other) {
    enum { THREADS = 4 };
    launcher launchers[THREADS];
    pthread_t threads[THREADS];
    pthread_barrier_t barrier;
    assert_int_equal(pthread_barrier_init(&barrier, NULL, THREADS), 0);
    for (int i = 0; i < THREADS; i++) {
        launchers[i] =
            (launcher){.kernel = kernel_new(device, &together), .words = 13000 + 9000 * i, .together = &barrier};
        launchers[i].stream = stream_new(device);
        launchers[i].d_out = device_new(device, sizeof(int));
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, launch_often, &launchers[i]), 0);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&barrier);
    for (int i = 0; i < THREADS; i++) {
        int out = 0;
        stream_wait(device, launchers[i].stream);
        device_read(device, &out, launchers[i].d_out, sizeof out);
        assert_true(launchers[i].ok);
        assert_int_equal(out, 8191 - (launchers[i].words - 1));
        device_free(device, launchers[i].d_out);
        stream_free(device, launchers[i].stream);
    }
}

/* A constant that a header defined again was without effect: the kernel was compiled with the header's value, and
 * nobody said so. */
static const char uses[] = "#include \"h\"\nextern \"C\" __global__ void k(int *o) { int unused; *o = N; }";

static jr_program program_with(const jr_named_text *constant, const jr_named_text *header) {
    return JR_INIT(jr_program, .name = "p", .source = uses, .constants = constant, .constant_count = 1,
                   .headers = header, .header_count = 1);
}

DEVICE_TEST(a_constant_that_a_header_defines_again_is_refused) {
    const jr_named_text constant = {"N", "7"}, header = {"h", "#define N 2\n"};
    const jr_program program = program_with(&constant, &header);
    jr_kernel *kernel = NULL;
    for (int again = 0; again < 2; again++) {
        fails(jr_kernel_get(device->context, &program, &kernel), JR_ERROR_COMPILE,
              "the constant N is 7, but h(1) defines it again");
        assert_non_null(strstr(jr_last_error()->log, "incompatible redefinition"));
    }
}

DEVICE_TEST(one_that_it_defines_alike_or_where_there_is_none_is_taken) {
    static const char *const texts[] = {"#define N 7\n", "#ifndef N\n#define N 2\n#endif\n",
                                        "#define M 1\n#undef M\n#define M 2\n"};
    const jr_named_text constant = {"N", "7"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const jr_named_text header = {"h", texts[i]};
        const jr_program program = program_with(&constant, &header);
        assert_int_equal(kernel_answer(device, kernel_new(device, &program)), 7);
    }
}

static void keep_line(void *user, jr_log_level level, const char *line) {
    int *found = user;
    *found += level == JR_LOG_WARNING && strstr(line, "p(2): warning") != NULL && strchr(line, '^') == NULL;
}

DEVICE_TEST(warnings_of_a_program_that_compiles_are_logged) {
    char text[80]; /* a text that no run had before: a kernel of the cache is not compiled and warns of nothing */
    snprintf(text, sizeof text, "#define M %.0f\n#define M 2\n", jr_clock_ms() * 1e6);
    const jr_named_text constant = {"N", "8"}, header = {"h", text};
    const jr_program program = program_with(&constant, &header);
    int found = 0;
    jr_log_set(keep_line, &found);
    jr_kernel *kernel = kernel_new(device, &program);
    jr_log_set(NULL, NULL);
    assert_int_equal(kernel_answer(device, kernel), 8);
    assert_int_equal(found, 1);
}

/* A wrong entry name was answered by a line of NVRTC's own file __nv_name_map, and a program with one kernel had to
 * name it. */
static jr_program program_of(const char *source, const char *entry) {
    return JR_INIT(jr_program, .name = "p", .source = source, .entry = entry);
}

DEVICE_TEST(a_program_that_names_no_entry_has_its_only_kernel) {
    static const char *const sources[] = {"extern \"C\" __global__ void k(int *o) { *o = 5; }",
                                          "__device__ int f() { return 5; }\nnamespace a { __global__ void "
                                          "__launch_bounds__(32) k(int *o) { *o = f(); } }",
                                          "// __global__ void no(int *);\n#include \"h\"\n__global__ void k(int "
                                          "*o);\n__global__ void k(int *o) { *o = 5; }"};
    const jr_named_text header = {"h", "\n"};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        jr_program program = program_of(sources[i], NULL);
        jr_image *image = NULL;
        program.headers = &header;
        program.header_count = 1;
        assert_int_equal(kernel_answer(device, kernel_new(device, &program)), 5);
        works(jr_image_compile_for(device->context, &program, &image));
        jr_image_destroy(image);
    }
}

static void get_fails(void **state, const jr_program *program, jr_status expected, const char *says) {
    const opened *device = *state;
    jr_kernel *kernel = NULL;
    fails(jr_kernel_get(device->context, program, &kernel), expected, says);
    assert_null(strstr(jr_last_error()->message, "__nv_name_map"));
    assert_null(kernel);
}

TEST(where_no_entry_is_named_several_kernels_are_listed) {
    jr_program program = program_of("__global__ void a() {}\nnamespace n { __global__ void b() {} }", NULL);
    get_fails(state, &program, JR_ERROR_INVALID_ARGUMENT, "has several kernels: name one of a, n::b");
    program.source = "template <class T> __global__ void t(T *o) {}";
    get_fails(state, &program, JR_ERROR_INVALID_ARGUMENT, "name an instance, as t<float>");
    program.source = "__device__ void f() {}";
    get_fails(state, &program, JR_ERROR_INVALID_ARGUMENT, "its source declares no __global__ function");
}

TEST(a_wrong_entry_is_answered_by_the_kernels_there_are) {
    static const char source[] =
        "namespace ours { __global__ void saxpy(float *y) {} }\n"
        "template <class T> __global__ void add(T *y) {}\nextern \"C\" __global__ void k() {}\n"
        "__device__ void f() {}\n";
    static const struct {
        const char *entry, *says;
    } cases[] = {
        {"saxpy", "no kernel saxpy; did you mean ours::saxpy?; the kernels of its source: ours::saxpy, add<...>, k"},
        {"sapxy", "did you mean ours::saxpy?"},
        {"add", "add is a template: name an instance, as \"add<float>\""},
        {"add<floot>", "add is a template"},
        {"multiply", "no kernel multiply; the kernels of its source: ours::saxpy, add<...>, k"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const jr_program program = program_of(source, cases[i].entry);
        get_fails(state, &program, JR_ERROR_COMPILE, cases[i].says);
    }
    const jr_program wrong = program_of(source, "add<floot>");
    get_fails(state, &wrong, JR_ERROR_COMPILE, "add");
    assert_non_null(strstr(jr_last_error()->log, "floot"));
}

RUN_TESTS(open_context, close_context)
