/* The time of a compile had no bound: 2000 comparisons took minutes. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "jitreduce.h"
#include "support/open_context.h"

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

static void a_compile_ends_at_its_limit_and_the_next_call_works(void **state) {
    (void)state;
    static const float data[] = {3, 1, 2};
    const jr_options options = JR_INIT(jr_options, .device = "sim", .cache_dir = "", .compile_limit_ms = 500);
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32);
    char *source = slow_source();
    const jr_program program = JR_INIT(jr_program, .name = "slow", .source = source, .entry = "k");
    jr_context *context = NULL;
    jr_image *image = NULL;
    jr_value value = {0};
    if (!ends_compiles()) {
        print_message("SKIP: this NVRTC has no flow callback: its compiles cannot be ended\n");
        skip();
    }
    const double begin = jr_clock_ms();
    fails(jr_image_compile(&options, &program, "compute_90", &image), JR_ERROR_COMPILE,
          "was not compiled within 500 ms");
    assert_true(jr_clock_ms() - begin < 20000);
    assert_non_null(strstr(jr_last_error()->message, "compile_limit_ms"));
    assert_null(image);
    const jr_options usual = JR_INIT(jr_options, .device = "sim", .cache_dir = "");
    works(jr_context_open(&usual, &context));
    works(jr_reduce_host(context, &spec, data, 3, &value));
    assert_float_equal(value.as.f32, 6, 0);
    jr_context_close(context);
    free(source);
}

static void a_limit_that_is_none_is_refused(void **state) {
    (void)state;
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_compile_ends_at_its_limit_and_the_next_call_works),
        cmocka_unit_test(a_limit_that_is_none_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
