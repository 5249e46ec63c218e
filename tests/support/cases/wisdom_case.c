/* What the tests of stored tunings share. */
#include "wisdom_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "support/fixtures/check.h"
#include "wisdom/wisdom_text.h"

jr_machine wisdom_machine(const char *device) {
    jr_device_info info =
        JR_INIT(jr_device_info, .capability_major = 9, .multiprocessor_count = 132, .driver_version = 13000);
    jr_machine machine;
    snprintf(info.name, sizeof info.name, "%s", device);
    jr_machine_make(&info, "13.0.88", &machine);
    return machine;
}

jr_wisdom_entry wisdom_entry(const char *work, uint64_t count) {
    jr_wisdom_entry entry = {.count = count,
                             .algorithm = JR_ALGORITHM_TWO_PASS,
                             .unroll = 4,
                             .block = 256,
                             .blocks_per_multiprocessor = 2,
                             .time_ns = 1500,
                             .estimate_ns = 2250};
    snprintf(entry.work, sizeof entry.work, "%s", work);
    return entry;
}

void wisdom_put(jr_wisdom *wisdom, const char *device, const char *work, uint64_t count) {
    const jr_machine machine = wisdom_machine(device);
    const jr_wisdom_entry entry = wisdom_entry(work, count);
    assert_int_equal(jr_wisdom_add(wisdom, &machine, &entry), JR_OK);
}

char *wisdom_text(const jr_wisdom *wisdom) {
    jr_text text = {0};
    jr_wisdom_print(wisdom, &text);
    char *taken = jr_text_take(&text);
    return test_own(taken);
}

char *wisdom_changed(const char *text, const char *from, const char *to) {
    jr_text changed = {0};
    const char *const found = strstr(text, from), *const seal = strstr(text, "sha256 ");
    assert_true(found != NULL && seal != NULL && found < seal);
    jr_text_append_bytes(&changed, text, (size_t)(found - text));
    jr_text_append(&changed, "%s", to);
    jr_text_append_bytes(&changed, found + strlen(from), (size_t)(seal - found) - strlen(from));
    jr_seal_append(&changed);
    return jr_text_take(&changed);
}

size_t wisdom_count(const jr_wisdom *wisdom) {
    size_t count = 0;
    for (size_t p = 0; p < wisdom->count; p++) count += wisdom->parts[p].count;
    return count;
}
