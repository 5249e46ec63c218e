/* Memory of the host given as memory of the device was "916694860079 bytes past the end of mapped host memory". */
#include <stdlib.h>
#include <string.h>

#include "jitreduce.h"
#include "support/fixtures/open_context.h"

enum { COUNT = 1000, LARGE = 4 << 20 };

static float few[COUNT];

static const char why[] = ": this is memory of the host: copy it to the device (jr_memory_write)";

/* A context for one run: a fault ends it, and what lives in the same CUDA context. A GPU says only that an address was
 * illegal, or can read what the host has. */
static jr_context *fresh(void) {
    jr_context *context = NULL;
    works(jr_context_open(NULL, &context));
    if (jr_context_is_simulated(context)) return context;
    jr_context_close(context);
    skip_because("only the simulator knows the host's memory\n");
    return NULL;
}

static void runs_on(const void *in, void *out) {
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32);
    jr_context *context = fresh();
    jr_plan *plan = NULL;
    void *given = NULL;
    float value;
    works(jr_work_plan_create(context, WORK(&sum), &plan));
    works(jr_memory_new(context, COUNT * sizeof(float), &given));
    works(jr_memory_write(context, given, few, sizeof few));
    jr_status status = jr_work_plan_run(
        plan, DATA(.in = FROM(in != NULL ? in : given), .count = COUNT, .out = out != NULL ? out : given), NULL, NULL);
    if (status == JR_OK) status = jr_memory_read(context, &value, given, sizeof value);
    fails(status, JR_ERROR_DEVICE_FAULT, why);
    jr_plan_destroy(plan);
    jr_context_close(context);
}

TEST(elements_and_results_of_the_host_are_named_as_such) {
    float automatic[COUNT] = {0};
    float *heap = test_zeros(COUNT, sizeof *heap), *large = test_zeros(LARGE, sizeof *large);
    runs_on(few, NULL);
    runs_on(automatic, NULL);
    runs_on(heap, NULL);
    runs_on(large, NULL);
    runs_on(NULL, heap);
    runs_on(NULL, large + LARGE / 2);
}

TEST(offsets_of_the_host_are_named_as_such) {
    const jr_spec sum = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32);
    const jr_segment_layout ragged = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
    static const uint64_t offsets[] = {0, 500, COUNT};
    const jr_work_data two = JR_INIT(jr_work_data, .segments = 2, .count = COUNT, .offsets = offsets);
    jr_context *context = fresh();
    jr_plan *plan = NULL;
    void *given = NULL;
    float value;
    works(jr_work_plan_create(context, WORK(&sum, .layout = &ragged), &plan));
    works(jr_memory_new(context, COUNT * sizeof(float), &given));
    jr_status status = jr_work_plan_run(plan, DATA_OF(two, FROM(given), given), NULL, NULL);
    if (status == JR_OK) status = jr_memory_read(context, &value, given, sizeof value);
    fails(status, JR_ERROR_DEVICE_FAULT, why);
    jr_plan_destroy(plan);
    jr_context_close(context);
}

RUN_TESTS(NULL, NULL)
