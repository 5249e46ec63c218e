/* The time of a compile had no bound: 2000 comparisons took minutes. Then the bound was one of the clock, and what
 * compiles in seconds failed where other processes were busy. */
#include <float.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/text.h"
#include "image/attempt.h"
#include "jitreduce.h"
#include "support/fixtures/open_context.h"

/* A kernel that NVRTC takes minutes for. */
static char *slow_source(void) {
    jr_text text = {0};
    jr_text_append(&text, "extern \"C\" __global__ void k(double *p) {\n    double x = p[0];\n    p[1] = 0");
    for (int i = 1; i <= 400; i++) jr_text_append(&text, " + lgamma(x * %d)", i);
    jr_text_append(&text, ";\n}\n");
    return jr_text_take(&text);
}

static bool ends_compiles(void) {
    const jr_options options = JR_INIT(jr_options, .cache_dir = "");
    const jr_program program = JR_INIT(jr_program, .name = "v",
                                       .source = "#if __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ < 1208\n"
                                                 "#error old\n#endif\nextern \"C\" __global__ void k() {}\n",
                                       .entry = "k");
    jr_image *image = NULL;
    const bool new = jr_image_compile(&options, &program, "compute_80", &image) == JR_OK;
    jr_image_destroy(image);
    return new;
}

static double process_ms(void) {
    struct timespec now = {0};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

TEST(a_compile_ends_at_its_limit_and_the_next_call_works) {
    static const float data[] = {3, 1, 2};
    const jr_options options = JR_INIT(jr_options, .device = "sim", .cache_dir = "", .compile_limit_ms = 500);
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32);
    char *source = slow_source();
    const jr_program program = JR_INIT(jr_program, .name = "slow", .source = source, .entry = "k");
    jr_context *context = NULL;
    jr_image *image = NULL;
    jr_value value = {0};
    if (!ends_compiles()) skip_because("SKIP: this NVRTC has no flow callback: its compiles cannot be ended\n");
    const double begin = process_ms();
    fails(jr_image_compile(&options, &program, "compute_90", &image), JR_ERROR_COMPILE,
          "was not compiled within 500 ms of CPU time");
    assert_true(process_ms() - begin < 20000);
    assert_non_null(strstr(jr_last_error()->message, "compile_limit_ms"));
    assert_null(image);
    const jr_options usual = JR_INIT(jr_options, .device = "sim", .cache_dir = "");
    works(jr_context_open(&usual, &context));
    works(jr_reduce_host(context, &spec, data, 3, &value));
    assert_float_equal(value.as.f32, 6, 0);
    jr_context_close(context);
    free(source);
}

/* ---- an NVRTC that compiles nothing, and takes as long as a test wants ---- */

typedef struct fake_program {
    double sleep_ms, work_ms; /* without CPU time, and with it */
    int (*ask)(void *user, void *reserved);
    void *user;
} fake_program;

static const char *fake_error(jr_nvrtc_result result) {
    return result == JR_NVRTC_SUCCESS ? "success" : "cancelled";
}

/* The source is the program itself. */
static jr_nvrtc_result fake_create(jr_nvrtc_program *program, const char *source, const char *name, int header_count,
                                   const char *const *headers, const char *const *header_names) {
    (void)name, (void)header_count, (void)headers, (void)header_names;
    fake_program *made = calloc(1, sizeof *made);
    char *behind;
    made->sleep_ms = strtod(source, &behind);
    made->work_ms = strtod(behind, NULL);
    *program = (jr_nvrtc_program)made;
    return JR_NVRTC_SUCCESS;
}

static jr_nvrtc_result fake_destroy(jr_nvrtc_program *program) {
    free(*program);
    return JR_NVRTC_SUCCESS;
}

static jr_nvrtc_result fake_watch(jr_nvrtc_program program, int (*ask)(void *user, void *reserved), void *user) {
    fake_program *fake = (fake_program *)program;
    fake->ask = ask;
    fake->user = user;
    return JR_NVRTC_SUCCESS;
}

static jr_nvrtc_result fake_compile(jr_nvrtc_program program, int count, const char *const *options) {
    (void)count, (void)options;
    fake_program *fake = (fake_program *)program;
    const struct timespec pause = {.tv_sec = (time_t)(fake->sleep_ms / 1e3),
                                   .tv_nsec = (long)(fake->sleep_ms * 1e6) % 1000000000};
    nanosleep(&pause, NULL);
    const double begin = process_ms(); /* no other thread works */
    do
        if (fake->ask(fake->user, NULL) != 0) return JR_NVRTC_ERROR_COMPILATION;
    while (process_ms() - begin < fake->work_ms);
    return JR_NVRTC_SUCCESS;
}

static jr_nvrtc_result fake_size(jr_nvrtc_program program, size_t *bytes) {
    (void)program;
    *bytes = 0;
    return JR_NVRTC_SUCCESS;
}

static jr_nvrtc_result fake_text(jr_nvrtc_program program, char *text) {
    (void)program;
    text[0] = '\0';
    return JR_NVRTC_SUCCESS;
}

static jr_nvrtc_result fake_name_expression(jr_nvrtc_program program, const char *expression) {
    (void)program, (void)expression;
    return JR_NVRTC_SUCCESS;
}

static jr_nvrtc_result fake_name(jr_nvrtc_program program, const char *expression, const char **lowered) {
    (void)program;
    *lowered = expression;
    return JR_NVRTC_SUCCESS;
}

static const jr_nvrtc fake = {.about = {.major = 13},
                              .nvrtcGetErrorString = fake_error,
                              .nvrtcCreateProgram = fake_create,
                              .nvrtcDestroyProgram = fake_destroy,
                              .nvrtcCompileProgram = fake_compile,
                              .nvrtcSetFlowCallback = fake_watch,
                              .nvrtcGetProgramLogSize = fake_size,
                              .nvrtcGetProgramLog = fake_text,
                              .nvrtcGetPTXSize = fake_size,
                              .nvrtcGetPTX = fake_text,
                              .nvrtcAddNameExpression = fake_name_expression,
                              .nvrtcGetLoweredName = fake_name};

/* Is a compile ended that sleeps and works for so long? */
static bool is_ended(const char *sleep_and_work_ms, double limit_ms, double deadline_ms) {
    const jr_program program = JR_INIT(jr_program, .name = "p", .source = sleep_and_work_ms, .entry = "k");
    char *source = strdup(sleep_and_work_ms);
    const jr_program_text text = {.program = &program, .text = source};
    jr_attempt attempt = {
        .nvrtc = &fake, .text = &text, .architecture = "compute_90", .limit_ms = limit_ms, .deadline_ms = deadline_ms};
    jr_attempt_run(&attempt);
    assert_true(attempt.late == (attempt.entry == NULL));
    const bool late = attempt.late;
    jr_attempt_clean(&attempt);
    free(source);
    return late;
}

TEST(a_limit_is_of_the_compiling_threads_cpu_time) {
    assert_false(is_ended("400 1", 200, DBL_MAX)); /* as on a busy machine */
    assert_true(is_ended("0 1e9", 200, DBL_MAX));
    assert_false(is_ended("0 20", DBL_MAX, DBL_MAX));
}

TEST(a_compile_that_hangs_is_ended_by_the_clock) {
    assert_true(is_ended("0 1e9", DBL_MAX, jr_clock_ms() + 50));
}

TEST(a_limit_that_is_none_is_refused) {
    const double wrong[] = {-1, -0.001, strtod("nan", NULL), -strtod("inf", NULL)};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const jr_options options = JR_INIT(jr_options, .device = "sim", .cache_dir = "", .compile_limit_ms = wrong[i]);
        const jr_program program =
            JR_INIT(jr_program, .name = "p", .source = "extern \"C\" __global__ void k() {}", .entry = "k");
        jr_context *context = NULL;
        jr_image *image = NULL;
        fails(jr_context_open(&options, &context), JR_ERROR_INVALID_ARGUMENT, "compile_limit_ms");
        fails(jr_image_compile(&options, &program, "compute_80", &image), JR_ERROR_INVALID_ARGUMENT,
              "compile_limit_ms");
        assert_null(context);
        assert_null(image);
    }
}

RUN_TESTS(NULL, NULL)
