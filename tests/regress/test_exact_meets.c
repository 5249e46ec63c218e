/* Exact sums of a group whose devices reach each other's memory: the first one waited for states that nobody had sent,
 * and each wrote its own over the table of where the others' are, beyond its end. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/allreduce_case.h"

enum { OPERATORS = 5 };
static const jr_op operators[OPERATORS] = {JR_OP_SUM, JR_OP_MEAN, JR_OP_NORM1, JR_OP_SUMSQ, JR_OP_NORM2};
typedef double made(int i);

static double small(int i) {
    return (double)(i * 7919 % 1001) / 8;
}
/* Sums below zero, whose words are all bits turned up to the highest. */
static double below_zero(int i) {
    return i == 0 ? -0x1p-130 : -(double)(i % 3 == 0) * 0x1p-20;
}
static double of_all_exponents(int i) {
    return ldexp(i % 2 == 0 ? 1 + i * 0x1p-12 : -1 - i * 0x1p-11, i * 37 % 240 - 126);
}
static double minus_zero(int i) {
    (void)i;
    return -0.0;
}
static double infinite_once(int i) {
    return i == GROUP_COUNT - 1 ? -INFINITY : 1;
}
static double cancelling(int i) {
    return i == 0 ? 1e30 : i == GROUP_COUNT - 1 ? -1e30 : i == 1 ? 0x1p-100 : 0;
}
static made *const makers[] = {small, below_zero, of_all_exponents, minus_zero, infinite_once, cancelling};

static size_t fill(jr_type type, made *make, void *data) {
    for (int i = 0; i < GROUP_COUNT; i++) {
        if (type == JR_F32)
            ((float *)data)[i] = (float)make(i);
        else
            ((double *)data)[i] = make(i);
    }
    return type == JR_F32 ? sizeof(float) : sizeof(double);
}

/* The same sum, whose bits no algorithm changes: one block compiles in a fifth of the time. */
static jr_spec by_one_block(const jr_spec *spec) {
    jr_spec alone = *spec;
    alone.algorithm = JR_ALGORITHM_ONE_BLOCK;
    alone.max_launch_ms = 0;
    return alone;
}

static void assert_meets(const opened *device, dealt *of, const jr_spec *spec, const void *d_data, uint64_t count) {
    jr_value wanted = {0}, value;
    jr_group_plan *plan = NULL;
    const jr_spec whole = by_one_block(spec);
    group_whole(device, &whole, d_data, count, &wanted);
    works(jr_work_group_plan_create(of->group, WORK(spec), &plan));
    for (int run = 0; run < 3; run++) {
        memset(&value, 0, sizeof value);
        works(group_values(plan, of->parts, &value));
        group_assert_same(&value, &wanted, 1);
    }
    jr_group_plan_destroy(plan);
}

/* On so many devices. */
static void assert_all_meet(const opened *device, jr_type type, made *make, int turn, size_t count) {
    static double data[GROUP_COUNT];
    const size_t element = fill(type, make, data), bytes = GROUP_COUNT * element;
    void *d_data = device_new(device, bytes);
    device_write(device, d_data, data, bytes);
    dealt of;
    dealt_open(device, count, &of);
    dealt_give(data, element, &of);
    for (int o = 0; o < OPERATORS; o++) {
        const jr_spec spec = JR_INIT(jr_spec, .op = operators[o], .type = type, .accuracy = JR_ACCURACY_EXACT);
        if (!tests_take(o + OPERATORS - (2 * turn + (type == JR_F64)) % OPERATORS, OPERATORS)) continue;
        assert_meets(device, &of, &spec, d_data, GROUP_COUNT);
    }
    /* A sample: one of the three by each turn. */
    const jr_spec copied = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = type, .accuracy = JR_ACCURACY_EXACT,
                                   .algorithm = JR_ALGORITHM_BULK_COPY);
    if (tests_take(turn, 3)) assert_meets(device, &of, &copied, d_data, GROUP_COUNT);
    const jr_value first =
        type == JR_F32 ? (jr_value){.type = JR_F32, .as.f32 = -3.25F} : (jr_value){.type = JR_F64, .as.f64 = -3.25};
    const jr_spec more = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = type, .accuracy = JR_ACCURACY_EXACT,
                                 .initial = &first, .finish = "a * 2");
    if (tests_take(turn + 1, 3)) assert_meets(device, &of, &more, d_data, GROUP_COUNT);
    for (size_t i = 1; i < count; i++) of.counts[i] = 0;
    const jr_spec mean = JR_INIT(jr_spec, .op = JR_OP_MEAN, .type = type, .accuracy = JR_ACCURACY_EXACT);
    if (tests_take(turn + 2, 3)) assert_meets(device, &of, &mean, d_data, of.counts[0]);
    dealt_close(&of);
}

/* Of one device nothing would be seen. */
static void need_two_devices(const opened *device) {
    if (dealt_devices(device) >= 2) return;
    skip_because("a machine with 2 devices is needed\n");
}

TEST(exact_sums_that_meet_are_those_of_the_whole) {
    need_two_devices(*state);
    const size_t most = dealt_devices(*state);
    for (size_t m = 0; m < sizeof makers / sizeof *makers; m++) /* a sample: each with one type, on so many devices */
        for (size_t count = 2; count <= most; count++) {
            if (!tests_are_whole() && count - 2 != m / 2 % (most - 1)) continue;
            if (tests_are_whole() || m % 2 == 0) assert_all_meet(*state, JR_F32, makers[m], (int)m / 2, count);
            if (tests_are_whole() || m % 2 == 1) assert_all_meet(*state, JR_F64, makers[m], (int)m / 2, count);
        }
}

/* Every device gets them, from slots that take turns. */
TEST(every_device_gets_exact_sums) {
    static double data[GROUP_COUNT];
    need_two_devices(*state);
    for (size_t count = 2; count <= dealt_devices(*state); count++) {
        for (size_t o = 0; o < OPERATORS; o++) { /* a sample: each on so many devices */
            const jr_spec spec = JR_INIT(jr_spec, .op = operators[o], .type = JR_F64, .accuracy = JR_ACCURACY_EXACT);
            if (!tests_are_whole() && count - 2 != o % (dealt_devices(*state) - 1)) continue;
            unsigned char wanted[DEALT_BYTES];
            dealt of;
            dealt_open(*state, count, &of);
            dealt_give(data, fill(JR_F64, of_all_exponents, data), &of);
            const jr_spec whole = by_one_block(&spec);
            const size_t bytes = dealt_whole(*state, &whole, data, sizeof data, wanted);
            dealt_assert_all_get(&of, &spec, JR_ALLREDUCE_PEERS, wanted, bytes);
            dealt_close(&of);
        }
    }
}

/* Of launches that are to be short another algorithm makes the states. */
DEVICE_TEST(states_of_short_launches_meet) {
    static double data[GROUP_COUNT];
    const size_t element = fill(JR_F64, of_all_exponents, data), bytes = GROUP_COUNT * element;
    void *d_data = device_new(device, bytes);
    dealt of;
    device_write(device, d_data, data, bytes);
    dealt_open(device, 2, &of);
    dealt_give(data, element, &of);
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F64, .accuracy = JR_ACCURACY_EXACT,
                                 .max_launch_ms = 1000, .capacity = GROUP_COUNT);
    assert_meets(device, &of, &spec, d_data, GROUP_COUNT);
    dealt_close(&of);
}

RUN_TESTS(open_four_devices, close_context)
