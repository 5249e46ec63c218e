/* Kept states. The checksum is corrected in every second input, so that the code after its check is
 * reached.
 */
#include <stdlib.h>
#include <string.h>

#include "exact/state_bytes.h"
#include "fuzz.h"

/* The reductions that inputs are read by, all of them. */
static const jr_op list[] = {JR_OP_SUM, JR_OP_VAR, JR_OP_NORM2};
static const jr_spec specs[] = {
    {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F32, .accuracy = JR_ACCURACY_EXACT},
    {.size = sizeof(jr_spec), .op = JR_OP_DOT, .type = JR_F64, .input_count = 2, .accuracy = JR_ACCURACY_EXACT},
    {.size = sizeof(jr_spec), .ops = list, .op_count = 3, .type = JR_F16, .accuracy = JR_ACCURACY_EXACT, .kept = 1},
    {.size = sizeof(jr_spec), .op = JR_OP_ARGMAX, .type = JR_F32},
};

/* A state that is taken is written as it was, can be added to itself where its count allows it, and is then twice it.
 */
static void read_state(const jr_reduction *reduction, const uint8_t *bytes, size_t size) {
    unsigned char *sums = calloc(2, reduction->accumulator_bytes);
    uint8_t *again = malloc(jr_state_bytes_most(reduction));
    uint64_t elements = 0;
    size_t written = 0;
    fuzz_demand(sums != NULL && again != NULL);
    if (jr_state_bytes_read(reduction, bytes, size, sums, &elements) == JR_OK) {
        unsigned char *twice = sums + reduction->accumulator_bytes;
        fuzz_demand(jr_state_bytes_write(reduction, sums, elements, again, &written) == JR_OK && written == size);
        fuzz_demand(memcmp(again, bytes, size) == 0);
        memcpy(twice, sums, reduction->accumulator_bytes);
        for (int i = 0; i < reduction->sum_count && elements < UINT64_MAX / 2; i++) {
            jr_exact_number one, two;
            jr_exact_sum_add(&reduction->sums[i], twice, sums);
            const uint64_t count = jr_exact_sum_read(&reduction->sums[i], sums, &one);
            fuzz_demand(jr_exact_sum_read(&reduction->sums[i], twice, &two) == 2 * count);
            fuzz_demand(one.class == two.class && one.negative == two.negative && one.bytes == two.bytes);
            fuzz_demand(two.exponent == one.exponent + (one.bytes > 0));
            fuzz_demand(jr_exact_sum_write(&reduction->sums[i], &two, 2 * count, twice) == JR_OK);
        }
    }
    free(sums);
    free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint8_t *bytes = malloc(size > 0 ? size : 1);
    fuzz_demand(bytes != NULL);
    if (size > 0) memcpy(bytes, data, size);
    if (size > JR_DIGEST_BYTES && size % 2 == 0)
        jr_digest_of(bytes, size - JR_DIGEST_BYTES, bytes + size - JR_DIGEST_BYTES);
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        jr_reduction *reduction;
        fuzz_demand(jr_reduction_create(&specs[i], &reduction) == JR_OK);
        read_state(reduction, bytes, size);
        jr_reduction_destroy(reduction);
    }
    free(bytes);
    return 0;
}
