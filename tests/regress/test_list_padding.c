/* Accumulators of several operators at once were padded: blocks copied bytes that nobody had written. */
#include "support/fixtures/open_context.h"

TEST(lists_of_operators_of_different_sizes_copy_no_padding) {
    const opened *device = *state;
    static const jr_op lists[][3] = {{JR_OP_LOGSUMEXP, JR_OP_NORM2, JR_OP_SUMSQ},
                                     {JR_OP_MEAN, JR_OP_MIN, JR_OP_STD},
                                     {JR_OP_SUM, JR_OP_ARGMIN, JR_OP_MEAN}};
    const float data[3] = {1, 2, 3};
    const void *arrays[] = {data};
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
        for (jr_algorithm a = JR_ALGORITHM_SINGLE_PASS; a <= JR_ALGORITHM_ONE_BLOCK; a = (jr_algorithm)(a + 1)) {
            const jr_spec all =
                JR_INIT(jr_spec, .ops = lists[l], .op_count = 3, .type = JR_F32, .algorithm = a, .where = "x > 0");
            jr_value values[3], alone;
            works(jr_reduce_host_arrays(device->context, &all, arrays, 3, values));
            for (int i = 0; i < 3; i++) {
                const jr_spec one = JR_INIT(jr_spec, .op = lists[l][i], .type = JR_F32, .algorithm = a);
                works(jr_reduce_host(device->context, &one, data, 3, &alone));
                assert_int_equal(values[i].type, alone.type);
                assert_memory_equal(&values[i].as, &alone.as, jr_type_size(alone.type));
            }
        }
}

RUN_TESTS(open_context, close_context)
