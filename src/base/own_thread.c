/* Makes threads of our own. */
#include "own_thread.h"

#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "float_mode.h"

/* The guard is as large as no function's frame that skips it would be. The room is above 32 MiB, so that malloc, which
 * learns from what is freed, learns nothing of it. */
enum { STACK_MIB = 64, GUARD_BYTES = 1 << 20, ROOM_MIB = 40 };

typedef struct own_job {
    jr_status (*job)(void *user);
    void *user;
    jr_status status;
    jr_error_saved *error; /* of a job that failed */
} own_job;

/* Libraries of others end the process when they get no memory: they are not called where there is hardly any. It is
 * asked of this thread's malloc, which may have kept more than the process can still get. */
static jr_status check_room(void) {
    void *volatile room = malloc((size_t)ROOM_MIB << 20); /* volatile: a compiler may leave out what nobody uses */
    if (room == NULL)
        return jr_fail(JR_ERROR_OUT_OF_MEMORY,
                       "there is too little memory: %d MiB must be free; raise the limit of memory (ulimit -v)",
                       ROOM_MIB);
    free(room);
    return JR_OK;
}

static void *run(void *opaque) {
    own_job *own = opaque;
    jr_float_mode creators;
    jr_float_mode_enter(&creators); /* threads inherit it; nothing to give back, as this one ends with the job */
    own->status = check_room();
    if (own->status == JR_OK) own->status = own->job(own->user);
    if (own->status != JR_OK) own->error = jr_error_save();
    return NULL;
}

int jr_own_thread_begin(pthread_t *thread, const pthread_attr_t *attributes, void *(*begin)(void *user), void *user) {
    /* SIGURG: by it cuda-gdb meets the thread that makes a CUDA context; without it both wait for ever. */
    static const int taken[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGURG};
    sigset_t blocked, before;
    sigfillset(&blocked);
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) sigdelset(&blocked, taken[i]);
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    const int error = pthread_create(thread, attributes, begin, user);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

static int begin_job(pthread_t *thread, own_job *own) {
    pthread_attr_t attributes;
    int error = pthread_attr_init(&attributes);
    if (error != 0) return error;
    error = pthread_attr_setstacksize(&attributes, (size_t)STACK_MIB << 20);
    if (error == 0) error = pthread_attr_setguardsize(&attributes, GUARD_BYTES);
    if (error == 0) error = jr_own_thread_begin(thread, &attributes, run, own);
    pthread_attr_destroy(&attributes);
    return error;
}

jr_status jr_own_thread_run(jr_status (*job)(void *user), void *user) {
    own_job own = {.job = job, .user = user};
    pthread_t thread;
    int cancel_state;
    const int error = begin_job(&thread, &own);
    if (error != 0)
        return jr_fail(
            JR_ERROR_OUT_OF_MEMORY,
            "no thread with a stack of %d MiB could be made: %s; raise the limits of threads (ulimit -u) and of "
            "memory (ulimit -v), or end other threads",
            STACK_MIB, strerror(error));
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
    pthread_join(thread, NULL);
    pthread_setcancelstate(cancel_state, NULL);
    if (own.status == JR_OK) return JR_OK;
    if (own.error == NULL) return jr_fail(own.status, "no memory to say what failed");
    jr_error_adopt(own.error);
    return own.status;
}
