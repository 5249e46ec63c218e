/* Debug information: the sources of kernels as files, and what debuggers and profilers find of a kernel. */
/* cache: own */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "jitreduce.h"
#include "support/fixtures/check.h"

static const char header[] = "__device__ float twice(float a) {\n    return a * 2;\n}\n";
static const char source[] = "#include \"inc/twice.h\"\n"
                             "extern \"C\" __global__ void double_all(float *x) {\n"
                             "    x[threadIdx.x] = twice(x[threadIdx.x]);\n"
                             "}\n";
static const jr_named_text headers[] = {{"inc/twice.h", header}};

static jr_context *open_in(const char *cache) {
    const jr_options options = JR_INIT(jr_options, .cache_dir = cache);
    jr_context *context = NULL;
    if (jr_context_open(&options, &context) != JR_OK) fail_msg("%s", jr_last_error()->message);
    return context;
}

static int open_context(void **state) {
    *state = open_in(NULL);
    return 0;
}

static int close_context(void **state) {
    unsetenv("JITREDUCE_DEBUG");
    jr_context_close(*state);
    return 0;
}

static jr_program program_of(const char *text, jr_debug debug) {
    return JR_INIT(jr_program, .name = "double_all.cu", .source = text, .headers = headers, .header_count = 1,
                   .debug = debug);
}

/* The one file of the cache's folder of sources that has this name. */
static void find_file(const char *name, char path[4096]) {
    char pattern[4096];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/sources/*/%s", getenv("JITREDUCE_CACHE_DIR"), name);
    if (glob(pattern, 0, NULL, &found) != 0) fail_msg("there is no file %s", pattern);
    assert_int_equal(found.gl_pathc, 1);
    assert_non_null(realpath(found.gl_pathv[0], path)); /* as the library names it */
    globfree(&found);
}

static void assert_file_holds(const char *path, const char *expected) {
    char bytes[4096];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    bytes[fread(bytes, 1, sizeof bytes - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(bytes, expected);
}

static jr_image *image_of(jr_context *context, const jr_program *program) {
    jr_image *image = NULL;
    if (jr_image_compile_for(context, program, &image) != JR_OK) fail_msg("%s", jr_last_error()->message);
    return image;
}

TEST_BETWEEN(sources_lie_as_files_whose_names_the_kernel_holds, open_context, close_context) {
    for (int debug = JR_DEBUG_LINES; debug <= JR_DEBUG_FULL; debug++) {
        char own[4096], included[4096];
        const jr_program program = program_of(source, (jr_debug)debug);
        jr_image *image = image_of(*state, &program);
        find_file("double_all.cu", own);
        find_file("inc/twice.h", included);
        assert_file_holds(own, source);
        assert_file_holds(included, header);
        assert_non_null(strstr(jr_image_ptx(image), own));
        assert_non_null(strstr(jr_image_ptx(image), included));
        jr_image_destroy(image);
    }
}

TEST_BETWEEN(full_information_leaves_optimisation_out_and_computes_the_same, open_context, close_context) {
    float values[32];
    void *memory = NULL, *arguments[] = {&memory};
    const jr_program program = program_of(source, JR_DEBUG_FULL);
    const jr_launch launch = JR_INIT(jr_launch, .grid = {1, 1, 1}, .block = {32, 1, 1});
    jr_kernel *kernel = NULL;
    if (jr_kernel_get(*state, &program, &kernel) != JR_OK) fail_msg("%s", jr_last_error()->message);
    for (int i = 0; i < 32; i++) values[i] = (float)i;
    assert_int_equal(jr_memory_new(*state, sizeof values, &memory), JR_OK);
    assert_int_equal(jr_memory_write(*state, memory, values, sizeof values), JR_OK);
    if (jr_kernel_launch(kernel, &launch, arguments) != JR_OK) fail_msg("%s", jr_last_error()->message);
    assert_int_equal(jr_memory_read(*state, values, memory, sizeof values), JR_OK);
    for (int i = 0; i < 32; i++) assert_true(values[i] == 2 * (float)i);
    jr_memory_free(*state, memory);
    jr_image *image = image_of(*state, &program);
    assert_non_null(strstr(jr_image_ptx(image), ".target sm_"));
    assert_non_null(strstr(jr_image_ptx(image), "debug"));
    jr_image_destroy(image);
}

TEST_BETWEEN(a_name_that_leaves_the_folder_is_no_file, open_context, close_context) {
    const jr_named_text outside[] = {{"../../outside.h", "#define N 3\n"}};
    const jr_program program =
        JR_INIT(jr_program, .name = "inside.cu", .headers = outside, .header_count = 1, .debug = JR_DEBUG_LINES,
                .source = "#include \"../../outside.h\"\nextern \"C\" __global__ void k(int *x) { *x = N; }\n");
    char path[4096];
    jr_image_destroy(image_of(*state, &program));
    find_file("inside.cu", path);
    snprintf(path, sizeof path, "%s/outside.h", getenv("JITREDUCE_CACHE_DIR"));
    assert_int_not_equal(access(path, F_OK), 0);
}

TEST_BETWEEN(a_line_directive_of_the_source_counts, open_context, close_context) {
    const jr_program program =
        program_of("#line 7 \"generated.py\"\nextern \"C\" __global__ void k(int *x) { *x = 1; }\n", JR_DEBUG_LINES);
    jr_image *image = image_of(*state, &program);
    assert_non_null(strstr(jr_image_ptx(image), "generated.py"));
    jr_image_destroy(image);
}

TEST_BETWEEN(an_option_of_the_caller_comes_first, open_context, close_context) {
    static const char *const options[] = {"-lineinfo"};
    jr_program program = program_of(source, JR_DEBUG_FULL);
    program.options = options;
    program.option_count = 1;
    jr_image *image = image_of(*state, &program);
    assert_null(strstr(jr_image_ptx(image), ", debug"));
    jr_image_destroy(image);
}

TEST_BETWEEN(a_fault_of_the_text_names_its_line, open_context, close_context) {
    const jr_program program = program_of("extern \"C\" __global__ void k(int *x) {\n    *x = y;\n}\n", JR_DEBUG_LINES);
    jr_image *image = NULL;
    assert_int_equal(jr_image_compile_for(*state, &program, &image), JR_ERROR_COMPILE);
    assert_non_null(strstr(jr_last_error()->message, "double_all.cu"));
    assert_non_null(strstr(jr_last_error()->log, "double_all.cu(2): error"));
}

TEST_BETWEEN(the_setting_asks_for_all_kernels_and_gives_reductions_readable_names, open_context, close_context) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .unroll = 4, .block = 256);
    const jr_work work = JR_INIT(jr_work, .spec = &spec);
    static const float values[] = {1, 2, 3.5F};
    jr_plan *plan = NULL;
    jr_kernel *kernel = NULL;
    jr_value sum;
    char path[4096];
    setenv("JITREDUCE_DEBUG", "lines", 1);
    if (jr_work_plan_create(*state, &work, &plan) != JR_OK) fail_msg("%s", jr_last_error()->message);
    assert_int_equal(jr_plan_kernel(plan, 0, &kernel), JR_OK);
    assert_string_equal(jr_kernel_name(kernel), "jr_reduce_single_pass_sum_f32_uf4_b256");
    jr_plan_destroy(plan);
    if (jr_reduce_host(*state, &spec, values, 3, &sum) != JR_OK) fail_msg("%s", jr_last_error()->message);
    assert_true(sum.as.f32 == 6.5F);
    find_file("single_pass.cu", path);
}

TEST_BETWEEN(a_setting_that_is_not_known_is_refused_by_name, open_context, close_context) {
    const jr_program program = program_of(source, JR_DEBUG_NONE);
    jr_image *image = NULL;
    setenv("JITREDUCE_DEBUG", "yes", 1);
    assert_int_equal(jr_image_compile_for(*state, &program, &image), JR_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(jr_last_error()->message, "JITREDUCE_DEBUG=yes"));
    setenv("JITREDUCE_DEBUG", "", 1);
    jr_image_destroy(image_of(*state, &program));
}

TEST_BETWEEN(a_value_that_is_not_known_is_refused_by_name, open_context, close_context) {
    const jr_program program = program_of(source, (jr_debug)3);
    jr_image *image = NULL;
    assert_int_equal(jr_image_compile_for(*state, &program, &image), JR_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(jr_last_error()->message, "debug 3 of program double_all.cu"));
}

TEST(without_a_cache_there_is_information_without_files) {
    jr_context *context = open_in("");
    const jr_program program = program_of(source, JR_DEBUG_LINES);
    jr_image *image = image_of(context, &program);
    assert_non_null(strstr(jr_image_ptx(image), ".loc"));
    jr_image_destroy(image);
    jr_context_close(context);
}

RUN_TESTS(NULL, NULL)
