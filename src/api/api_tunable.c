/* The public functions of tunable kernels (tunable.h). */
#include "jitreduce/tunable.h"

#include <math.h>

#include "base/error.h"
#include "expression/formula.h"
#include "guard.h"
#include "kernel/context.h"
#include "size.h"
#include "tune/stored.h"
#include "tune/tune_settings.h"

/* A caller's tunable, and its program, as this version knows them. */
typedef struct own_tunable {
    jr_tunable tunable;
    jr_program program;
} own_tunable;

jr_status jr_formula_compute(const char *text, const jr_named_text *names, size_t name_count, int64_t *value) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(text, value));
    if (name_count > 0) JR_TRY(JR_GIVEN(names));
    for (size_t i = 0; i < name_count; i++)
        if (names[i].name == NULL || names[i].text == NULL)
            return jr_fail(JR_ERROR_INVALID_ARGUMENT, "names[%zu].%s is NULL", i,
                           names[i].name == NULL ? "name" : "text");
    return jr_formula_of(text, names, name_count, value);
}

static jr_status read_tunable(const jr_tunable *given, own_tunable *own) {
    if (given == NULL) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "tunable is NULL");
    jr_status status = jr_size_read(&jr_tunable_sized, given, &own->tunable);
    if (status != JR_OK || own->tunable.program == NULL) return status;
    status = jr_size_read(&jr_program_sized, own->tunable.program, &own->program);
    own->tunable.program = &own->program;
    for (size_t i = 0; status == JR_OK && own->program.constants != NULL && i < own->program.constant_count; i++)
        if (own->program.constants[i].name == NULL || own->program.constants[i].text == NULL)
            status = jr_fail(JR_ERROR_INVALID_ARGUMENT, "constant %zu, or its text, is NULL", i);
    if (status == JR_OK && own->program.constants == NULL && own->program.constant_count > 0)
        status = jr_fail(JR_ERROR_INVALID_ARGUMENT, "program.constants is NULL");
    return status;
}

static jr_status open_space(jr_context *context, const own_tunable *own, const int64_t *sizes, jr_space *space) {
    return jr_space_open(&own->tunable, sizes, &context->device.info, space);
}

/* ---- tuning ---- */

static jr_status check_output(const jr_tunable_output *output, size_t index) {
    const uint64_t step = output->type == JR_F32 ? sizeof(float) : output->type == JR_F64 ? sizeof(double) : 1;
    if (output->address == NULL && output->bytes > 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "output %zu is NULL", index);
    if (output->type != JR_TYPE_NONE && output->type != JR_F32 && output->type != JR_F64)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "output %zu: type %d may not differ: f32 and f64 may, 0 is for all others", index,
                       (int)output->type);
    if (!(output->absolute >= 0) || !(output->relative >= 0))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "output %zu: tolerances %g and %g must be 0 or more", index,
                       output->absolute, output->relative);
    if (output->type == JR_TYPE_NONE && (output->absolute > 0 || output->relative > 0))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "output %zu: tolerances need a type, f32 or f64", index);
    if (output->bytes % step != 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "output %zu: %llu bytes are not a whole number of elements", index,
                       (unsigned long long)output->bytes);
    return JR_OK;
}

static jr_status check_problem(const jr_tunable_problem *problem) {
    jr_status status = JR_OK;
    if (problem->outputs == NULL && problem->output_count > 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "problem.outputs is NULL");
    for (size_t i = 0; status == JR_OK && i < problem->output_count; i++)
        status = check_output(&problem->outputs[i], i);
    return status;
}

static jr_status check_options(const jr_tunable_options *options) {
    if (!isfinite(options->limit_ms) || options->limit_ms < 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "limit_ms %g is not allowed: 0 or a positive number",
                       options->limit_ms);
    if (options->excluded == NULL && options->excluded_count > 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "options.excluded is NULL");
    if (options->settings_most > JR_TUNABLE_SETTINGS_MOST)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "settings_most %llu: %d at most",
                       (unsigned long long)options->settings_most, JR_TUNABLE_SETTINGS_MOST);
    return JR_OK;
}

jr_status jr_tunable_tune(jr_context *context, const jr_tunable *tunable, const jr_tunable_problem *problem,
                          const jr_tunable_options *options, jr_tunable_found *found) {
    JR_GUARD_CALL;
    own_tunable own;
    jr_tunable_problem own_problem;
    jr_tunable_options own_options = {0};
    jr_tunable_found made;
    jr_space space;
    JR_TRY(JR_GIVEN(context, problem, found));
    JR_TRY(read_tunable(tunable, &own));
    JR_TRY(jr_size_read(&jr_tunable_problem_sized, problem, &own_problem));
    if (options != NULL) JR_TRY(jr_size_read(&jr_tunable_options_sized, options, &own_options));
    JR_TRY(jr_size_check(&jr_tunable_found_sized, found));
    JR_TRY(check_problem(&own_problem));
    JR_TRY(check_options(&own_options));
    JR_TRY(open_space(context, &own, own_problem.sizes, &space));
    const jr_status status = jr_settings_search(context, &space, &own_problem, &own_options, &made);
    jr_space_close(&space);
    if (status == JR_OK) jr_size_write(&jr_tunable_found_sized, &made, found);
    return status;
}

/* ---- storing ---- */

jr_status jr_tunable_store(jr_context *context, const jr_tunable *tunable, const int64_t *sizes,
                           const jr_tunable_found *found) {
    JR_GUARD_CALL;
    own_tunable own;
    jr_tunable_found own_found;
    jr_space space;
    JR_TRY(JR_GIVEN(context, found));
    JR_TRY(read_tunable(tunable, &own));
    JR_TRY(jr_size_read(&jr_tunable_found_sized, found, &own_found));
    JR_TRY(open_space(context, &own, sizes, &space));
    const jr_status status = jr_stored_add(context, &space, sizes, &own_found);
    jr_space_close(&space);
    return status;
}

/* ---- choosing ---- */

jr_status jr_tunable_get(jr_context *context, const jr_tunable *tunable, const int64_t *sizes,
                         jr_tunable_choice *choice) {
    JR_GUARD_CALL;
    own_tunable own;
    jr_tunable_choice made = {.size = sizeof made};
    jr_space space;
    JR_TRY(JR_GIVEN(context, choice));
    JR_TRY(jr_size_check(&jr_tunable_choice_sized, choice));
    JR_TRY(read_tunable(tunable, &own));
    JR_TRY(open_space(context, &own, sizes, &space));
    const jr_status status = jr_stored_choose(context, &space, sizes, &made);
    jr_space_close(&space);
    if (status == JR_OK) jr_size_write(&jr_tunable_choice_sized, &made, choice);
    return status;
}
