/* Error messages for what NVRTC found wrong with a program's text: a missing header, an entry that does not exist. */
#ifndef JR_IMAGE_PROGRAM_FAULT_H
#define JR_IMAGE_PROGRAM_FAULT_H

#include "attempt.h"

/* Fails for an attempt that NVRTC ended with an error of compilation. Errors: JR_ERROR_COMPILE, with NVRTC's log where
 * that says more; JR_ERROR_FILE: the toolkit's header that is missing was asked for. */
jr_status jr_program_fault(const jr_attempt *attempt);

/* Fails for a program that compiles, and gives no kernel for its entry. Errors: JR_ERROR_COMPILE. */
jr_status jr_program_fault_entry(const jr_attempt *attempt);

/* Fails for a program that compiles, but defines one of its constants once more, differently: the constant that the
 * caller gave has no effect after that. Errors: JR_ERROR_COMPILE. */
jr_status jr_program_fault_constant(const jr_attempt *attempt);

#endif
