/* All-reduces, made, run and freed: the public functions of the same names. */
#ifndef JR_ALLREDUCE_ALLREDUCE_H
#define JR_ALLREDUCE_ALLREDUCE_H

#include "allreduce_steps.h"

/* status: whether spec and options, or parts, could be read. layouts: of segments; NULL without segments. */
jr_status jr_allreduce_make(jr_group *group, jr_status status, const jr_spec *spec, const jr_segment_layout *layouts,
                            const jr_allreduce_options *options, jr_allreduce **allreduce);
void jr_allreduce_free(jr_allreduce *allreduce);
jr_status jr_allreduce_start(jr_allreduce *allreduce, jr_status status, const jr_group_parts *parts,
                             void *const *d_out);

#endif
