/* Several operators over two arrays in one pass, over the items that an expression selects. Its parameter changes
 * from run to run without another compile.
 *
 * cc several_operators.c $(pkg-config --cflags --libs jitreduce)
 *
 * Prints:
 * price above 10: revenue 118.5, largest 60, orders 3
 * price above 20: revenue 60, largest 60, orders 1
 * compiles: 1
 */
#include <jitreduce.h>
#include <stdio.h>

enum { COUNT = 5, RESULTS = 3 };

static const float prices[COUNT] = {4, 18.5F, 20, 30, 9};
static const float amounts[COUNT] = {10, 1, 2, 2, 1};

static jr_status print_above(jr_context *context, double limit) {
    static const jr_op ops[] = {JR_OP_SUM, JR_OP_MAX};
    const jr_parameter parameter = {"limit", {JR_F64, {.f64 = limit}}};
    const jr_spec spec = JR_INIT(jr_spec, .ops = ops, .op_count = 2, .type = JR_F32, .input_count = 2, .map = "x * y",
                                 .where = "x > limit", .parameters = &parameter, .parameter_count = 1, .kept = 1);
    const void *arrays[] = {prices, amounts};
    jr_value values[RESULTS];
    const jr_work work = JR_INIT(jr_work, .spec = &spec);
    const jr_work_data data = JR_INIT(jr_work_data, .in = arrays, .count = COUNT, .values = values);
    const jr_status status = jr_work_run_host(context, &work, &data);
    if (status == JR_OK)
        printf("price above %g: revenue %g, largest %g, orders %llu\n", limit, (double)values[0].as.f32,
               (double)values[1].as.f32, (unsigned long long)values[2].as.u64);
    return status;
}

int main(void) {
    const jr_options options =
        JR_INIT(jr_options, .device = "auto", .cache_dir = ""); /* so that compiles are counted */
    jr_counters counters = JR_INIT(jr_counters);
    jr_context *context = NULL;
    jr_status status = jr_context_open(&options, &context);
    if (status == JR_OK) status = print_above(context, 10);
    if (status == JR_OK) status = print_above(context, 20);
    if (status == JR_OK) status = jr_context_counters(context, &counters);
    if (status == JR_OK)
        printf("compiles: %llu\n", (unsigned long long)counters.compiles);
    else
        fprintf(stderr, "%s\n%s", jr_last_error()->message, jr_last_error()->log);
    jr_context_close(context);
    return status != JR_OK;
}
