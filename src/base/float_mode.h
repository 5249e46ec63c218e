/* The floating-point environment: code whose results must not depend on the caller's runs in the default one. */
#ifndef JR_BASE_FLOAT_MODE_H
#define JR_BASE_FLOAT_MODE_H

#include <fenv.h>

typedef struct jr_float_mode {
    fenv_t caller;
} jr_float_mode;

/* Makes the default environment this thread's: nearest even, subnormals kept, no traps. Threads that it starts
 * meanwhile inherit it. *saved is for jr_float_mode_leave. */
void jr_float_mode_enter(jr_float_mode *saved);

/* Gives the caller's environment back as it was, its raised exceptions included. */
void jr_float_mode_leave(const jr_float_mode *saved);

#endif
