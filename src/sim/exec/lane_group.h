/* Lane groups: the lanes of a warp that share a frame and a program counter. */
#ifndef JRS_EXEC_LANE_GROUP_H
#define JRS_EXEC_LANE_GROUP_H

#include "sim_machine.h"

/* Takes the lanes of mask out of the running group into one of their own; returns it. The running group's pc and mask
 * stay valid; when mask is all of it, the running group itself is returned. */
jrs_group *jrs_group_split(jrs_warp *warp, uint32_t mask);
void jrs_group_remove(jrs_warp *warp, jrs_group *group);
bool jrs_group_choose(jrs_warp *warp); /* enters the next ready group; false when none is */

#endif
