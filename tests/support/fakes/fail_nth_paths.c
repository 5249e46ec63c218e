/* The wrappers of fail_nth.h for locks and paths. The linker takes them only with the flags of fail_nth.flags. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "fail_nth.h"
#include "fail_nth_count.h"

static int refuse(int error) {
    errno = error;
    return -1;
}

#pragma GCC diagnostic ignored "-Wmissing-prototypes"
#ifdef __clang__
#pragma clang diagnostic ignored "-Wreserved-identifier"
#endif

extern int __real_rename(const char *from, const char *to);
extern int __real_renameat(int from_folder, const char *from, int to_folder, const char *to);
extern int __real_mkdir(const char *path, mode_t mode);
extern int __real_fcntl(int file, int command, ...);
extern int __real_flock(int file, int operation);
extern int __real_stat(const char *path, struct stat *status);
extern int __real_fstatat(int folder, const char *path, struct stat *status, int flags);
extern int __real_lstat(const char *path, struct stat *status);
extern int __real_access(const char *path, int wanted);
extern char *__real_realpath(const char *path, char *resolved);
extern char *__real___realpath_chk(const char *path, char *resolved, size_t bytes);
extern DIR *__real_opendir(const char *path);
extern FILE *__real_fopen(const char *path, const char *mode);
extern void *__real_mmap(void *place, size_t bytes, int rights, int flags, int file, off_t offset);
extern int __real_chmod(const char *path, mode_t mode);
extern int __real_utimensat(int folder, const char *path, const struct timespec times[2], int flags);
extern int __real_symlink(const char *target, const char *path);
extern int __real_memfd_create(const char *name, unsigned flags);

/* All that our code asks of it takes a pointer. */
int __wrap_fcntl(int file, int command, ...) {
    va_list arguments;
    va_start(arguments, command);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    return fail_nth_now(FAIL_LOCKS) ? refuse(ENOLCK) : __real_fcntl(file, command, argument);
}

int __wrap_flock(int file, int operation) {
    return fail_nth_now(FAIL_LOCKS) ? refuse(ENOLCK) : __real_flock(file, operation);
}

int __wrap_stat(const char *path, struct stat *status) {
    return fail_nth_now(FAIL_PATHS) ? refuse(EACCES) : __real_stat(path, status);
}

int __wrap_fstatat(int folder, const char *path, struct stat *status, int flags) {
    return fail_nth_now(FAIL_PATHS) ? refuse(EACCES) : __real_fstatat(folder, path, status, flags);
}

int __wrap_lstat(const char *path, struct stat *status) {
    return fail_nth_now(FAIL_PATHS) ? refuse(EACCES) : __real_lstat(path, status);
}

int __wrap_access(const char *path, int wanted) {
    return fail_nth_now(FAIL_PATHS) ? refuse(EACCES) : __real_access(path, wanted);
}

/* What it allocates is libc's own, and not counted. */
char *__wrap_realpath(const char *path, char *resolved) {
    return fail_nth_now(FAIL_PATHS) ? (refuse(EACCES), NULL) : __real_realpath(path, resolved);
}

char *__wrap___realpath_chk(const char *path, char *resolved, size_t bytes) {
    return fail_nth_now(FAIL_PATHS) ? (refuse(EACCES), NULL) : __real___realpath_chk(path, resolved, bytes);
}

DIR *__wrap_opendir(const char *path) {
    return fail_nth_now(FAIL_PATHS) ? (refuse(EACCES), NULL) : __real_opendir(path);
}

FILE *__wrap_fopen(const char *path, const char *mode) {
    return fail_nth_now(FAIL_PATHS) ? (refuse(EMFILE), NULL) : __real_fopen(path, mode);
}

void *__wrap_mmap(void *place, size_t bytes, int rights, int flags, int file, off_t offset) {
    if (fail_nth_now(FAIL_PATHS)) return refuse(ENOMEM), MAP_FAILED;
    return __real_mmap(place, bytes, rights, flags, file, offset);
}

int __wrap_chmod(const char *path, mode_t mode) {
    return fail_nth_now(FAIL_PATHS) ? refuse(EACCES) : __real_chmod(path, mode);
}

int __wrap_utimensat(int folder, const char *path, const struct timespec times[2], int flags) {
    return fail_nth_now(FAIL_PATHS) ? refuse(EACCES) : __real_utimensat(folder, path, times, flags);
}

int __wrap_symlink(const char *target, const char *path) {
    return fail_nth_now(FAIL_PATHS) ? refuse(EACCES) : __real_symlink(target, path);
}

int __wrap_memfd_create(const char *name, unsigned flags) {
    return fail_nth_now(FAIL_PATHS) ? refuse(EMFILE) : fail_nth_file(__real_memfd_create(name, flags), true);
}

int __wrap_rename(const char *from, const char *to) {
    return fail_nth_now(FAIL_FILES) ? refuse(EACCES) : __real_rename(from, to);
}

int __wrap_renameat(int from_folder, const char *from, int to_folder, const char *to) {
    return fail_nth_now(FAIL_FILES) ? refuse(EACCES) : __real_renameat(from_folder, from, to_folder, to);
}

int __wrap_mkdir(const char *path, mode_t mode) {
    return fail_nth_now(FAIL_FILES) ? refuse(EACCES) : __real_mkdir(path, mode);
}
