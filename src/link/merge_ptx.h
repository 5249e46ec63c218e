/* Links PTX texts to one, for devices that run PTX: what a linker does to names, done to text. */
#ifndef JR_LINK_MERGE_PTX_H
#define JR_LINK_MERGE_PTX_H

#include "base/text.h"
#include "link_part.h"

/* Merges parts, all of them PTX, for compute_NN. A name that is local to its part and stands in another one, too, gets
 * the part's number. A weak definition gives way to another one. Lines of sources are dropped.
 * Errors: JR_ERROR_COMPILE (a name that two parts define, or that none defines; PTX for a newer architecture),
 * JR_ERROR_INVALID_ARGUMENT, JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_merge_ptx(const jr_link_part *parts, size_t count, int target, jr_text *merged);

#endif
