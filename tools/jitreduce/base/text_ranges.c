/* Finds ranges. */
#include "text_ranges.h"

#include <string.h>

static void grow_signed(jr_value *bounds, int64_t number) {
    if (number < bounds[0].as.i64) bounds[0].as.i64 = number;
    if (number > bounds[1].as.i64) bounds[1].as.i64 = number;
}

static void grow_unsigned(jr_value *bounds, uint64_t number) {
    if (number < bounds[0].as.u64) bounds[0].as.u64 = number;
    if (number > bounds[1].as.u64) bounds[1].as.u64 = number;
}

static uint64_t bits_at(const void *elements, size_t bytes, uint64_t at) {
    uint32_t half;
    uint64_t whole;
    if (bytes == sizeof whole) {
        memcpy(&whole, (const char *)elements + at * bytes, bytes);
        return whole;
    }
    memcpy(&half, (const char *)elements + at * bytes, sizeof half);
    return half;
}

void cli_ranges_grow(cli_ranges *ranges, int input, jr_type type, const void *elements, uint64_t count,
                     uint64_t first) {
    jr_value *bounds = &ranges->bounds[2 * input];
    const bool positive = type == JR_U64 || type == JR_U32;
    const size_t bytes = jr_type_size(type);
    if (type != JR_I64 && type != JR_I32 && !positive) return;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t bits = bits_at(elements, bytes, i);
        const int64_t number = type == JR_I32 ? (int64_t)(int32_t)(uint32_t)bits : (int64_t)bits;
        if (bounds->type == JR_TYPE_NONE)
            bounds[0] = bounds[1] =
                positive ? (jr_value){.type = JR_U64, .as.u64 = bits} : (jr_value){.type = JR_I64, .as.i64 = number};
        if (positive)
            grow_unsigned(bounds, bits);
        else
            grow_signed(bounds, number);
        if (bits != 0 || ranges->zero[input]) continue;
        ranges->zero[input] = true;
        ranges->zero_at[input] = first + i;
    }
}

void cli_ranges_merge(cli_ranges *ranges, const cli_ranges *other) {
    for (int i = 0; i < JR_INPUTS_MAX; i++) {
        jr_value *own = &ranges->bounds[2 * i];
        for (int end = 0; end < 2 && other->bounds[2 * i].type != JR_TYPE_NONE; end++) {
            const jr_value *bound = &other->bounds[2 * i + end];
            if (own->type == JR_TYPE_NONE) own[0] = own[1] = *bound;
            if (bound->type == JR_U64)
                grow_unsigned(own, bound->as.u64);
            else
                grow_signed(own, bound->as.i64);
        }
        if (!other->zero[i] || (ranges->zero[i] && ranges->zero_at[i] <= other->zero_at[i])) continue;
        ranges->zero[i] = true;
        ranges->zero_at[i] = other->zero_at[i];
    }
}
