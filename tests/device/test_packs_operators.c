/* All operators of all types by default: what is in a pack needs no NVRTC, and gives the same. */
/* cache: own */
#include <string.h>

#include "spec/operator.h"
#include "support/every/every_row.h"
#include "support/fixtures/pack_case.h"

enum { COUNT = 100 };

static bool is_taken(jr_op op, jr_type type) {
    jr_type result;
    return op != JR_OP_CUSTOM && type != JR_STRUCT && jr_result_type(op, type, &result) == JR_OK;
}

/* Small bytes, so that no type holds a NaN or a large number. */
static void reduce(const opened *device, jr_op op, jr_type type, jr_value *value) {
    static uint8_t data[2][COUNT * 8];
    const void *arrays[] = {data[0], data[1]};
    const jr_spec spec = JR_INIT(jr_spec, .op = op, .type = type);
    for (int i = 0; i < COUNT * 8; i++) data[0][i] = data[1][i] = (uint8_t)(type == JR_BOOL ? i % 3 == 0 : 1 + i % 50);
    memset(value, 0, sizeof *value);
    if (jr_work_run_host(device->context, WORK(&spec), DATA(.in = arrays, .count = COUNT, .values = value)) != JR_OK)
        fail_msg("%s of %s: %s", jr_op_name(op), jr_type_name(type), jr_last_error()->message);
}

/* Of the sample is every seventh pair of an operator and a type. */
static bool is_wanted(int op, int type) {
    return is_taken(every_op[op], every_type[type]) && (tests_are_whole() || (op * EVERY_TYPES + type) % 11 == 3);
}

DEVICE_TEST(every_operator_of_every_type_needs_no_nvrtc_and_gives_the_same) {
    jr_pack *pack = pack_for(device);
    uint64_t taken = 0;
    for (int o = 0; o < EVERY_OPS; o++)
        for (int t = 0; t < EVERY_TYPES; t++) {
            const jr_spec spec = JR_INIT(jr_spec, .op = every_op[o], .type = every_type[t], .capacity = COUNT);
            if (is_wanted(o, t)) works(jr_work_pack_add(pack, WORK(&spec)));
        }
    pack_write(pack);
    opened packed = pack_open(device, pack_hidden);
    for (int o = 0; o < EVERY_OPS; o++)
        for (int t = 0; t < EVERY_TYPES; t++) {
            jr_value wanted, got;
            if (!is_wanted(o, t)) continue;
            reduce(device, every_op[o], every_type[t], &wanted);
            reduce(&packed, every_op[o], every_type[t], &got);
            assert_int_equal(pack_origin(&packed), JR_ORIGIN_PACK);
            assert_memory_equal(&got, &wanted, sizeof got);
            taken++;
        }
    assert_true(taken > (tests_are_whole() ? 200 : 15));
    assert_int_equal(pack_counters(&packed).compiles, 0);
    assert_true(pack_counters(&packed).pack_hits >= taken);
    jr_context_close(packed.context);
}

RUN_TESTS(pack_begin, pack_end)
