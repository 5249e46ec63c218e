/* Outputs of a kernel that is tuned: whether a run left what is expected. */
#ifndef JR_TUNE_OUTPUTS_H
#define JR_TUNE_OUTPUTS_H

#include "jitreduce/tunable.h"

/* Compares one, as its type and tolerances say; why: stays "" where nothing is wrong, else says which element is the
 * first. expected, got: of host memory, at any alignment. */
void jr_outputs_compare(const jr_tunable_output *output, size_t index, const unsigned char *expected,
                        const unsigned char *got, char why[JR_REASON_BYTES]);

#endif
