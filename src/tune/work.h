/* The work: what of a spec decides which tuning is best, as a short text: "sum f32", "min,max f16", "dot f32,f32". */
#ifndef JR_TUNE_WORK_H
#define JR_TUNE_WORK_H

#include "program/reduction.h"
#include "wisdom.h"

/* Writes the work of a reduction: operators and types of the inputs; types asked for and what NaN means where they
 * are not the usual ones; a digest of expressions, structs and parameters' types. */
void jr_work_of(const jr_reduction *reduction, char work[JR_WORK_BYTES]);

#endif
