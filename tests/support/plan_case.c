/* What the tests of plans share. */
#include "support/plan_case.h"

#include <stdlib.h>

uint32_t *iota_new(const opened *device, uint64_t count) {
    uint32_t *host = calloc(count, sizeof *host);
    assert_non_null(host);
    for (uint64_t i = 0; i < count; i++) host[i] = (uint32_t)i;
    uint32_t *made = device_new(device, count * sizeof *made);
    device_write(device, made, host, count * sizeof *made);
    free(host);
    return made;
}

uint64_t iota_sum(uint64_t count) {
    return count == 0 ? 0 : count * (count - 1) / 2;
}

jr_plan *sum_plan(const opened *device, jr_algorithm algorithm) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_U32, .algorithm = algorithm, .capacity = MOST);
    jr_plan *plan = NULL;
    works(jr_plan_create(device->context, &spec, &plan));
    return plan;
}

uint64_t word_read(const opened *device, const uint64_t *d_word) {
    uint64_t word = 0;
    device_read(device, &word, d_word, sizeof word);
    return word;
}
