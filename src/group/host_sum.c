/* Sums of states on the host, to the bits that a merge on a device makes: where states are plain numbers that are
 * added, a launch more would take as long as all before it. */
#include "host_sum.h"

#include <math.h>
#include <string.h>

enum { COUNT_MAX = 256 }; /* threads of the merge's block, of which each has one state then */

typedef union numbers {
    uint32_t u32[COUNT_MAX];
    uint64_t u64[COUNT_MAX];
    float f32[COUNT_MAX];
    double f64[COUNT_MAX];
} numbers;

bool jr_host_sum_can(const jr_reduction *reduction, size_t count) {
    return reduction->adds_alike && count > 0 && count <= COUNT_MAX;
}

/* As a block does, whose lanes without a state have -0, or 0 of integers, which changes nothing. */
#define SUM_OF(type, name)                                                                                             \
    static type name(type *at, size_t count) {                                                                         \
        for (size_t distance = 1; distance < count; distance *= 2)                                                     \
            for (size_t i = 0; i + distance < count; i += 2 * distance) at[i] += at[i + distance];                     \
        return at[0];                                                                                                  \
    }
SUM_OF(uint32_t, sum_u32)
SUM_OF(uint64_t, sum_u64)
SUM_OF(float, sum_f32)
SUM_OF(double, sum_f64)

static jr_value sum(jr_type type, size_t bytes, numbers *states, size_t count) {
    jr_value made = {.type = type};
    if (type == JR_F32)
        made.as.f32 = sum_f32(states->f32, count);
    else if (type == JR_F64)
        made.as.f64 = sum_f64(states->f64, count);
    else if (bytes == sizeof(uint32_t))
        made.as.u32 = sum_u32(states->u32, count);
    else
        made.as.u64 = sum_u64(states->u64, count);
    return made;
}

static bool is_nan(const jr_value *value) {
    return value->type == JR_F32 ? isnan(value->as.f32) : value->type == JR_F64 && isnan(value->as.f64);
}

bool jr_host_sum(const jr_reduction *reduction, const void *states, size_t count, jr_value *value) {
    const size_t bytes = reduction->output_bytes;
    numbers copied;
    memcpy(&copied, states, count * bytes);
    const jr_value made = sum(reduction->outputs[0].type, bytes, &copied, count);
    if (is_nan(&made)) return false;
    *value = made;
    return true;
}
