/* Storing a tuning in place of a damaged file succeeded, and left the damage as the last error. */
#include <string.h>

#include "support/fixtures/open_context.h"
#include "support/fixtures/scratch.h"

TEST(a_store_that_replaces_a_damaged_file_leaves_the_last_error_alone) {
    const jr_tune_candidate way = {.algorithm = JR_ALGORITHM_TWO_PASS, .unroll = 4, .block = 128, .us = 1, .gain = 2};
    const jr_tuned tuned = JR_INIT(jr_tuned, .count = 1000, .best = way, .estimate = way, .better = 1, .complete = 1);
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    char folder[SCRATCH_BYTES];
    jr_context *context = NULL;
    scratch_make(folder);
    const jr_options options = JR_INIT(jr_options, .wisdom = scratch_path(folder, "tunings"));
    works(jr_context_open(&options, &context));
    scratch_text(options.wisdom, "jitreduce wisdom 1\nnot what it should be\n");
    fails(jr_plan_create(NULL, NULL, NULL), JR_ERROR_INVALID_ARGUMENT, "NULL");
    works(jr_tuned_store(context, &spec, &tuned));
    assert_string_equal(jr_last_error()->message, "context is NULL");
    jr_context_close(context);
    scratch_remove(folder);
}

RUN_TESTS(open_context, close_context)
