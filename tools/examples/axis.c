/* Sums of an array of three dimensions along one axis, and along two at once, as NumPy's sum(axis=1) and sum(axis=(0,
 * 2)).
 *
 * cc axis.c $(pkg-config --cflags --libs jitreduce)
 *
 * Prints:
 * axis 1: 12 15 18 21 48 51 54 57
 * axes 0 and 2: 60 92 124
 */
#include <jitreduce.h>
#include <stdio.h>

enum { ELEMENTS = 2 * 3 * 4 };

static jr_status print_sums(jr_context *context, const jr_axis *axis, const char *name) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    jr_segment_layout layout = JR_INIT(jr_segment_layout);
    int data[ELEMENTS];
    int64_t sums[ELEMENTS];
    const void *arrays[] = {data};
    uint64_t count = 0;
    for (int i = 0; i < ELEMENTS; i++) data[i] = i;
    jr_status status = jr_segment_layout_of(axis, &layout, &count);
    if (status == JR_OK)
        status = jr_work_run_host(context, &JR_INIT(jr_work, .spec = &spec, .axis = axis),
                                  &JR_INIT(jr_work_data, .in = arrays, .out = sums));
    if (status != JR_OK) return status;
    printf("%s:", name);
    for (uint64_t i = 0; i < count; i++) printf(" %lld", (long long)sums[i]);
    printf("\n");
    return JR_OK;
}

int main(void) {
    static const uint64_t shape[] = {2, 3, 4};
    static const int two[] = {0, 2};
    const jr_options options = JR_INIT(jr_options, .device = "auto");
    const jr_axis one = JR_INIT(jr_axis, .shape = shape, .dimensions = 3, .axis = 1);
    const jr_axis both = JR_INIT(jr_axis, .shape = shape, .dimensions = 3, .axes = two, .axis_count = 2);
    jr_context *context = NULL;
    jr_status status = jr_context_open(&options, &context);
    if (status == JR_OK) status = print_sums(context, &one, "axis 1");
    if (status == JR_OK) status = print_sums(context, &both, "axes 0 and 2");
    if (status != JR_OK) fprintf(stderr, "%s\n", jr_last_error()->message);
    jr_context_close(context);
    return status != JR_OK;
}
