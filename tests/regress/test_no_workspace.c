/* A plan may need no workspace, and jr_memory_new refused 0 bytes: a program worked until a tuning was stored. */
#include "support/fixtures/open_context.h"

TEST(a_workspace_of_no_bytes_is_allocated_and_used_as_any_other) {
    const opened *device = *state;
    const jr_algorithm algorithms[] = {JR_ALGORITHM_ONE_BLOCK, JR_ALGORITHM_SINGLE_PASS, JR_ALGORITHM_TWO_PASS};
    const int32_t data[4] = {3, 1, 4, 1};
    void *d_in = NULL, *d_out = NULL;
    int without = 0;
    works(jr_memory_new(device->context, sizeof data, &d_in));
    works(jr_memory_new(device->context, sizeof(int64_t), &d_out));
    works(jr_memory_write(device->context, d_in, data, sizeof data));
    for (size_t i = 0; i < sizeof algorithms / sizeof *algorithms; i++) {
        const jr_spec spec =
            JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .algorithm = algorithms[i], .capacity = 4);
        jr_plan *plan;
        void *workspace = &plan;
        int64_t sum = 0;
        works(jr_plan_create(device->context, &spec, &plan));
        without += jr_plan_workspace_bytes(plan) == 0;
        works(jr_memory_new(device->context, jr_plan_workspace_bytes(plan), &workspace));
        assert_int_equal(workspace == NULL, jr_plan_workspace_bytes(plan) == 0);
        works(jr_plan_workspace_prepare(plan, workspace, NULL));
        works(jr_plan_run(plan, d_in, 4, d_out, workspace, NULL));
        works(jr_memory_read(device->context, &sum, d_out, sizeof sum));
        assert_int_equal(sum, 9);
        jr_memory_free(device->context, workspace);
        jr_plan_destroy(plan);
    }
    assert_true(without > 0);
    jr_memory_free(device->context, d_in);
    jr_memory_free(device->context, d_out);
}

TEST(nothing_is_copied_to_and_from_no_memory) {
    const opened *device = *state;
    void *none = &none;
    works(jr_memory_new(device->context, 0, &none));
    assert_null(none);
    works(jr_memory_write(device->context, none, NULL, 0));
    works(jr_memory_read(device->context, NULL, none, 0));
    fails(jr_memory_write(device->context, none, &none, 1), JR_ERROR_INVALID_ARGUMENT, "NULL");
    fails(jr_memory_read(device->context, &none, NULL, 1), JR_ERROR_INVALID_ARGUMENT, "NULL");
}

RUN_TESTS(open_context, close_context)
