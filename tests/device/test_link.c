/* Linking: device code of several texts becomes one image; for the simulator as PTX, for sm_NN as machine code by
 * nvJitLink, which needs no GPU. */
/* cache: own */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "link/cubin_symbols.h"
#include "support/fixtures/kernel_case.h"
#include "support/fixtures/pack_case.h"

/* Both have a static variable, a static function and an instance of a template of the same names. */
static const char caller_source[] =
    "extern __device__ int twice(int x);\n"
    "extern __device__ int total;\n"
    "static __device__ int local = 5;\n"
    "static __device__ __noinline__ int helper(int x) { return x + local; }\n"
    "template <class T> __device__ __noinline__ T square(T x) { return x * x; }\n"
    "extern \"C\" __global__ void call(int *out) { total = 3; local += 0; *out = twice(square(helper(1))); }\n";
static const char callee_source[] =
    "__device__ int total;\n"
    "static __device__ int local = 7;\n"
    "static __device__ __noinline__ int helper(int x) { return x * local; }\n"
    "template <class T> __device__ __noinline__ T square(T x) { return x * x; }\n"
    "extern __device__ int twice(int x) { local += 0; return 2 * square(helper(x)) + total; }\n";
enum { ANSWER = 2 * (36 * 7) * (36 * 7) + 3 };

static const jr_program caller = {.size = sizeof(jr_program), .name = "main.cu", .source = caller_source},
                        callee = {.size = sizeof(jr_program), .name = "main.cu", .source = callee_source};

#define PTX_HEAD ".version 7.8\n.target sm_75\n.address_size 64\n"
static const char set_ptx[] =
    PTX_HEAD ".extern .func (.param .b32 result) next(.param .b32 x);\n"
             ".visible .entry set(.param .u64 out)\n"
             "{ .reg .b64 %p; .reg .b32 %v; .param .b32 given; .param .b32 got;\n"
             "  ld.param.u64 %p, [out]; cvta.to.global.u64 %p, %p;\n"
             "  mov.u32 %v, 41; st.param.b32 [given], %v;\n"
             "  call (got), next, (given); ld.param.b32 %v, [got]; st.global.u32 [%p], %v; ret; }\n",
                  next_ptx[] = PTX_HEAD
                  ".visible .func (.param .b32 result) next(.param .b32 x)\n"
                  "{ .reg .b32 %v; ld.param.b32 %v, [x]; add.u32 %v, %v, 1; st.param.b32 [result], %v; ret; }\n";

#define PTX(ptx_name, text)                                                                                            \
    (jr_link_input) {                                                                                                  \
        .name = (ptx_name), .data = (text), .bytes = strlen(text)                                                      \
    }

static uint64_t compiles(const opened *device) {
    return pack_counters(device).compiles;
}

static int answer_of(const opened *device, const jr_image *image) {
    jr_kernel *kernel = NULL;
    works(jr_kernel_load(device->context, image, &kernel));
    return kernel_answer(device, kernel);
}

/* ---- for the device ---- */

TEST(a_kernel_calls_a_function_of_another_program) {
    const opened *device = *state;
    const jr_link_input inputs[] = {{.program = &caller}, {.name = "callee", .program = &callee}};
    jr_image *image = NULL;
    works(jr_image_link(device->context, inputs, 2, NULL, NULL, &image));
    assert_int_equal(answer_of(device, image), ANSWER);
    jr_image_destroy(image);
    const jr_link_input turned[] = {inputs[1], inputs[0]};
    works(jr_image_link(device->context, turned, 2, "call", NULL, &image));
    assert_int_equal(answer_of(device, image), ANSWER);
    jr_image_destroy(image);
}

TEST(ptx_links_with_ptx_and_with_programs) {
    const opened *device = *state;
    static const jr_program three = {.size = sizeof(jr_program),
                                     .name = "three.cu",
                                     .source = "extern \"C\" __device__ int next(int x) { return x + 3; }"};
    const jr_link_input texts[] = {PTX("set.ptx", set_ptx), PTX("next.ptx", next_ptx)},
                        mixed[] = {PTX("set.ptx", set_ptx), {.program = &three}};
    jr_image *image = NULL;
    works(jr_image_link(device->context, texts, 2, NULL, NULL, &image));
    assert_int_equal(answer_of(device, image), 42);
    jr_image_destroy(image);
    works(jr_image_link(device->context, mixed, 2, "set", NULL, &image));
    assert_int_equal(answer_of(device, image), 44);
    jr_image_destroy(image);
}

static int found, made;

static void count_log(void *user, jr_log_level level, const char *text) {
    (void)user;
    (void)level;
    if (strncmp(text, "found set, linked of 2 inputs", 29) == 0) found++;
    if (strncmp(text, "linked set of 2 inputs", 22) == 0) made++;
}

TEST(what_was_linked_is_found_by_the_content_of_its_inputs) {
    const opened *device = *state;
    char own[sizeof next_ptx], changed[sizeof next_ptx]; /* no other test links these */
    *strstr(memcpy(own, next_ptx, sizeof own), "1;") = '8';
    *strstr(memcpy(changed, next_ptx, sizeof changed), "1;") = '2';
    const jr_link_input first[] = {PTX("set.ptx", set_ptx), PTX("next.ptx", own)},
                        same[] = {PTX("a", set_ptx), PTX("b", own)},
                        other[] = {PTX("set.ptx", set_ptx), PTX("next.ptx", changed)};
    jr_image *images[3] = {NULL};
    found = made = 0;
    jr_log_set(count_log, NULL);
    works(jr_image_link(device->context, first, 2, "set", "compute_90", &images[0]));
    works(jr_image_link(device->context, same, 2, "set", "compute_90", &images[1]));
    works(jr_image_link(device->context, other, 2, "set", "compute_90", &images[2]));
    jr_log_set(NULL, NULL);
    assert_int_equal(found, 1);
    assert_int_equal(made, 2);
    size_t bytes[3];
    const void *stored[3];
    for (int i = 0; i < 3; i++) stored[i] = jr_image_data(images[i], &bytes[i]);
    assert_int_equal(bytes[0], bytes[1]);
    assert_memory_equal(stored[0], stored[1], bytes[0]);
    assert_non_null(strstr(jr_image_ptx(images[2]), ", 2;"));
    for (int i = 0; i < 3; i++) jr_image_destroy(images[i]);
}

TEST(programs_are_compiled_once_however_often_they_are_linked) {
    const opened *device = *state;
    static const jr_program own = {.size = sizeof(jr_program),
                                   .name = "own.cu",
                                   .source = "extern \"C\" __device__ int next(int x) { return x + 4; }"};
    const jr_link_input inputs[] = {PTX("set.ptx", set_ptx), {.program = &own}};
    jr_image *image = NULL;
    works(jr_image_link(device->context, inputs, 2, "set", NULL, &image));
    jr_image_destroy(image);
    const uint64_t before = compiles(device);
    works(jr_image_link(device->context, inputs, 2, NULL, NULL, &image));
    assert_int_equal(compiles(device), before);
    assert_int_equal(answer_of(device, image), 45);
    jr_image_destroy(image);
}

TEST(all_kernels_of_an_image_are_listed) {
    const opened *device = *state;
    static const jr_program program = {.size = sizeof(jr_program),
                                       .name = "list.cu",
                                       .source = "template <class T> __global__ void one(T *x) { *x = 1; }\n"
                                                 "extern \"C\" __global__ void two(int *x) { *x = 2; }",
                                       .entry = "one<float>"};
    jr_image *image = NULL;
    char names[64] = "";
    size_t bytes = 0;
    for (int of_machine = 0; of_machine < 2; of_machine++) {
        works(jr_image_compile(NULL, &program, of_machine ? "sm_90" : "compute_90", &image));
        works(jr_image_kernels(image, NULL, 0, &bytes));
        assert_in_range(bytes, 2, sizeof names);
        fails(jr_image_kernels(image, names, bytes - 1, &bytes), JR_ERROR_INVALID_ARGUMENT, "does not hold the names");
        works(jr_image_kernels(image, names, sizeof names, &bytes));
        assert_int_equal(bytes, strlen(names) + 1);
        assert_non_null(strstr(names, "two"));
        assert_non_null(strstr(names, "_Z3oneIfEvPT_"));
        jr_image_destroy(image);
    }
    (void)device;
}

/* ---- machine code ---- */

static bool skip_without_linker(const opened *device) {
    const jr_link_input inputs[] = {PTX("set.ptx", set_ptx), PTX("next.ptx", next_ptx)};
    jr_image *image = NULL;
    const jr_status status = jr_image_link(device->context, inputs, 2, "set", "sm_90", &image);
    jr_image_destroy(image);
    if (status != JR_ERROR_NOT_APPLICABLE) return false;
    print_message("skipped: %s\n", jr_last_error()->message);
    skip();
    return true;
}

TEST(programs_and_ptx_link_to_machine_code) {
    const opened *device = *state;
    if (skip_without_linker(device)) return;
    const jr_link_input inputs[] = {
        {.program = &caller}, {.program = &callee}, PTX("set.ptx", set_ptx), PTX("next.ptx", next_ptx)};
    jr_image *image = NULL;
    jr_text kernels = {0};
    size_t bytes = 0;
    works(jr_image_link(device->context, inputs, 4, "call; set", "sm_90", &image));
    const void *cubin = jr_image_cubin(image, &bytes);
    assert_true(jr_cubin_kernels(cubin, bytes, &kernels));
    assert_true(strcmp(jr_text_string(&kernels), "call; set") == 0 ||
                strcmp(jr_text_string(&kernels), "set; call") == 0);
    jr_text_free(&kernels);
    for (size_t cut = 0; cut < bytes; cut += 61) { /* a file that is cut short, in memory that ends there */
        void *part = malloc(cut > 0 ? cut : 1);
        memcpy(part, cubin, cut);
        (void)jr_cubin_kernels(part, cut, &kernels);
        free(part);
    }
    assert_false(jr_cubin_kernels(cubin, 60, &kernels));
    jr_text_free(&kernels);
    jr_image_destroy(image);
}

TEST(machine_code_for_another_architecture_and_that_is_linked_already_is_refused) {
    const opened *device = *state;
    if (skip_without_linker(device)) return;
    const jr_link_input text[] = {PTX("set.ptx", set_ptx), PTX("next.ptx", next_ptx)};
    jr_image *linked = NULL, *image = NULL;
    size_t bytes = 0;
    works(jr_image_link(device->context, text, 2, "set", "sm_90", &linked));
    const void *cubin = jr_image_cubin(linked, &bytes);
    const jr_link_input wrong[] = {{.name = "hopper.cubin", .data = cubin, .bytes = bytes}, PTX("next.ptx", next_ptx)};
    fails(jr_image_link(device->context, wrong, 2, NULL, "sm_80", &image), JR_ERROR_COMPILE,
          "hopper.cubin is machine code for sm_90, and sm_80 is linked");
    fails(jr_image_link(device->context, wrong, 2, NULL, "sm_90", &image), JR_ERROR_COMPILE,
          "hopper.cubin is machine code that was linked already");
    assert_null(image);
    jr_image_destroy(linked);
}

static void hear_driver(void *user, jr_log_level level, const char *text) {
    (void)level;
    *(bool *)user |= strstr(text, " by driver ") != NULL;
}

TEST(the_driver_links_where_nvjitlink_is_turned_off) {
    const opened *device = *state;
    const jr_link_input inputs[] = {{.program = &caller}, {.program = &callee}, PTX("next.ptx", next_ptx)}; /* new */
    jr_image *image = NULL;
    bool heard = false;
    if (device->info.simulated) {
        print_message("skipped: the simulator's driver has no linker (test_link_fail_nth.c has a stand-in)\n");
        skip();
    }
    const char *before = getenv("JITREDUCE_NVJITLINK"); /* may be empty for the whole program */
    assert_int_equal(setenv("JITREDUCE_NVJITLINK", "", 1), 0);
    jr_log_set(hear_driver, &heard);
    works(jr_image_link(device->context, inputs, 3, NULL, NULL, &image));
    jr_log_set(NULL, NULL);
    if (before == NULL) assert_int_equal(unsetenv("JITREDUCE_NVJITLINK"), 0);
    assert_true(heard);
    assert_int_equal(answer_of(device, image), ANSWER);
    jr_image_destroy(image);
}

/* ---- hostile callers ---- */

static void link_fails_as(const opened *device, const char *architecture, bool by_linker) {
    static const char newer[] = ".version 99.9\n.target sm_75\n.address_size 64\n.visible .entry k()\n{ ret; }\n";
    const jr_link_input alone[] = {PTX("set.ptx", set_ptx)},
                        twice[] = {PTX("set.ptx", set_ptx), PTX("one.ptx", next_ptx), PTX("two.ptx", next_ptx)},
                        newest[] = {PTX("set.ptx", set_ptx), PTX("next.ptx", next_ptx), PTX("newer.ptx", newer)};
    jr_image *image = NULL;
    fails(jr_image_link(device->context, alone, 1, NULL, architecture, &image), JR_ERROR_COMPILE, "set.ptx");
    assert_told("next");
    fails(jr_image_link(device->context, twice, 3, NULL, architecture, &image), JR_ERROR_COMPILE, "two.ptx");
    assert_told("next");
    if (by_linker)
        fails(jr_image_link(device->context, newest, 3, NULL, architecture, &image), JR_ERROR_COMPILE, "newer.ptx");
    assert_null(image);
}

TEST(faults_name_the_input_on_both_ways) {
    const opened *device = *state;
    link_fails_as(device, "compute_90", false);
    if (!skip_without_linker(device)) link_fails_as(device, "sm_90", true);
}

TEST(inputs_that_are_none_are_refused) {
    const opened *device = *state;
    jr_context *context = device->context;
    const jr_link_input good[] = {PTX("set.ptx", set_ptx), PTX("next.ptx", next_ptx)};
    const struct {
        jr_link_input input;
        jr_status status;
        const char *why;
    } bad[] = {
        {{.name = NULL}, JR_ERROR_INVALID_ARGUMENT, "input 1 is empty"},
        {{.name = "x", .data = "x"}, JR_ERROR_INVALID_ARGUMENT, "x is empty"},
        {PTX("a.cu", "__global__ void k() {}"), JR_ERROR_INVALID_ARGUMENT, "a.cu is no PTX"},
        {PTX("blank", " \n// nothing\n"), JR_ERROR_INVALID_ARGUMENT, "blank is no PTX"},
        {PTX("open.ptx", PTX_HEAD ".visible .entry k() { ret;"), JR_ERROR_INVALID_ARGUMENT,
         "open.ptx is PTX that is cut"},
        {PTX("narrow.ptx", ".version 7.8\n.target sm_75\n.address_size 32\n"), JR_ERROR_INVALID_ARGUMENT, "narrow.ptx"},
        {PTX("headless.ptx", ".version 7.8\n.visible .entry k() { ret; }"), JR_ERROR_INVALID_ARGUMENT, "headless.ptx"},
        {PTX("later.ptx", ".version 8.7\n.target sm_120\n.address_size 64\n.visible .entry k() { ret; }"),
         JR_ERROR_COMPILE, "later.ptx is PTX for sm_120"},
        {PTX("library.a", "!<arch>\n"), JR_ERROR_NOT_APPLICABLE, "library.a is a library, which links to machine code"},
        {PTX("next.ptx", next_ptx), JR_ERROR_INVALID_ARGUMENT, "has no kernel"}};
    jr_image *image = NULL;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        fails(jr_image_link(context, &bad[i].input, 1, NULL, "compute_90", &image), bad[i].status, bad[i].why);
    fails(jr_image_link(context, NULL, 0, NULL, NULL, &image), JR_ERROR_INVALID_ARGUMENT, "no inputs");
    fails(jr_image_link(context, NULL, 1, NULL, NULL, &image), JR_ERROR_INVALID_ARGUMENT, "inputs is NULL");
    fails(jr_image_link(context, good, 2, "sit", "compute_90", &image), JR_ERROR_INVALID_ARGUMENT,
          "no input has the kernel sit; their kernels: set");
    fails(jr_image_link(context, good, 2, "set; set", "compute_90", &image), JR_ERROR_INVALID_ARGUMENT, "twice");
    fails(jr_image_link(context, good, 2, "set", "hopper", &image), JR_ERROR_INVALID_ARGUMENT, "'hopper' is not known");
    assert_null(image);
}

RUN_TESTS(pack_begin, pack_end)
