/* Copies in flight. False: a fault was reported. */
#ifndef JRS_EXEC_FLIGHT_H
#define JRS_EXEC_FLIGHT_H

#include "machine.h"

/* Adds a flight; its instruction, warp, lane and clock are set here. */
bool jrs_flight_begin(jrs_warp *warp, const jrs_instruction *instruction, unsigned lane, jrs_flights *flights,
                      const jrs_flight *flight);
/* Lands the flights of mask's lanes that are not in the last `kept` groups; `open`: those of no committed group, too.
 */
bool jrs_flights_wait(jrs_warp *warp, uint32_t mask, jrs_flights *flights, uint32_t kept, bool open);
/* Lands flights of an mbarrier, in order, until its phase is complete or none is left. */
bool jrs_flights_settle(jrs_warp *warp, jrs_mbarrier *mbarrier);
/* Whether a copy in flight reads any of these bytes of shared memory; then that is reported. */
bool jrs_flights_read(jrs_warp *warp, const jrs_instruction *instruction, unsigned lane, uint32_t offset,
                      uint32_t bytes);

/* ---- a block's life ---- */
void jrs_flights_begin_block(jrs_block *block); /* forgets what an earlier block left */
bool jrs_flights_end_block(jrs_block *block);
bool jrs_flights_exit(jrs_warp *warp, const jrs_instruction *instruction, uint32_t mask);
void jrs_flights_free(jrs_block *block);

#endif
