/* What the tests of scans share. */
#include "scan_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/oracle/element.h"

enum { MOST_SMALL = 4 };

static int64_t whole(double x) {
    return fabs(x) <= 0x1p62 && x == (double)(int64_t)x ? (int64_t)x : INT64_MIN;
}

int64_t scan_read(jr_type type, const void *data, uint64_t i) {
    return element_is_float(type) ? whole(element_float(type, data, i)) : (int64_t)element_integer(type, data, i);
}

static void write_small(jr_type type, void *data, uint64_t i, int64_t x) {
    void *to = (unsigned char *)data + i * element_bytes(type);
    if (element_is_float(type))
        element_store_float(type, to, (double)x);
    else
        element_store_integer(type, to, (uint64_t)x);
}

static bool is_signed(jr_type type) {
    return element_is_signed(type) || element_is_float(type);
}

/* Products stay within 24 bits: ones, and a few twos. Extremes and flags change late, too. */
static int64_t small(jr_op op, jr_type type, uint64_t i, uint64_t count, uint64_t *seed) {
    const int64_t most = type == JR_BOOL ? 1 : MOST_SMALL;
    const int64_t sign = is_signed(type) && random_below(seed, 2) == 0 ? -1 : 1;
    if (op == JR_OP_PROD) return sign * (type != JR_BOOL && i % (count / 20 + 1) == 7 ? 2 : 1);
    if (op == JR_OP_ANY) return random_below(seed, count) < 2 ? most : 0;
    if (op == JR_OP_ALL) return random_below(seed, count) < 2 ? 0 : most;
    if (op == JR_OP_AND) return random_below(seed, count) < 3 ? most / 2 : sign * most;
    if (op == JR_OP_MIN || op == JR_OP_ARGMIN)
        return i > count / 2 && random_below(seed, count) < 5 ? (is_signed(type) ? -most : 0) : most;
    if (op == JR_OP_MAX || op == JR_OP_ARGMAX)
        return i > count / 2 && random_below(seed, count) < 5 ? most : sign * (most / 2);
    return sign * (int64_t)random_below(seed, (uint64_t)most + 1);
}

void scan_fill(jr_op op, jr_type type, void *data, uint64_t count, uint64_t *seed) {
    for (uint64_t i = 0; i < count; i++) write_small(type, data, i, small(op, type, i, count, seed));
}

static int64_t of_none(const scan_oracle *oracle) {
    const size_t bits = 8 * jr_type_size(oracle->type);
    switch (oracle->op) {
    case JR_OP_PROD:
    case JR_OP_ALL: return 1;
    case JR_OP_AND:
        if (oracle->type == JR_BOOL) return 1;
        return is_signed(oracle->type) || bits == 64 ? -1 : (int64_t)((1ull << bits) - 1);
    default: return 0;
    }
}

int64_t scan_oracle_result(const scan_oracle *oracle) {
    return oracle->taken ? oracle->running : of_none(oracle);
}

static void take_extremum(scan_oracle *oracle, int64_t x, bool least, bool index) {
    const int64_t held = index ? oracle->best : oracle->running;
    if (oracle->taken && (least ? x >= held : x <= held)) return;
    oracle->best = x;
    oracle->running = index ? oracle->index : x;
}

void scan_oracle_take(scan_oracle *oracle, int64_t x) {
    const int64_t before = scan_oracle_result(oracle);
    switch (oracle->op) {
    case JR_OP_SUM: oracle->running = (int64_t)((uint64_t)before + (uint64_t)x); break;
    case JR_OP_PROD: oracle->running = (int64_t)((uint64_t)before * (uint64_t)x); break;
    case JR_OP_AND: oracle->running = before & x; break;
    case JR_OP_OR: oracle->running = before | x; break;
    case JR_OP_XOR: oracle->running = before ^ x; break;
    case JR_OP_ANY: oracle->running = before || x != 0; break;
    case JR_OP_ALL: oracle->running = before && x != 0; break;
    case JR_OP_COUNT_NONZERO: oracle->running = before + (x != 0); break;
    case JR_OP_MIN:
    case JR_OP_ARGMIN: take_extremum(oracle, x, true, oracle->op == JR_OP_ARGMIN); break;
    case JR_OP_MAX:
    case JR_OP_ARGMAX: take_extremum(oracle, x, false, oracle->op == JR_OP_ARGMAX); break;
    default: fail_msg("no oracle of operator %s", jr_op_name(oracle->op));
    }
    oracle->taken = true;
    oracle->index++;
}

jr_plan *scan_plan(const opened *device, const jr_spec *spec, jr_work_kind kind) {
    jr_plan *plan = NULL;
    works(jr_work_plan_create(device->context, WORK(spec, .kind = kind), &plan));
    return plan;
}

void scan_run(const opened *device, jr_plan *plan, scan_data data, scan_places places, void *results) {
    enum { GUARD = 64, MARK = 0xa5 };
    const size_t size = data.count * jr_plan_result_bytes(plan), around = size + places.out_shift + GUARD;
    unsigned char *d_in = device_new(device, data.count * data.bytes + places.in_shift + 1);
    unsigned char *d_out = device_new(device, around), *host = test_bytes(around);
    if (data.count > 0) device_write(device, d_in + places.in_shift, data.elements, data.count * data.bytes);
    drives(device->driver.cuMemsetD8_v2(device_address(d_out), MARK, around));
    works(jr_work_plan_run(
        plan, DATA(.in = FROM(d_in + places.in_shift), .count = data.count, .out = d_out + places.out_shift), NULL,
        NULL));
    device_read(device, host, d_out, around);
    for (size_t i = 0; i < around; i++)
        if ((i < places.out_shift || i >= places.out_shift + size) && host[i] != MARK)
            fail_msg("byte %zu of %zu around %zu bytes of results is written", i, around, size);
    memcpy(results, host + places.out_shift, size);
}
