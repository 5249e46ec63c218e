/* Copies in flight. False: a fault was reported. */
#ifndef JRS_JUDGE_FLIGHT_H
#define JRS_JUDGE_FLIGHT_H

#include "shadow.h"

/* Adds a flight; its instruction, warp, lane and clock are set here. Its block is the warp's where it names none. */
bool jrs_flight_begin(jrs_warp *warp, const jrs_instruction *instruction, unsigned lane, jrs_flights *flights,
                      const jrs_flight *flight);
/* Lands the flights of mask's lanes that are not in the last `kept` groups; `open`: those of no committed group, too.
 */
bool jrs_flights_wait(jrs_warp *warp, uint32_t mask, jrs_flights *flights, uint32_t kept, bool open);
/* Lands flights of an mbarrier, in order, until its phase is complete or none is left. */
bool jrs_flights_settle(jrs_mbarrier *mbarrier);
/* Whether these bytes of shared memory may be written: no copy in flight reads one, or the judge lets it go on. */
bool jrs_flights_spare(jrs_warp *warp, const jrs_instruction *instruction, unsigned lane, jrs_span bytes);

/* ---- a block's life ---- */
void jrs_flights_begin_block(jrs_block *block); /* forgets what an earlier block left */
bool jrs_flights_end_block(jrs_block *block);
bool jrs_flights_exit(jrs_warp *warp, const jrs_instruction *instruction, uint32_t mask);
void jrs_flights_free(jrs_block *block);

#endif
