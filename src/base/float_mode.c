/* The floating-point environment of a thread. */
#include "float_mode.h"

void jr_float_mode_enter(jr_float_mode *saved) {
    fegetenv(&saved->caller);
    fesetenv(FE_DFL_ENV); /* on x86 the bits that make zeros of subnormals go with it */
}

void jr_float_mode_leave(const jr_float_mode *saved) {
    fesetenv(&saved->caller);
}
