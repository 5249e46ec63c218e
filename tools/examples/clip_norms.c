/* Norms of many arrays in one launch, and the arrays scaled so that the norm of all is 1: gradients that are clipped.
 *
 * cc clip_norms.c $(pkg-config --cflags --libs jitreduce)
 *
 * Prints:
 * norms 3, 4, 0, together 5
 * scaled: 0.6, 0.8
 */
#include <jitreduce.h>
#include <stdio.h>

enum { ARRAYS = 3 };

/* The values of two arrays in device memory; the third is empty. */
static jr_status fill(jr_context *context, jr_array arrays[ARRAYS]) {
    static const float numbers[2] = {3, 4};
    for (int a = 0; a < 2; a++) {
        void *memory;
        jr_status status = jr_memory_new(context, sizeof(float), &memory);
        if (status == JR_OK) status = jr_memory_write(context, memory, &numbers[a], sizeof(float));
        if (status != JR_OK) return status;
        arrays[a] = (jr_array){.data = memory, .count = 1, .type = JR_F32};
    }
    return JR_OK;
}

static jr_status clip(jr_context *context, const jr_array arrays[ARRAYS]) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_NORM2, .type = JR_F32,
                                 .apply = "all > 1 ? x / all : x"); /* all: the norm of all */
    const jr_segment_layout table =
        JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_ARRAYS, .arrays = arrays, .array_count = ARRAYS);
    const jr_work work = JR_INIT(jr_work, .spec = &spec, .kind = JR_WORK_APPLY, .layout = &table);
    float norms[ARRAYS + 1], scaled[2];
    jr_plan *plan = NULL;
    void *d_norms = NULL;

    jr_status status = jr_work_plan_create(context, &work, &plan);
    if (status == JR_OK) status = jr_memory_new(context, sizeof norms, &d_norms);
    if (status == JR_OK) status = jr_work_plan_run(plan, &JR_INIT(jr_work_data, .out = d_norms), NULL, NULL);
    if (status == JR_OK) status = jr_memory_read(context, norms, d_norms, sizeof norms);
    for (int a = 0; a < 2 && status == JR_OK; a++)
        status = jr_memory_read(context, &scaled[a], arrays[a].data, sizeof(float));
    if (status == JR_OK)
        printf("norms %g, %g, %g, together %g\nscaled: %g, %g\n", norms[0], norms[1], norms[2], norms[3], scaled[0],
               scaled[1]);
    jr_memory_free(context, d_norms);
    jr_plan_destroy(plan);
    return status;
}

int main(void) {
    jr_array arrays[ARRAYS] = {{0}};
    jr_context *context = NULL;

    jr_status status = jr_context_open(NULL, &context);
    if (status == JR_OK) status = fill(context, arrays);
    if (status == JR_OK) status = clip(context, arrays);
    if (status != JR_OK) fprintf(stderr, "%s\n", jr_last_error()->message);
    for (int a = 0; a < 2; a++) jr_memory_free(context, (void *)arrays[a].data);
    jr_context_close(context);
    return status != JR_OK;
}
