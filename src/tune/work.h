/* The work: what of a job decides which tuning is best, as a short text: "sum f32", "min,max f16", "dot f32,f32",
 * "inclusive scan sum f32". */
#ifndef JR_TUNE_WORK_H
#define JR_TUNE_WORK_H

#include "wisdom.h"

/* Writes the work of a job, of which only kind, scan and reduction are looked at: the kind of a scan; operators and
 * types of the inputs; types asked for and what NaN means where they are not the usual ones; a digest of expressions,
 * structs and parameters' types. */
void jr_work_of(const jr_job *job, char work[JR_WORK_BYTES]);

/* Of what kind the jobs of a work are: flat or a scan. */
jr_job_kind jr_work_kind(const char *work);

#endif
