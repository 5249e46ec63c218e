/* What a linker to machine code does not refuse by itself: nvJitLink 13.0 takes two definitions of a name, and leaves
 * out machine code that was linked already. */
#ifndef JR_LINK_STRONG_NAMES_H
#define JR_LINK_STRONG_NAMES_H

#include "link_part.h"

/* Checks that no two parts, PTX or cubins, define the same name, and that cubins are relocatable and for a number of
 * architecture. Errors: JR_ERROR_COMPILE, JR_ERROR_INVALID_ARGUMENT, JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_link_check(const jr_link_part *parts, size_t count, int architecture);

#endif
