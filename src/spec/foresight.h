/* What integers may do in a reduction, found from the ranges in which they lie. */
#ifndef JR_SPEC_FORESIGHT_H
#define JR_SPEC_FORESIGHT_H

#include "reduction.h"

/* Finds it for `count` elements. given: the caller's spec, whose types are open where the library chose them.
 * ranges: the least and the greatest number of each input, NULL: any of its type. note: room for `bytes`, gets a
 * sentence about what may not be meant, "" if there is nothing; NULL: not wanted. Returns JR_MAY_ flags. */
unsigned jr_foresee(const jr_reduction *reduction, const jr_spec *given, const jr_value *ranges, uint64_t count,
                    char *note, size_t bytes);

#endif
