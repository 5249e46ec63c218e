/* All-reduces of segments by peers that pull, from the memory of all devices: shares, or copies of all states. */
#ifndef JR_ALLREDUCE_ALLREDUCE_PULL_H
#define JR_ALLREDUCE_ALLREDUCE_PULL_H

#include "allreduce_steps.h"

/* Makes the events, and frees them; a run. */
jr_status jr_allreduce_make_events(jr_allreduce *allreduce);
void jr_allreduce_free_events(jr_allreduce *allreduce);
jr_status jr_allreduce_run_pulling(jr_allreduce *allreduce, const jr_group_parts *parts, void *const *d_out);

#endif
