/* Results: what a run has left in its place becomes values; of nothing kept some operators have none. */
#ifndef JR_SPEC_RESULTS_H
#define JR_SPEC_RESULTS_H

#include "reduction.h"

/* Reads the results of one run apart into values.
 * place: place_bytes of the reduction, with the count of kept elements if that is counted. values: output_count of
 * them, written on success only. Errors: JR_ERROR_EMPTY_INPUT. */
jr_status jr_results_read(const jr_reduction *reduction, const unsigned char *place, jr_value *values);

/* The segments whose results are read: the first one's number, for messages, and how many. */
typedef struct jr_results_range {
    uint64_t first, count;
} jr_results_range;

/* Copies the results of segments, output_bytes each, out of their places.
 * places: place_bytes each, as above. results: written on success only. Errors: JR_ERROR_EMPTY_INPUT. */
jr_status jr_results_copy(const jr_reduction *reduction, const unsigned char *places, const jr_results_range *range,
                          void *results);

#endif
