/* Makes the n-th allocation, file call, library call, lock or new thread fail, to walk every error path of a task.
 *
 * A test source that has the line
 *     "link: fail_nth" as a whole comment (see any user of this header)
 * is linked with fail_nth.o and with the linker flags of fail_nth.flags, a -Wl,--wrap for each call below. Only calls
 * made from objects of the test binary are seen: those that libc makes inside itself (opendir's, say) never fail here.
 * The state is one for the process: one walk at a time; threads that the task starts are counted in. */
#ifndef TESTS_SUPPORT_FAIL_NTH_H
#define TESTS_SUPPORT_FAIL_NTH_H

#include <stdbool.h>

#include "jitreduce/status.h"

enum {
    FAIL_MEMORY = 1,  /* malloc calloc realloc strdup strndup: NULL, ENOMEM */
    FAIL_FILES = 2,   /* open openat (EMFILE) read pread fstat fsync close (EIO; close closes all the same)
                       * write (ENOSPC) rename renameat mkdir (EACCES) */
    FAIL_LIBRARY = 4, /* dlopen dlsym: NULL */
    FAIL_THREADS = 8, /* pthread_create: EAGAIN */
    FAIL_ALL = 15,
    FAIL_LOCKS = 16, /* fcntl flock: ENOLCK */
    FAIL_PATHS = 32, /* stat fstatat lstat access realpath opendir chmod utimensat symlink (EACCES) fopen memfd_create
                      * (EMFILE) mmap (ENOMEM) */
    FAIL_EVERY = 63,
    FAIL_EXCLUSIVE = 64 /* open openat with O_EXCL: EOPNOTSUPP */
};

/* From now on the n-th call (from 1) of the kinds fails, once. n 0: none does. Forgets what was counted before. */
void fail_nth_begin(int kinds, int n);

/* From now on every call of the kinds fails. */
void fail_nth_always(int kinds);

/* The n-th call does something before it fails: it may end the process. */
void fail_nth_act(int kinds, int n, void (*act)(void));

/* Ends it; true when the failure was used: the task made at least n such calls. */
bool fail_nth_end(void);

/* Says that the calls from here to fail_nth_end are the test's own, which looks at what the task left: none fails. */
void fail_nth_pause(void);

/* What was made since fail_nth_begin and is still there, up to fail_nth_end. */
int fail_nth_live_allocations(void);
int fail_nth_live_files(void);
int fail_nth_live_libraries(void);

/* Runs task with n = 1, 2, 3, ... until it makes fewer than n calls, and returns how often a failure was used.
 * The task frees and closes all it made before it returns. Asserts (CMocka) in each round: a task that returned a
 * failure left that status and a new, non-empty reason in the error record; nothing leaked, neither memory nor files
 * nor libraries; and the last round, without a failure, succeeded. */
int fail_nth_walk(int kinds, jr_status (*task)(void *user), void *user);

/* The same for a task that takes long: n grows by `step`. */
int fail_nth_walk_by(int kinds, int step, jr_status (*task)(void *user), void *user);

#endif
