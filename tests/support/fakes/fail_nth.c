/* The wrappers of fail_nth.h. Live allocations are kept in a fixed table, as this file must not allocate itself. */
#include "fail_nth.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "fail_nth_count.h"

enum { LIVE_MAX = 1 << 16, FILES_MAX = 4096 };

static struct {
    pthread_mutex_t lock;
    bool on, used, always;
    void (*act)(void); /* NULL: none */
    int kinds, left;   /* calls until the failure; below 1: it is over */
    int allocations, files, libraries;
    bool overflowed;
    void *live[LIVE_MAX];
    bool is_open[FILES_MAX];
} state = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- counting ---- */

bool fail_nth_now(int kind) {
    pthread_mutex_lock(&state.lock);
    const bool counts = state.on && (state.kinds & kind) && state.left > 0;
    const bool now = counts && (state.always || --state.left == 0);
    if (now) state.used = true;
    void (*act)(void) = now ? state.act : NULL;
    pthread_mutex_unlock(&state.lock);
    if (act != NULL) act();
    return now;
}

static bool is_on(void) {
    pthread_mutex_lock(&state.lock);
    const bool on = state.on;
    pthread_mutex_unlock(&state.lock);
    return on;
}

static size_t slot_of(const void *pointer) {
    return (size_t)(((uintptr_t)pointer >> 4) * 0x9E3779B97F4A7C15u >> 40) & (LIVE_MAX - 1);
}

/* Removed slots keep a mark, so that the probing of others does not stop at them. */
static char removed_mark;

/* Returns the pointer. */
static void *live_add(void *pointer) {
    if (!pointer) return NULL;
    pthread_mutex_lock(&state.lock);
    bool placed = false;
    for (size_t i = 0, at = slot_of(pointer); state.on && !placed && i < LIVE_MAX; i++, at = (at + 1) & (LIVE_MAX - 1))
        if (!state.live[at] || state.live[at] == (void *)&removed_mark) {
            state.live[at] = pointer;
            placed = true;
        }
    state.allocations += placed;
    state.overflowed |= state.on && !placed;
    pthread_mutex_unlock(&state.lock);
    return pointer;
}

/* True when the pointer was one of ours. */
static bool live_remove(void *pointer) {
    if (!pointer) return false;
    bool found = false;
    pthread_mutex_lock(&state.lock);
    for (size_t i = 0, at = slot_of(pointer); state.on && !found && i < LIVE_MAX && state.live[at];
         i++, at = (at + 1) & (LIVE_MAX - 1))
        if (state.live[at] == pointer) {
            state.live[at] = &removed_mark;
            state.allocations--;
            found = true;
        }
    pthread_mutex_unlock(&state.lock);
    return found;
}

int fail_nth_file(int file, bool open) {
    pthread_mutex_lock(&state.lock);
    if (state.on && file >= 0 && file < FILES_MAX && state.is_open[file] != open) {
        state.is_open[file] = open;
        state.files += open ? 1 : -1;
    }
    pthread_mutex_unlock(&state.lock);
    return file;
}

static void library_count(int change) {
    pthread_mutex_lock(&state.lock);
    if (state.on) state.libraries += change;
    pthread_mutex_unlock(&state.lock);
}

static int refuse(int error) {
    errno = error;
    return -1;
}

/* ---- the wrappers; the linker sends calls of x to __wrap_x, and __real_x to x ---- */

#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#ifdef __clang__
#pragma clang diagnostic ignored "-Wreserved-identifier"
#endif

extern void *__real_malloc(size_t bytes);
extern void *__real_calloc(size_t count, size_t bytes);
extern void *__real_realloc(void *old, size_t bytes);
extern char *__real_strdup(const char *string);
extern char *__real_strndup(const char *string, size_t bytes);
extern void __real_free(void *pointer);
extern int __real_open(const char *path, int flags, ...);
extern int __real_openat(int folder, const char *path, int flags, ...);
extern ssize_t __real_read(int file, void *bytes, size_t count);
extern ssize_t __real_pread(int file, void *bytes, size_t count, off_t offset);
extern ssize_t __real_write(int file, const void *bytes, size_t count);
extern int __real_fsync(int file);
extern int __real_close(int file);
extern int __real_fstat(int file, struct stat *status);
extern void *__real_dlopen(const char *path, int flags);
extern void *__real_dlsym(void *library, const char *name);
extern int __real_dlclose(void *library);
extern int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                                 void *argument);

void *__wrap_malloc(size_t bytes) {
    if (fail_nth_now(FAIL_MEMORY)) return refuse(ENOMEM), NULL;
    return live_add(__real_malloc(bytes));
}

void *__wrap_calloc(size_t count, size_t bytes) {
    if (fail_nth_now(FAIL_MEMORY)) return refuse(ENOMEM), NULL;
    return live_add(__real_calloc(count, bytes));
}

void *__wrap_realloc(void *old, size_t bytes) {
    if (fail_nth_now(FAIL_MEMORY)) return refuse(ENOMEM), NULL;
    bool ours = live_remove(old) || !old; /* what was made before the walk stays unseen */
    void *made = __real_realloc(old, bytes);
    if (ours) live_add(made ? made : old);
    return made;
}

char *__wrap_strdup(const char *string) {
    if (fail_nth_now(FAIL_MEMORY)) return refuse(ENOMEM), NULL;
    return live_add(__real_strdup(string));
}

char *__wrap_strndup(const char *string, size_t bytes) {
    if (fail_nth_now(FAIL_MEMORY)) return refuse(ENOMEM), NULL;
    return live_add(__real_strndup(string, bytes));
}

void __wrap_free(void *pointer) {
    live_remove(pointer);
    __real_free(pointer);
}

int __wrap_open(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    if ((flags & O_EXCL) && fail_nth_now(FAIL_EXCLUSIVE)) return refuse(EOPNOTSUPP);
    return fail_nth_now(FAIL_FILES) ? refuse(EMFILE) : fail_nth_file(__real_open(path, flags, mode), true);
}

int __wrap_openat(int folder, const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    if ((flags & O_EXCL) && fail_nth_now(FAIL_EXCLUSIVE)) return refuse(EOPNOTSUPP);
    return fail_nth_now(FAIL_FILES) ? refuse(EMFILE) : fail_nth_file(__real_openat(folder, path, flags, mode), true);
}

ssize_t __wrap_read(int file, void *bytes, size_t count) {
    return fail_nth_now(FAIL_FILES) ? refuse(EIO) : __real_read(file, bytes, count);
}

ssize_t __wrap_pread(int file, void *bytes, size_t count, off_t offset) {
    return fail_nth_now(FAIL_FILES) ? refuse(EIO) : __real_pread(file, bytes, count, offset);
}

ssize_t __wrap_write(int file, const void *bytes, size_t count) {
    return fail_nth_now(FAIL_FILES) ? refuse(ENOSPC) : __real_write(file, bytes, count);
}

/* A walk needs nothing on the disk, which may take milliseconds. */
int __wrap_fsync(int file) {
    if (fail_nth_now(FAIL_FILES)) return refuse(EIO);
    return is_on() ? 0 : __real_fsync(file);
}

int __wrap_close(int file) {
    bool fails = fail_nth_now(FAIL_FILES);
    fail_nth_file(file, false);
    int result = __real_close(file); /* Linux closes whatever it then reports */
    return fails ? refuse(EIO) : result;
}

int __wrap_fstat(int file, struct stat *status) {
    return fail_nth_now(FAIL_FILES) ? refuse(EIO) : __real_fstat(file, status);
}

void *__wrap_dlopen(const char *path, int flags) {
    void *library = fail_nth_now(FAIL_LIBRARY) ? NULL : __real_dlopen(path, flags);
    if (library) library_count(1);
    return library;
}

void *__wrap_dlsym(void *library, const char *name) {
    return fail_nth_now(FAIL_LIBRARY) ? NULL : __real_dlsym(library, name);
}

int __wrap_dlclose(void *library) {
    library_count(-1);
    return __real_dlclose(library);
}

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
    return fail_nth_now(FAIL_THREADS) ? EAGAIN : __real_pthread_create(thread, attributes, start, argument);
}

/* ---- the interface ---- */

void fail_nth_begin(int kinds, int n) {
    pthread_mutex_lock(&state.lock);
    memset(state.live, 0, sizeof state.live);
    memset(state.is_open, 0, sizeof state.is_open);
    state.allocations = state.files = state.libraries = 0;
    state.kinds = kinds;
    state.left = n;
    state.used = state.overflowed = state.always = false;
    state.act = NULL;
    state.on = true;
    pthread_mutex_unlock(&state.lock);
}

void fail_nth_always(int kinds) {
    fail_nth_begin(kinds, 1);
    state.always = true;
}

void fail_nth_act(int kinds, int n, void (*act)(void)) {
    fail_nth_begin(kinds, n);
    state.act = act;
}

bool fail_nth_end(void) {
    pthread_mutex_lock(&state.lock);
    state.on = false;
    bool used = state.used;
    pthread_mutex_unlock(&state.lock);
    return used;
}

void fail_nth_pause(void) {
    pthread_mutex_lock(&state.lock);
    state.left = 0;
    pthread_mutex_unlock(&state.lock);
}

int fail_nth_live_allocations(void) {
    return state.overflowed ? LIVE_MAX : state.allocations;
}

int fail_nth_live_files(void) {
    return state.files;
}

int fail_nth_live_libraries(void) {
    return state.libraries;
}
