/* Every simple form of the simulator stands in a list of forms; approximations are near the exact values. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/cases/machine_case.h"
#include "support/ptx/ptx_forms.h"

#include "base/text.h"
#include "sim/exec/memory/sim_memory.h"
#include "sim/ptx/handlers.h"

static void run_form(const form_row *row, size_t type, uint64_t results[FORM_ELEMENTS]) {
    form_case form;
    jrs_report report = {0};
    jrs_memory *memory = jrs_memory_create(UINT64_C(1) << 30);
    jrs_block_request request = {.kind = JRS_MEMORY_DEVICE, .bytes = FORM_ELEMENTS * 8};
    uint64_t parameters[1 + FORM_SOURCES], input[FORM_ELEMENTS];
    form_make(row, type, &form);
    for (unsigned k = 0; k <= FORM_SOURCES; k++)
        assert_int_equal(jrs_memory_allocate(memory, &request, &parameters[k]), 0);
    for (unsigned k = 0; k < FORM_SOURCES; k++) {
        form_input(row, type, k, input);
        memcpy((void *)(uintptr_t)parameters[1 + k], input, sizeof input);
    }
    jrs_module *module = jrs_module_parse(form.ptx, strlen(form.ptx), &report);
    if (!module) fail_msg("%s", report.message);
    jrs_module_link(module);
    jrs_launch launch = {.function = jrs_module_function(module, "form"),
                         .grid = {1, 1, 1},
                         .block = {FORM_ELEMENTS, 1, 1},
                         .parameters = parameters,
                         .memory = memory,
                         .resident_blocks = 1,
                         .threads = 1};
    if (!jrs_execute(&launch, &report)) fail_msg("%s: %s", form.opcode, report.message);
    memcpy(results, (void *)(uintptr_t)parameters[0], FORM_ELEMENTS * 8);
    jrs_module_destroy(module);
    jrs_memory_destroy(memory);
}

/* ---- every simple form has a row ---- */

/* Appends an instruction's opcode as the tables of forms name it: dots as underscores, with or without modifiers. */
static void append_name(const char *opcode, size_t length, bool with_modifiers, jr_text *out) {
    static const char *const modifiers[] = {".rn", ".rz", ".rm", ".rp", ".ftz", ".sat"};
    for (size_t i = 0; i < length;) {
        size_t part = 1 + strcspn(opcode + i + 1, ". "), k = 0;
        if (part > length - i) part = length - i;
        while (k < 6 && (strlen(modifiers[k]) != part || strncmp(opcode + i, modifiers[k], part) != 0)) k++;
        if (k == 6 || with_modifiers)
            jr_text_append(out, "%s%.*s", opcode[i] == '.' ? "_" : "", (int)part - (opcode[i] == '.'),
                           opcode + i + (opcode[i] == '.'));
        i += part;
    }
    jr_text_append(out, " ");
}

static void append_names(const char *ptx, jr_text *out) {
    for (const char *at = ptx; *at; at += strspn(at, " \n;")) {
        size_t length = strcspn(at, " \n;");
        append_name(at, length, true, out);
        append_name(at, length, false, out);
        at += length;
    }
}

TEST(every_simple_form_has_a_row_in_a_list) {
#define ROW(name) jrs_##name##_forms,
    const jrs_form *const tables[] = {JRS_FORM_TABLES(ROW) NULL};
#undef ROW
    jr_text names = {0};
    form_case form;
    char wanted[64];
    size_t missing = 0;
    for (size_t f = 0; f < form_family_count; f++) {
        for (size_t i = 0; i < *form_families[f].count; i++) {
            const form_row *row = &form_families[f].rows[i];
            for (size_t type = 0; type < form_type_count(row); type++) {
                form_make(row, type, &form);
                append_names(form.ptx, &names);
            }
        }
    }
    for (size_t t = 0; tables[t]; t++) {
        for (const jrs_form *one = tables[t]; one->name; one++) {
            snprintf(wanted, sizeof wanted, " %s ", one->name);
            bool of_three = strncmp(one->name, "min3", 4) == 0 || strncmp(one->name, "max3", 4) == 0; /* sm_100 only */
            if (of_three || strstr(jr_text_string(&names), wanted)) continue;
            print_error("%s has no row\n", one->name);
            missing++;
        }
    }
    jr_text_free(&names);
    assert_int_equal(missing, 0);
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

TEST(approximations_are_near_the_exact_value) {
    static const struct {
        form_row row;
        double (*exact)(double);
        double relative; /* the manual's bound and two units of the last place */
    } cases[] = {{FORM("ex2.approx.%s", "f32", "T T"), exp2, 0x1p-22 + 0x1p-22},
                 {FORM("lg2.approx.%s", "f32", "T T"), log2, 0x1p-22 + 0x1p-22},
                 {FORM("rsqrt.approx.%s", "f32", "T T"), rsqrt_exact, 0x1p-22 + 0x1p-22},
                 {FORM("rcp.approx.%s", "f32", "T T"), rcp_exact, 0x1p-23 + 0x1p-22},
                 {FORM("sqrt.approx.%s", "f32", "T T"), sqrt, 0x1p-23 + 0x1p-22},
                 {FORM("tanh.approx.%s", "f32", "T T"), tanh, 0x1p-11}};
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

RUN_TESTS(NULL, NULL)
