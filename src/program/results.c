/* Reads results. */
#include "results.h"

#include <string.h>

/* Of all elements left out, some operators have no value. */
static jr_status check_kept(const jr_reduction *reduction, const unsigned char *place) {
    uint64_t kept = 1;
    if (reduction->kept_offset > 0) memcpy(&kept, place + reduction->kept_offset, sizeof kept);
    return kept == 0 ? jr_reduction_check_empty(reduction) : JR_OK;
}

jr_status jr_results_read(const jr_reduction *reduction, const unsigned char *place, jr_value *values) {
    const jr_status status = check_kept(reduction, place);
    for (int i = 0; status == JR_OK && i < reduction->output_count; i++) {
        const jr_output *output = &reduction->outputs[i];
        values[i] = (jr_value){.type = output->type};
        memcpy(values[i].as.bytes, place + output->offset, output->bytes);
    }
    return status;
}

jr_status jr_results_copy(const jr_reduction *reduction, const unsigned char *places, uint64_t count, void *results) {
    for (uint64_t s = 0; s < count; s++) {
        const jr_status status = check_kept(reduction, places + s * reduction->place_bytes);
        if (status != JR_OK) return status;
    }
    for (uint64_t s = 0; s < count; s++)
        memcpy((unsigned char *)results + s * reduction->output_bytes, places + s * reduction->place_bytes,
               reduction->output_bytes);
    return JR_OK;
}
