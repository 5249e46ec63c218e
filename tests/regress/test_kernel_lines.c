/* The simulator's reports name lines of a caller's source without an option: only `jitreduce run` asked NVRTC for them,
 * and a kernel of jr_kernel_get had lines of the PTX alone. */
#include <string.h>

#include "jitreduce.h"
#include "support/fixtures/check.h"

static const char faulty[] = "extern \"C\" __global__ void far_away(float *y) {\n"
                             "    if (threadIdx.x == 3)\n"
                             "        y[1 << 20] = 1;\n"
                             "}\n";

static int open_context(void **state) {
    const jr_options options = JR_INIT(jr_options, .device = "sim");
    jr_context *context = NULL;
    if (jr_context_open(&options, &context) != JR_OK) fail_msg("%s", jr_last_error()->message);
    *state = context;
    return 0;
}

static int close_context(void **state) {
    jr_context_close(*state);
    return 0;
}

static jr_program program_of(const char *source, const char *const *options, size_t count) {
    return JR_INIT(jr_program, .name = "far_away.cu", .source = source, .options = options, .option_count = count);
}

/* The report of a fault; the context is lost then. */
static const char *fault_of(jr_context *context, const jr_program *program) {
    jr_kernel *kernel = NULL;
    void *memory = NULL, *arguments[] = {&memory};
    const jr_launch launch = JR_INIT(jr_launch, .grid = {1, 1, 1}, .block = {32, 1, 1});
    if (jr_kernel_get(context, program, &kernel) != JR_OK) fail_msg("%s", jr_last_error()->message);
    assert_int_equal(jr_memory_new(context, 16, &memory), JR_OK);
    jr_status status = jr_kernel_launch(kernel, &launch, arguments);
    if (status == JR_OK) status = jr_stream_wait(context, NULL);
    assert_int_equal(status, JR_ERROR_DEVICE_FAULT);
    return jr_last_error()->message;
}

TEST_BETWEEN(a_fault_of_a_kernel_names_the_line_of_its_source, open_context, close_context) {
    const jr_program program = program_of(faulty, NULL, 0);
    assert_non_null(strstr(fault_of(*state, &program), "far_away.cu:3, PTX line"));
}

TEST_BETWEEN(lines_are_added_to_the_options_of_the_caller, open_context, close_context) {
    static const char *const options[] = {"--maxrregcount=32"};
    const jr_program program = program_of(faulty, options, 1);
    assert_non_null(strstr(fault_of(*state, &program), "far_away.cu:3, PTX line"));
}

TEST_BETWEEN(lines_that_the_caller_asks_for_are_asked_for_once, open_context, close_context) {
    static const char *const spellings[] = {"-lineinfo", "--generate-line-info", "-G"};
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        const jr_program program = program_of(faulty, &spellings[i], 1);
        jr_kernel *kernel = NULL;
        if (jr_kernel_get(*state, &program, &kernel) != JR_OK) fail_msg("%s", jr_last_error()->message);
    }
}

TEST_BETWEEN(options_that_are_missing_are_still_refused, open_context, close_context) {
    const jr_program program = program_of(faulty, NULL, 1);
    jr_kernel *kernel = NULL;
    assert_int_equal(jr_kernel_get(*state, &program, &kernel), JR_ERROR_INVALID_ARGUMENT);
}

static jr_image *image_for(jr_context *context) {
    const jr_program program = program_of(faulty, NULL, 0);
    jr_image *image = NULL;
    if (jr_image_compile_for(context, &program, &image) != JR_OK) fail_msg("%s", jr_last_error()->message);
    return image;
}

TEST_BETWEEN(an_image_for_the_simulator_has_lines, open_context, close_context) {
    jr_image *image = image_for(*state);
    assert_non_null(strstr(jr_image_ptx(image), ".loc"));
    jr_image_destroy(image);
}

TEST_BETWEEN(an_image_for_an_architecture_has_none, open_context, close_context) {
    const jr_program program = program_of(faulty, NULL, 0);
    jr_image *image = NULL;
    if (jr_image_compile(NULL, &program, "sm_90", &image) != JR_OK) fail_msg("%s", jr_last_error()->message);
    assert_null(strstr(jr_image_ptx(image), ".loc"));
    jr_image_destroy(image);
}

RUN_TESTS(NULL, NULL)
