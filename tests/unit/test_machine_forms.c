/* Every arithmetic form gives the bits that an H200 gave; approximations stay within their bounds. */
#include <math.h>
#include <string.h>

#include "support/machine_case.h"
#include "support/ptx_forms.h"

#include "sim/memory.h"

static void run_form(const form_row *row, size_t type, uint64_t results[FORM_ELEMENTS]) {
    form_case form;
    jrs_report report = {0};
    jrs_memory *memory = jrs_memory_create(UINT64_C(1) << 30);
    jrs_block_request request = {.kind = JRS_MEMORY_DEVICE, .bytes = FORM_ELEMENTS * FORM_WIDTH};
    uint64_t parameters[1 + FORM_SOURCES], input[FORM_ELEMENTS];
    form_make(row, type, &form);
    for (unsigned k = 0; k <= FORM_SOURCES; k++)
        assert_int_equal(jrs_memory_allocate(memory, &request, &parameters[k]), 0);
    for (unsigned k = 0; k < FORM_SOURCES; k++) {
        form_input(row, type, k, input);
        memcpy((void *)(uintptr_t)parameters[1 + k], input, sizeof input); /* NOLINT(performance-no-int-to-ptr) */
    }
    jrs_module *module = jrs_module_parse(form.ptx, strlen(form.ptx), &report);
    if (!module) fail_msg("%s", report.message);
    assert_true(jrs_module_link(module, &report));
    jrs_launch launch = {.function = jrs_module_function(module, "form"),
                         .grid = {1, 1, 1},
                         .block = {FORM_ELEMENTS, 1, 1},
                         .parameters = parameters,
                         .memory = memory,
                         .resident_blocks = 1,
                         .threads = 1};
    if (!jrs_execute(&launch, &report)) fail_msg("%s: %s", form.opcode, report.message);
    memcpy(results, (void *)(uintptr_t)parameters[0],
           FORM_ELEMENTS * FORM_WIDTH); /* NOLINT(performance-no-int-to-ptr) */
    jrs_module_destroy(module);
    jrs_memory_destroy(memory);
}

static void every_form_gives_the_bits_that_a_gpu_gave(void **state) {
    (void)state;
    uint64_t results[FORM_ELEMENTS];
    size_t wrong = 0;
    for (size_t r = 0; r < form_row_count; r++) {
        uint64_t digest = FORM_DIGEST;
        for (size_t type = 0; type < form_type_count(&form_rows[r]); type++) {
            run_form(&form_rows[r], type, results);
            digest = form_digest(digest, results);
        }
        if (digest == form_rows[r].digest) continue;
        wrong++;
        print_error("%s of %s differs\n", form_rows[r].opcode, form_rows[r].types);
    }
    assert_int_equal(wrong, 0);
    assert_true(form_row_count > 250);
}

/* ---- approximations: the largest error, in units of the result's last place, of f32 ---- */

static double float_of(uint64_t bits) {
    uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return (double)value;
}

static double rsqrt_exact(double x) {
    return 1.0 / sqrt(x);
}

static double rcp_exact(double x) {
    return 1.0 / x;
}

static void approximations_are_near_the_exact_value(void **state) {
    static const struct {
        form_row row;
        double (*exact)(double);
        double relative; /* the manual's bound and two units of the last place */
    } cases[] = {{{"ex2.approx.%s", "f32", "T T", "", 0}, exp2, 0x1p-22 + 0x1p-22},
                 {{"lg2.approx.%s", "f32", "T T", "", 0}, log2, 0x1p-22 + 0x1p-22},
                 {{"rsqrt.approx.%s", "f32", "T T", "", 0}, rsqrt_exact, 0x1p-22 + 0x1p-22},
                 {{"rcp.approx.%s", "f32", "T T", "", 0}, rcp_exact, 0x1p-23 + 0x1p-22},
                 {{"sqrt.approx.%s", "f32", "T T", "", 0}, sqrt, 0x1p-23 + 0x1p-22},
                 {{"tanh.approx.%s", "f32", "T T", "", 0}, tanh, 0x1p-11}};
    (void)state;
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        uint64_t input[FORM_ELEMENTS], results[FORM_ELEMENTS];
        unsigned checked = 0;
        run_form(&cases[c].row, 0, results);
        form_input(&cases[c].row, 0, 0, input);
        for (size_t i = 0; i < FORM_ELEMENTS; i++) {
            double exact = cases[c].exact(float_of(input[i])), got = float_of(results[i]);
            if (!isfinite(exact) || fabs(exact) < 0x1p-126 || fabs(exact) > 0x1.fffffep127) continue;
            if (fabs(got - exact) > cases[c].relative * fabs(exact))
                fail_msg("%s of %a gave %a, not %a", cases[c].row.opcode, float_of(input[i]), got, exact);
            checked++;
        }
        assert_true(checked > 100);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_gives_the_bits_that_a_gpu_gave),
        cmocka_unit_test(approximations_are_near_the_exact_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
