/* Holds off cancellation and the caller's floating-point mode. */
#include "guard.h"

#include <pthread.h>

void jr_guard_run_enter(int *cancel_state) {
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, cancel_state);
}

void jr_guard_run_leave(int *cancel_state) {
    pthread_setcancelstate(*cancel_state, NULL);
}

void jr_guard_enter(jr_guard *guard) {
    jr_guard_run_enter(&guard->cancel_state);
    jr_float_mode_enter(&guard->mode);
}

void jr_guard_leave(jr_guard *guard) {
    jr_float_mode_leave(&guard->mode);
    jr_guard_run_leave(&guard->cancel_state);
}
