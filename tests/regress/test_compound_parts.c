/* Parts of exact lists are at multiples of 4 bytes in local memory, and were read as if at multiples of 8, which ends
 * the kernel: sum, mean, norm1, max of f64, and argmin or argmax after an exact sum. */
#include "support/fixtures/open_context.h"

enum { DIMENSIONS = 3, OPS = 4, RESULTS_MAX = 15, RESULT_BYTES_MAX = 256 };

static const uint64_t shape[DIMENSIONS] = {1, 3, 5};
static const double numbers[15] = {1e308, 1e308, 1, -1e308, -1e308, 1e-300, 2, 3, 3, -7, 0.5, 0, 1e16, 1, -1e16};

static void list_is_as_each_alone(const opened *device, const jr_op *ops, int axis) {
    const jr_axis along = JR_INIT(jr_axis, .shape = shape, .dimensions = DIMENSIONS, .axis = axis);
    const size_t results = 15 / shape[axis];
    const void *const arrays[] = {numbers};
    const jr_spec list = JR_INIT(jr_spec, .ops = ops, .op_count = OPS, .type = JR_F64, .accuracy = JR_ACCURACY_EXACT);
    unsigned char all[RESULTS_MAX * RESULT_BYTES_MAX], alone[RESULTS_MAX * 8];
    jr_result_layout layout = JR_INIT(jr_result_layout);
    works(jr_result_layout_of(&list, &layout));
    assert_true(layout.bytes <= RESULT_BYTES_MAX);
    works(jr_reduce_host_axis(device->context, &list, arrays, &along, all));
    for (int i = 0; i < OPS; i++) {
        const jr_spec one = JR_INIT(jr_spec, .op = ops[i], .type = JR_F64, .accuracy = JR_ACCURACY_EXACT);
        works(jr_reduce_host_axis(device->context, &one, arrays, &along, alone));
        for (size_t r = 0; r < results; r++)
            assert_memory_equal(all + r * layout.bytes + layout.offsets[i], alone + r * 8, 8);
    }
}

TEST(an_exact_list_gives_what_each_of_its_operators_gives) {
    static const jr_op lists[][OPS] = {{JR_OP_SUM, JR_OP_MEAN, JR_OP_NORM1, JR_OP_MAX},
                                       {JR_OP_SUMSQ, JR_OP_ARGMAX, JR_OP_NORM2, JR_OP_ARGMIN},
                                       {JR_OP_SUM, JR_OP_COUNT_NONZERO, JR_OP_VAR, JR_OP_NORMINF}};
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
        for (int axis = 0; axis < DIMENSIONS; axis++) list_is_as_each_alone(*state, lists[l], axis);
}

RUN_TESTS(open_context, close_context)
