/* Exact sums have one value: the bits of sums of generated data, hostile for the most part, are those that Python's
 * fractions gave (tests/judge/exact_bits.py), whatever the algorithm, unroll factor, block, grid, address, order of the
 * elements and parts in which they come, and on whatever device. Prints them, a line each, so that what two machines
 * print can be compared. A sample of all tunings, unless JR_TESTS=whole. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/cases/kept_state_case.h"
#include "support/oracle/exact_bits.h"

typedef struct tuning {
    jr_algorithm algorithm;
    int unroll, block, grid;
} tuning;

static const tuning sample[] = {{JR_ALGORITHM_AUTO, 0, 0, 0},          {JR_ALGORITHM_SINGLE_PASS, 4, 512, 1},
                                {JR_ALGORITHM_SINGLE_PASS, 1, 128, 7}, {JR_ALGORITHM_BULK_COPY, 2, 128, 3},
                                {JR_ALGORITHM_BULK_COPY, 4, 512, 0},   {JR_ALGORITHM_TWO_PASS, 2, 64, 5}};
enum { SAMPLE = sizeof sample / sizeof *sample };

/* The bytes of one type's elements, in device memory at any place within a pack. */
typedef struct bits_case {
    const opened *device;
    const exact_bits_row *row;
    size_t size; /* of an element */
    char *x;     /* the elements */
    char *room;  /* device memory for them, and 16 more */
    uint64_t *d_out;
} bits_case;

static uint64_t wanted(const bits_case *c, jr_type result) {
    return result == JR_F64 ? c->row->wide_sum : c->row->sum;
}

static jr_spec spec_of(jr_type type, jr_type result, const tuning *t) {
    return JR_INIT(jr_spec, .op = JR_OP_SUM, .type = type, .result = result, .accuracy = JR_ACCURACY_EXACT,
                   .algorithm = t->algorithm, .unroll = t->unroll, .block = t->block, .grid = t->grid,
                   .capacity = EXACT_BITS_COUNT);
}

static void hold(const bits_case *c, jr_type result, uint64_t got, const tuning *t, const char *how) {
    if (got == wanted(c, result)) return;
    print_error("%s to %s by algorithm %d, unroll %d, block %d, grid %d, %s: %#" PRIx64 "\n", c->row->name,
                jr_type_name(result), (int)t->algorithm, t->unroll, t->block, t->grid, how, got);
    fail_msg("the exact sum is %#" PRIx64, wanted(c, result));
}

/* Runs a plan over the elements, copied to `shift` elements after a boundary. */
static uint64_t run_at(const bits_case *c, jr_plan *plan, jr_type result, int shift) {
    uint64_t got = 0;
    char *d_in = c->room + (size_t)shift * c->size;
    device_write(c->device, d_in, c->x, EXACT_BITS_COUNT * c->size);
    works(jr_work_plan_run(plan, DATA(.in = FROM(d_in), .count = EXACT_BITS_COUNT, .out = c->d_out), NULL, NULL));
    device_read(c->device, &got, c->d_out, jr_type_size(result));
    return got;
}

static void each_row(const opened *device, jr_type type, void (*hold_row)(bits_case *, void *), void *user) {
    bits_case c = {.device = device, .size = jr_type_size(type)};
    c.room = device_new(device, (EXACT_BITS_COUNT + 16) * c.size);
    c.d_out = device_new(device, sizeof *c.d_out);
    for (int r = 0; r < EXACT_BITS_ROWS; r++) {
        c.row = &exact_bits_rows[r];
        if (c.row->type != type) continue;
        c.x = exact_bits_make(c.row);
        hold_row(&c, user);
    }
    device_free(device, c.room);
    device_free(device, c.d_out);
}

/* ---- tunings ---- */

typedef struct planned {
    jr_plan *plan;
    jr_type result;
    const tuning *tuning;
    bool tells;
} planned;

static void hold_plan(bits_case *c, void *user) {
    const planned *p = user;
    const int shift = (int)(c->row->data % (16 / c->size));
    const uint64_t got = run_at(c, p->plan, p->result, shift);
    hold(c, p->result, got, p->tuning, "in one piece");
    if (p->tells) print_message("bits %s %s %#" PRIx64 "\n", c->row->name, jr_type_name(p->result), got);
}

/* One plan over all data of a type; not where the algorithm does not apply. */
static void hold_tuning(const opened *device, jr_type type, jr_type result, const tuning *t, bool tells) {
    const jr_spec spec = spec_of(type, result, t);
    planned p = {.result = result, .tuning = t, .tells = tells};
    const jr_status status = jr_work_plan_create(device->context, WORK(&spec), &p.plan);
    if (status == JR_ERROR_NOT_APPLICABLE || status == JR_ERROR_LAUNCH_RESOURCES) return;
    works(status);
    each_row(device, type, hold_plan, &p);
    jr_plan_destroy(p.plan);
}

static void hold_whole(const opened *device, jr_type type) {
    static const int unrolls[] = {1, 3, 4, 8}, blocks[] = {64, 128, 256, 512}, grids[] = {0, 1, 5};
    for (int a = JR_ALGORITHM_SINGLE_PASS; a <= JR_ALGORITHM_BULK_COPY; a++)
        for (int k = 0; k < 48; k++) {
            const tuning t = {(jr_algorithm)a, unrolls[k % 4], blocks[k / 4 % 4], grids[k / 16]};
            if (a == JR_ALGORITHM_SINGLE_PASS || a == JR_ALGORITHM_BULK_COPY || k % 7 == 0)
                hold_tuning(device, type, k % 2 ? JR_F64 : type, &t, false);
        }
}

TEST(every_tuning_gives_the_same_bits) {
    static const jr_type types[] = {JR_F16, JR_BF16, JR_F32, JR_F64};
    for (int i = 0; i < 4; i++) {
        for (int t = 0; t < SAMPLE; t++) {
            const jr_type result = t % 2 ? JR_F64 : types[i];
            if (!tests_take(t / 2 + i, 4)) continue;
            if (t < 4 || types[i] >= JR_F32) hold_tuning(*state, types[i], result, &sample[t], t < 2);
        }
        if (tests_are_whole()) hold_whole(*state, types[i]);
    }
}

/* ---- order and parts ---- */

static void swap(const bits_case *c, uint64_t i, uint64_t k) {
    char kept[8];
    memcpy(kept, c->x + i * c->size, c->size);
    memcpy(c->x + i * c->size, c->x + k * c->size, c->size);
    memcpy(c->x + k * c->size, kept, c->size);
}

static void hold_orders(bits_case *c, void *user) {
    const planned *p = user;
    uint64_t seed = c->row->data;
    for (uint64_t i = 0; i < EXACT_BITS_COUNT / 2; i++) swap(c, i, EXACT_BITS_COUNT - 1 - i);
    hold(c, p->result, run_at(c, p->plan, p->result, 0), p->tuning, "reversed");
    for (uint64_t i = EXACT_BITS_COUNT - 1; i > 0; i--) swap(c, i, random_below(&seed, i + 1));
    hold(c, p->result, run_at(c, p->plan, p->result, 1), p->tuning, "in an order of chance");
}

/* Parts of lengths of chance, added to states in turn, which are zeros at first, and then added to each other. */
static void hold_parts(bits_case *c, void *user) {
    const planned *p = user;
    const jr_spec spec = spec_of(c->row->type, p->result, p->tuning);
    kept_state states[2] = {{.elements = 0}};
    jr_value value;
    uint64_t seed = c->row->data, got = 0, part = 0;
    for (uint64_t at = 0, count; at < EXACT_BITS_COUNT; at += count, part++) {
        const uint64_t left = EXACT_BITS_COUNT - at, length = random_below(&seed, 12000);
        const void *const data[] = {c->x + at * c->size};
        count = length < left ? length : left;
        const kept_state more = kept_state_of(c->device, &spec, data, count, at);
        kept_state_add(c->device, &spec, &states[part % 2], &more);
    }
    kept_state_add(c->device, &spec, &states[1], &states[0]);
    kept_state_values(c->device, &spec, &states[1], &value);
    memcpy(&got, &value.as, jr_type_size(p->result));
    hold(c, p->result, got, p->tuning, "in parts");
}

TEST(every_order_and_all_parts_give_the_same_bits) {
    static const jr_type types[] = {JR_F32, JR_F64};
    for (int i = 0; i < 2; i++) {
        const jr_spec spec = spec_of(types[i], JR_F64, &sample[0]);
        planned p = {.result = JR_F64, .tuning = &sample[0]};
        works(jr_work_plan_create(((const opened *)*state)->context, WORK(&spec), &p.plan));
        each_row(*state, types[i], hold_orders, &p);
        each_row(*state, types[i], hold_parts, &p);
        jr_plan_destroy(p.plan);
    }
}

RUN_TESTS(open_context, close_context)
