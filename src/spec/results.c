/* Reads results. */
#include "results.h"

#include <string.h>

#include "base/error.h"

/* True if the reduction kept no element: by the count, or by the index that shows it. */
static bool is_empty(const jr_reduction *reduction, const unsigned char *place) {
    uint64_t kept = 1;
    int64_t index = 0;
    if (reduction->kept_offset > 0) memcpy(&kept, place + reduction->kept_offset, sizeof kept);
    if (reduction->empty_output >= 0)
        memcpy(&index, place + reduction->outputs[reduction->empty_output].offset, sizeof index);
    return kept == 0 || index == -1;
}

jr_status jr_results_read(const jr_reduction *reduction, const unsigned char *place, jr_value *values) {
    const jr_status status = is_empty(reduction, place) ? jr_reduction_check_kept(reduction) : JR_OK;
    for (int i = 0; status == JR_OK && i < reduction->output_count; i++) {
        const jr_output *output = &reduction->outputs[i];
        values[i] = (jr_value){.type = output->type};
        memcpy(values[i].as.bytes, place + output->offset, output->bytes);
    }
    return status;
}

jr_status jr_results_copy(const jr_reduction *reduction, const unsigned char *places, const jr_results_range *range,
                          void *results) {
    for (uint64_t s = 0; s < range->count; s++)
        if (is_empty(reduction, places + s * reduction->place_bytes))
            JR_TRY(jr_reduction_check_empty_of_many(reduction, range->first + s));
    for (uint64_t s = 0; s < range->count; s++)
        memcpy((unsigned char *)results + s * reduction->output_bytes, places + s * reduction->place_bytes,
               reduction->output_bytes);
    return JR_OK;
}
