/* Scans: a balance after each booking, and the index at which each of several items of different lengths begins.
 *
 * cc running_total.c $(pkg-config --cflags --libs jitreduce)
 *
 * Prints:
 * balances: 100 70 75 55 155
 * lengths 3 1 4 1 5 begin at 0 3 4 8 9
 */
#include <jitreduce.h>
#include <stdio.h>

enum { COUNT = 5 };

static jr_status scan(jr_context *context, jr_work_kind kind, const int *numbers, int64_t *out) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    const jr_work work = JR_INIT(jr_work, .spec = &spec, .kind = kind);
    const void *const arrays[] = {numbers};
    return jr_work_run_host(context, &work, &JR_INIT(jr_work_data, .in = arrays, .count = COUNT, .out = out));
}

int main(void) {
    static const int bookings[COUNT] = {100, -30, 5, -20, 100}, lengths[COUNT] = {3, 1, 4, 1, 5};
    const jr_options options = JR_INIT(jr_options, .device = "auto");
    int64_t balances[COUNT], places[COUNT];
    jr_context *context = NULL;
    jr_status status = jr_context_open(&options, &context);
    if (status == JR_OK) status = scan(context, JR_WORK_SCAN_INCLUSIVE, bookings, balances);
    if (status == JR_OK) status = scan(context, JR_WORK_SCAN_EXCLUSIVE, lengths, places);
    jr_context_close(context);
    if (status != JR_OK) return fprintf(stderr, "%s\n", jr_last_error()->message), 1;
    printf("balances:");
    for (int i = 0; i < COUNT; i++) printf(" %lld", (long long)balances[i]);
    printf("\nlengths");
    for (int i = 0; i < COUNT; i++) printf(" %d", lengths[i]);
    printf(" begin at");
    for (int i = 0; i < COUNT; i++) printf(" %lld", (long long)places[i]);
    printf("\n");
    return 0;
}
