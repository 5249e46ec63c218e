/* The floating-point environment: code whose results must not depend on the caller's runs in the default one. */
#ifndef JR_BASE_FLOAT_MODE_H
#define JR_BASE_FLOAT_MODE_H

#include <fenv.h>

typedef fenv_t jr_float_mode;

/* Makes the default environment this thread's: nearest even, subnormals kept (on x86 the bits that make zeros of them
 * belong to it), no traps. Threads that it starts meanwhile inherit it. *saved is for jr_float_mode_leave. */
static inline void jr_float_mode_enter(jr_float_mode *saved) {
    fegetenv(saved);
    fesetenv(FE_DFL_ENV);
}

/* Gives the caller's environment back as it was, its raised exceptions included. */
static inline void jr_float_mode_leave(const jr_float_mode *saved) {
    fesetenv(saved);
}

#endif
