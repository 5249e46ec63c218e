/* The caller's floating-point mode became code: NVRTC folds constants in it, and the result was stored for everyone.
 * Numbers that the library prints depended on it, too. */
#include <fenv.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "jitreduce.h"
#include "support/fixtures/open_context.h"
#include "support/fixtures/scratch.h"

/* What a caller may have set: a rounding mode, and on x86 that subnormals are zeros (FTZ and DAZ in MXCSR). */
typedef struct mode {
    int rounding;
    bool no_subnormals, traps;
} mode;

static const mode modes[] = {
    {FE_TONEAREST, true, false}, {FE_UPWARD, false, false}, {FE_TOWARDZERO, true, false}, {FE_DOWNWARD, false, true}};

static unsigned control_get(void) {
    unsigned control = 0;
    __asm__ volatile("stmxcsr %0" : "=m"(control));
    return control;
}

static void mode_set(const mode *wanted) {
    fesetenv(FE_DFL_ENV);
    fesetround(wanted->rounding);
    unsigned control = control_get() | (wanted->no_subnormals ? 0x8040u : 0);
    __asm__ volatile("ldmxcsr %0" : : "m"(control));
    if (wanted->traps) feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW | FE_UNDERFLOW | FE_INEXACT);
}

/* The PTX of constants that each mode folds differently. */
static char *ptx_of(void) {
    static const char source[] = "extern \"C\" __global__ void k(double *out, float *f) {\n"
                                 "    out[0] = sqrt(1e-320) + out[1];\n"
                                 "    out[1] = 0.1 + 0.2 + 1e-310;\n"
                                 "    out[2] = 1.0 / 3 * 1e-320 * (1.0 / 7);\n"
                                 "    f[0] = 1e-40f * 3.0f + 1.0f / 3.0f;\n"
                                 "}\n";
    const jr_program program = JR_INIT(jr_program, .name = "folded", .source = source, .entry = "k");
    const jr_options options = JR_INIT(jr_options, .cache_dir = "");
    jr_image *image = NULL;
    works(jr_image_compile(&options, &program, "compute_80", &image));
    char *ptx = strdup(jr_image_ptx(image));
    jr_image_destroy(image);
    return test_own(ptx);
}

TEST(what_is_compiled_does_not_depend_on_the_callers_mode) {
    char *wanted = ptx_of();
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        mode_set(&modes[i]);
        const unsigned before = control_get() & ~0x3fu; /* without the flags of what happened */
        char *ptx = ptx_of();
        const unsigned after = control_get() & ~0x3fu;
        fesetenv(FE_DFL_ENV);
        assert_string_equal(ptx, wanted);
        assert_int_equal(after, before);
    }
}

DEVICE_TEST(a_subnormal_constant_counts_in_every_mode) {
    static const double data[] = {0, 0, 0};
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F64, .map = "x + sqrt(1e-320)");
    jr_value value = {0};
    mode_set(&modes[0]);
    const jr_status status = jr_reduce_host(device->context, &spec, data, 3, &value);
    fesetenv(FE_DFL_ENV);
    works(status);
    assert_true(value.as.f64 > 2.9e-160 && value.as.f64 < 3.1e-160);
}

TEST(numbers_are_printed_alike_in_every_mode) {
    static const struct {
        jr_value value;
        const char *text;
    } rows[] = {{{JR_F64, {.f64 = 0.1}}, "0.1"},
                {{JR_F64, {.f64 = 1e23}}, "1e+23"},
                {{JR_F64, {.f64 = 5e-324}}, "5e-324"},
                {{JR_F32, {.f32 = 1e-45f}}, "1e-45"},
                {{JR_F32, {.f32 = 16777216.0f}}, "16777216"},
                {{JR_F64, {.f64 = -2.5}}, "-2.5"}};
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++)
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            char text[64];
            mode_set(&modes[m]);
            const jr_status status = jr_value_print(&rows[i].value, text, sizeof text);
            fesetenv(FE_DFL_ENV);
            works(status);
            assert_string_equal(text, rows[i].text);
        }
}

/* A locale that writes a comma for the point, made here, as machines seldom have one. */
TEST(no_locale_changes_numbers_or_programs) {
    char folder[SCRATCH_BYTES], text[64];
    scratch_make(folder);
    const char *const arguments[] = {"localedef", "-i", "de_DE", "-f", "UTF-8", scratch_path(folder, "de_DE.UTF-8"),
                                     NULL};
    const bool made = scratch_run(arguments, scratch_path(folder, "said"));
    setenv("LOCPATH", folder, 1);
    const bool set = made && setlocale(LC_ALL, "de_DE.UTF-8") != NULL;
    unsetenv("LOCPATH");
    if (!set) {
        scratch_remove(folder);
        skip_because("SKIP: no locale with a decimal comma can be made here\n");
    }
    snprintf(text, sizeof text, "%g", 2.5);
    assert_string_equal(text, "2,5"); /* the locale is at work */
    const jr_value value = {JR_F64, {.f64 = 1234567.25}};
    char *ptx = ptx_of();
    works(jr_value_print(&value, text, sizeof text));
    const jr_options options = JR_INIT(jr_options, .cache_dir = "", .device = "sim");
    const jr_parameter parameters[] = {{"c", {JR_F64, {.f64 = 0.5}}}};
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F64, .map = "x * 1.5 + c",
                                 .parameters = parameters, .parameter_count = 1);
    static const double data[] = {1, 2, 3};
    jr_context *context = NULL;
    jr_value sum = {0};
    works(jr_context_open(&options, &context));
    works(jr_reduce_host(context, &spec, data, 3, &sum));
    jr_context_close(context);
    setlocale(LC_ALL, "C");
    char *wanted = ptx_of();
    assert_string_equal(text, "1234567.25");
    assert_string_equal(ptx, wanted);
    assert_float_equal(sum.as.f64, 10.5, 0);
}

RUN_TESTS(open_context, close_context)
