/* Finds distances by the bits of floats: without their sign these are numbered in the order of what they stand for. */
#include "distance.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_nan(const jr_value *value) {
    double number;
    return jr_value_number(value, &number) == JR_OK && isnan(number);
}

/* The number of a float in the order of all of its type; both zeros are 0. */
static int64_t place_of(const jr_value *value) {
    const size_t bytes = jr_type_size(value->type);
    uint64_t bits = 0;
    memcpy(&bits, value->as.bytes, bytes);
    const uint64_t sign = UINT64_C(1) << (8 * bytes - 1), size = bits & (sign - 1);
    return bits & sign ? -(int64_t)size : (int64_t)size;
}

static bool are_same(const jr_value *one, const jr_value *other) {
    return memcmp(one->as.bytes, other->as.bytes, jr_type_size(one->type)) == 0;
}

cli_distance cli_distance_of(const jr_value *one, const jr_value *other) {
    if (one->type != other->type || jr_type_size(one->type) == 0) return (cli_distance){.known = false};
    if (jr_type_class_of(one->type) != JR_CLASS_FLOAT) return (cli_distance){.known = are_same(one, other)};
    if (is_nan(one) || is_nan(other)) return (cli_distance){.known = is_nan(one) && is_nan(other)};
    const int64_t first = place_of(one), second = place_of(other);
    const uint64_t steps = first < second ? (uint64_t)second - (uint64_t)first : (uint64_t)first - (uint64_t)second;
    return (cli_distance){.known = true, .steps = steps};
}

const char *cli_distance_text(const cli_distance *distance, char text[CLI_DISTANCE_BYTES]) {
    snprintf(text, CLI_DISTANCE_BYTES, "%llu", (unsigned long long)distance->steps);
    return distance->known ? text : strcpy(text, "-");
}
