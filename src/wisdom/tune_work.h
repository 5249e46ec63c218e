/* The work: what of a job decides which tuning is best, as a short text: "sum f32", "min,max f16", "dot f32,f32",
 * "inclusive scan sum f32"; and of a tunable which setting, "kernel matmul 0123456789abcdef N=1024,M=512". */
#ifndef JR_WISDOM_TUNE_WORK_H
#define JR_WISDOM_TUNE_WORK_H

#include "space.h"
#include "wisdom.h"

/* Writes the work of a job, of which only kind, scan and reduction are looked at: the kind of a scan; operators and
 * types of the inputs; types asked for and what NaN means where they are not the usual ones; a digest of expressions,
 * structs and parameters' types. */
void jr_work_of(const jr_job *job, char work[JR_WORK_BYTES]);

/* Writes the work of a tunable without its sizes, which follow as jr_work_add_sizes has them: its program's name, and a
 * digest of all its texts. Errors: JR_ERROR_INVALID_ARGUMENT: it does not fit, or no name of a program can stand there.
 */
jr_status jr_work_of_tunable(const jr_tunable *tunable, char work[JR_WORK_BYTES]);
jr_status jr_work_add_sizes(const jr_tunable *tunable, const int64_t *sizes, char work[JR_WORK_BYTES]);

/* Reads the sizes back that follow in a work of the same tunable. False: they are others. */
bool jr_work_read_sizes(const jr_tunable *tunable, const char *at, int64_t sizes[JR_TUNABLE_SIZES_MAX]);

/* Is a work that of a tunable? */
bool jr_work_is_tunable(const char *work);

/* The kind of a work's jobs: flat or a scan. */
jr_job_kind jr_work_job_kind(const char *work);

#endif
