/* max over axis 0 of u8 (2, 2^31) was stopped as work without progress, as what it reads and writes of zeros changes no
 * memory; and each thread had a column at a time, so that many columns took long. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/fixtures/open_context.h"

#define KERNEL "jr_segmented_threads"
enum { COLUMNS = 1 << 20 };

static char path[] = "/tmp/jitreduce-trace-XXXXXX";

/* The plan's only launch; the number of its warps. */
static uint64_t warps_of(const opened *device, const jr_spec *spec) {
    const jr_segment_layout layout =
        JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_STRIDED, .length = 2, .inner = COLUMNS);
    jr_launch launch = JR_INIT(jr_launch);
    jr_kernel *kernel = NULL;
    jr_plan *plan = plan_held(device, WORK(spec, .layout = &layout));
    assert_int_equal(jr_plan_kernel_count(plan), 1);
    works(jr_plan_kernel(plan, 0, &kernel));
    assert_string_equal(jr_kernel_name(kernel), KERNEL); /* another one: trace that */
    works(jr_plan_launch_get(plan, 0, &launch));
    return (uint64_t)launch.grid[0] * launch.block[0] / 32;
}

static uint64_t traced_lines(void) {
    FILE *file = fopen(path, "r");
    uint64_t lines = 0;
    assert_non_null(file);
    for (int c = getc(file); c != EOF; c = getc(file)) lines += c == '\n';
    fclose(file);
    return lines;
}

DEVICE_TEST(two_rows_of_many_columns_get_on_and_take_few_instructions) {
    const uint64_t shape[] = {2, COLUMNS};
    const jr_axis axis = JR_INIT(jr_axis, .shape = shape, .dimensions = 2, .axis = 0);
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_U8);
    unsigned char *data = test_zeros(2, COLUMNS), *out = test_bytes(COLUMNS);
    const void *const arrays[] = {data};
    works(jr_work_run_host(device->context, WORK(&spec, .axis = &axis), DATA(.in = arrays, .out = out)));
    for (size_t i = 0; i < COLUMNS; i++)
        if (out[i] != 0) fail_msg("column %zu is %d", i, out[i]);
    const uint64_t instructions = traced_lines() * warps_of(device, &spec);
    assert_in_range(instructions, COLUMNS / 32, COLUMNS / 4); /* a warp's for 4 columns at most */
}

int main(void) {
    const int file = mkstemp(path);
    if (file < 0) return 1;
    close(file);
    setenv("JRSIM_STEP_LIMIT", "50", 1);
    setenv("JRSIM_TRACE", KERNEL ":0:0", 1);
    setenv("JRSIM_LOG", path, 1);
    const int failed = check_run(open_context, close_context);
    unlink(path);
    return failed;
}
