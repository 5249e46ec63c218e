/* Compares outputs. */
#include "outputs.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static double element_of(const unsigned char *array, jr_type type, uint64_t index) {
    float single;
    double value;
    if (type == JR_F32) {
        memcpy(&single, array + index * sizeof single, sizeof single);
        return (double)single;
    }
    memcpy(&value, array + index * sizeof value, sizeof value);
    return value;
}

/* Infinities are near themselves alone. */
static bool is_near(const jr_tunable_output *output, double expected, double got) {
    if (isnan(expected) || isnan(got)) return isnan(expected) && isnan(got);
    if (isinf(expected) || isinf(got)) return expected == got;
    return fabs(got - expected) <= output->absolute + output->relative * fabs(expected);
}

void jr_outputs_compare(const jr_tunable_output *output, size_t index, const unsigned char *expected,
                        const unsigned char *got, char why[JR_REASON_BYTES]) {
    if (memcmp(expected, got, output->bytes) == 0) return;
    if (output->type == JR_TYPE_NONE) {
        uint64_t at = 0;
        while (expected[at] == got[at]) at++;
        snprintf(why, JR_REASON_BYTES, "output %zu: byte %llu is 0x%02x, and 0x%02x is expected", index,
                 (unsigned long long)at, got[at], expected[at]);
        return;
    }
    const uint64_t count = output->bytes / (output->type == JR_F32 ? sizeof(float) : sizeof(double));
    for (uint64_t i = 0; i < count; i++) {
        const double wanted = element_of(expected, output->type, i), found = element_of(got, output->type, i);
        if (is_near(output, wanted, found)) continue;
        snprintf(why, JR_REASON_BYTES, "output %zu: element %llu is %.17g, and %.17g is expected", index,
                 (unsigned long long)i, found, wanted);
        return;
    }
}
