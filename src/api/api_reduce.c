/* The public host reductions (reduce.h). */
#include "jitreduce/reduce.h"

#include "base/error.h"
#include "guard.h"
#include "host/host.h"
#include "size.h"
#include "spec/foresight.h"
#include "wisdom/advice.h"

static jr_status create(const jr_spec *spec, jr_reduction **reduction) {
    jr_size_spec own;
    JR_TRY(JR_GIVEN(spec));
    JR_TRY(jr_size_spec_read(spec, &own));
    return jr_reduction_create(&own.spec, reduction);
}

jr_status jr_reduce_check(const jr_spec *spec, jr_type *types) {
    JR_GUARD_CALL;
    jr_reduction *reduction = NULL;
    const jr_status status = create(spec, &reduction);
    for (int i = 0; status == JR_OK && types != NULL && i < reduction->output_count; i++)
        types[i] = reduction->outputs[i].type;
    jr_reduction_destroy(reduction);
    return status;
}

static jr_result_layout layout_of(const jr_reduction *reduction) {
    jr_result_layout layout = {.count = reduction->output_count,
                               .bytes = reduction->output_bytes,
                               .alignment = reduction->output_alignment,
                               .state_bytes = reduction->accumulator_bytes};
    for (int i = 0; i < layout.count; i++) {
        layout.types[i] = reduction->outputs[i].type;
        layout.offsets[i] = reduction->outputs[i].offset;
    }
    return layout;
}

jr_status jr_result_layout_of(const jr_spec *spec, jr_result_layout *layout) {
    jr_reduction *reduction = NULL;
    JR_TRY(JR_GIVEN(layout));
    JR_TRY(jr_size_check(&jr_result_layout_sized, layout));
    JR_TRY(create(spec, &reduction));
    const jr_result_layout found = layout_of(reduction);
    jr_reduction_destroy(reduction);
    jr_size_write(&jr_result_layout_sized, &found, layout);
    return JR_OK;
}

jr_status jr_reduce_foresee(const jr_spec *spec, const jr_value *ranges, uint64_t count, unsigned *flags, char *note,
                            size_t note_bytes) {
    JR_GUARD_CALL;
    jr_reduction *reduction = NULL;
    JR_TRY(JR_GIVEN(flags));
    JR_TRY(create(spec, &reduction));
    *flags = jr_foresee(reduction, spec, ranges, count, note_bytes > 0 ? note : NULL, note_bytes);
    jr_reduction_destroy(reduction);
    return JR_OK;
}

/* One array and one value, of a spec that is otherwise as it should be. */
static jr_status check_one(const jr_spec *spec, const void *data, uint64_t count) {
    const int inputs = spec->op == JR_OP_DOT && spec->input_count == 0 ? 2 : spec->input_count;
    if (inputs > 1 && inputs <= JR_INPUTS_MAX)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "the spec has %d inputs: jr_reduce_host takes one array; use jr_work_run_host", inputs);
    if (spec->ops != NULL && spec->op_count > 1)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "the spec has a list of %d operators: jr_reduce_host gives one value; use jr_work_run_host",
                       spec->op_count);
    if (spec->kept == 1)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "spec.kept asks for a second value: jr_reduce_host gives one; use jr_work_run_host");
    if (data == NULL && count > 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "data is NULL, but the count is %llu", (unsigned long long)count);
    return JR_OK;
}

jr_status jr_reduce_host(jr_context *context, const jr_spec *spec, const void *data, uint64_t count, jr_value *value) {
    JR_GUARD_CALL;
    jr_size_spec own;
    JR_TRY(JR_GIVEN(context, spec, value));
    const jr_adviser adviser = jr_advice_adviser(context);
    JR_TRY(jr_size_spec_read(spec, &own));
    JR_TRY(check_one(&own.spec, data, count));
    return jr_host_reduce(context, &own.spec, &adviser, &data, count, value);
}
