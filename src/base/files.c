/* Whole reads and atomic writes of files. A name is never followed through a symbolic link: what lies in a cache folder
 * is code, and a link would let somebody else choose it. */
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "error.h"

enum { TEMPORARY_TRIES = 16 };

/* Reads until count bytes or the end; the number read, or -1 with errno. */
static ssize_t read_all(int file, char *bytes, size_t count) {
    size_t done = 0;
    while (done < count) {
        ssize_t got = read(file, bytes + done, count - done);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return -1;
        if (got == 0) break;
        done += (size_t)got;
    }
    return (ssize_t)done;
}

static bool write_all(int file, const char *bytes, size_t count) {
    while (count > 0) {
        ssize_t put = write(file, bytes, count);
        if (put < 0 && errno == EINTR) continue;
        if (put == 0) errno = ENOSPC; /* not in POSIX's words for regular files, but never loop on it */
        if (put <= 0) return false;
        bytes += put;
        count -= (size_t)put;
    }
    return true;
}

/* Reads an open file; checks kind and size. */
static jr_status read_open_file(int file, const char *path, size_t limit, void **bytes, size_t *count) {
    struct stat status;
    if (fstat(file, &status))
        return jr_fail(JR_ERROR_FILE, "cannot read the properties of %s: %s", path, strerror(errno));
    if (!S_ISREG(status.st_mode)) return jr_fail(JR_ERROR_FILE, "%s is not a regular file", path);
    if ((uint64_t)status.st_size > limit || (uint64_t)status.st_size > SIZE_MAX - 2)
        return jr_fail(JR_ERROR_FILE, "%s has %lld bytes, more than the %zu allowed", path, (long long)status.st_size,
                       limit);
    size_t size = (size_t)status.st_size;
    char *data = malloc(size + 2);
    if (!data) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory to read the %zu bytes of %s", size, path);
    ssize_t got = read_all(file, data, size + 1); /* one more, to notice that it grew */
    if (got < 0 || (size_t)got > size) {
        jr_fail(JR_ERROR_FILE, "cannot read %s: %s", path, got < 0 ? strerror(errno) : "it grew while being read");
        free(data);
        return JR_ERROR_FILE;
    }
    data[got] = '\0';
    *bytes = data;
    *count = (size_t)got;
    return JR_OK;
}

/* Opens a file for reading; -1 and *missing set, or a recorded failure. */
static int open_file(const char *path, bool *missing, jr_status *status) {
    /* O_NONBLOCK: opening a pipe must not wait for a writer; it changes nothing for a regular file. */
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    *status = JR_OK;
    if (file < 0 && missing && (errno == ENOENT || errno == ENOTDIR))
        *missing = true;
    else if (file < 0)
        *status = jr_fail(JR_ERROR_FILE, "cannot open %s: %s", path,
                          errno == ELOOP ? "it is a symbolic link" : strerror(errno));
    return file;
}

/* Could only we have written this open file, or, where the system counts as one of us, it? A second name may lie in a
 * folder of others. (None at all is one that was replaced meanwhile.) */
static jr_status check_owner(int file, const char *path, bool or_system) {
    struct stat status;
    if (fstat(file, &status))
        return jr_fail(JR_ERROR_FILE, "cannot read the properties of %s: %s", path, strerror(errno));
    if (status.st_uid != geteuid() && !(or_system && status.st_uid == 0))
        return jr_fail(JR_ERROR_FILE, "cannot use %s: it belongs to user %u, not to us (user %u)", path,
                       (unsigned)status.st_uid, (unsigned)geteuid());
    if (status.st_mode & 022)
        return jr_fail(JR_ERROR_FILE, "cannot use %s: others can write to it (mode %03o)", path,
                       (unsigned)(status.st_mode & 0777));
    if (!S_ISREG(status.st_mode) || status.st_nlink <= 1) return JR_OK;
    return jr_fail(JR_ERROR_FILE, "cannot use %s: it has %llu names (hard links), and others may use them", path,
                   (unsigned long long)status.st_nlink);
}

static jr_status check_ours(int file, const char *path) {
    return check_owner(file, path, false);
}

/* check: NULL, or what the open file must pass. */
static jr_status read_checked(const char *path, jr_status (*check)(int file, const char *path), size_t limit,
                              void **bytes, size_t *count, bool *missing) {
    jr_status status;
    const int file = open_file(path, missing, &status);
    if (file < 0) return status;
    if (check) status = check(file, path);
    if (!status) status = read_open_file(file, path, limit, bytes, count);
    close(file);
    if (!status && missing) *missing = false;
    return status;
}

jr_status jr_file_read(const char *path, size_t limit, void **bytes, size_t *count, bool *missing) {
    return read_checked(path, NULL, limit, bytes, count, missing);
}

jr_status jr_file_read_ours(const char *path, size_t limit, void **bytes, size_t *count, bool *missing) {
    return read_checked(path, check_ours, limit, bytes, count, missing);
}

/* Kind and size of an open file that others must not have written. */
static jr_status check_trusted(int file, const char *path, uint64_t *bytes) {
    struct stat status;
    const jr_status checked = check_owner(file, path, true);
    if (checked) return checked;
    if (fstat(file, &status))
        return jr_fail(JR_ERROR_FILE, "cannot read the properties of %s: %s", path, strerror(errno));
    if (!S_ISREG(status.st_mode)) return jr_fail(JR_ERROR_FILE, "%s is not a regular file", path);
    *bytes = (uint64_t)status.st_size;
    return JR_OK;
}

jr_status jr_file_open_trusted(const char *path, int *file, uint64_t *bytes) {
    jr_status status;
    const int opened = open_file(path, NULL, &status);
    if (opened < 0) return status;
    status = check_trusted(opened, path, bytes);
    if (status)
        close(opened);
    else
        *file = opened;
    return status;
}

jr_status jr_file_read_at(int file, const char *path, uint64_t offset, void *bytes, size_t count) {
    char *at = bytes;
    while (count > 0) {
        const ssize_t got = pread(file, at, count, (off_t)offset);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0)
            return jr_fail(JR_ERROR_FILE, "cannot read %s: %s", path, got < 0 ? strerror(errno) : "it was truncated");
        at += got;
        count -= (size_t)got;
        offset += (uint64_t)got;
    }
    return JR_OK;
}

/* Creates a file of a name that no one else has, in an open folder; its descriptor, or -1 with errno. */
static int temporary_create(int folder, char *name, size_t name_bytes) {
    for (unsigned i = 0; i < TEMPORARY_TRIES; i++) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        /* The address of a local variable distinguishes threads; O_EXCL catches the remaining collisions (hosts that
         * share a network folder). */
        snprintf(name, name_bytes, JR_TEMPORARY_PREFIX "%ld-%lx%09lx-%lx-%u", (long)getpid(), (long)now.tv_sec,
                 (long)now.tv_nsec, (unsigned long)(uintptr_t)&now, i);
        int file = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (file >= 0 || errno != EEXIST) return file;
    }
    return -1;
}

/* Writes all bytes; false with errno. A write beyond the limit of a file's size raises SIGXFSZ in the thread that
 * writes, which ends a process that does not expect it: it is held off here, and taken back unless one waited before.
 */
static bool write_unsignalled(int file, const void *bytes, size_t count) {
    static const struct timespec at_once = {0};
    sigset_t signals, before, pending;
    sigemptyset(&signals);
    sigaddset(&signals, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &signals, &before);
    sigpending(&pending);
    const bool good = write_all(file, bytes, count);
    const int reason = errno;
    if (!good && reason == EFBIG && !sigismember(&pending, SIGXFSZ))
        while (sigtimedwait(&signals, NULL, &at_once) < 0 && errno == EINTR) continue;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = reason;
    return good;
}

/* Fills the temporary file and closes it, whatever happens; false with errno. */
static bool temporary_fill(int file, const void *bytes, size_t count) {
    bool good = write_unsignalled(file, bytes, count) && fsync(file) == 0;
    int reason = errno;
    if (close(file) && good) return false;
    errno = reason;
    return good;
}

static jr_status write_in_folder(int folder, const char *path, const char *name, const void *bytes, size_t count) {
    char temporary[128];
    int file = temporary_create(folder, temporary, sizeof temporary);
    if (file < 0) return jr_fail(JR_ERROR_FILE, "cannot create a file in %s: %s", path, strerror(errno));
    const bool filled = temporary_fill(file, bytes, count);
    if (filled && renameat(folder, temporary, folder, name) == 0) return JR_OK;
    jr_fail(JR_ERROR_FILE, "cannot %s %s/%s: %s", filled ? "rename" : "write", path, name, strerror(errno));
    unlinkat(folder, temporary, 0);
    return JR_ERROR_FILE;
}

/* A device or a pipe of that name would be gone, and an ordinary file stand in its place. */
static jr_status check_replaceable(int folder, const char *path, const char *name) {
    struct stat status;
    if (fstatat(folder, name, &status, 0) || S_ISREG(status.st_mode)) return JR_OK;
    return jr_fail(JR_ERROR_FILE, "cannot write %s/%s: it exists and is not a regular file", path, name);
}

jr_status jr_file_write(const char *folder, const char *name, const void *bytes, size_t count) {
    if (!*name || strchr(name, '/') || !strcmp(name, ".") || !strcmp(name, ".."))
        return jr_fail(JR_ERROR_FILE, "'%s' is not a file name", name);
    int handle = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (handle < 0) return jr_fail(JR_ERROR_FILE, "cannot open folder %s: %s", folder, strerror(errno));
    jr_status status = check_replaceable(handle, folder, name);
    if (status == JR_OK) status = write_in_folder(handle, folder, name, bytes, count);
    close(handle);
    return status;
}

void jr_file_touch(const char *path) {
    utimensat(AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW);
}

jr_status jr_file_remove(const char *path) {
    if (unlink(path) == 0 || errno == ENOENT || errno == ENOTDIR) return JR_OK;
    return jr_fail(JR_ERROR_FILE, "cannot remove %s: %s", path, strerror(errno));
}

bool jr_file_exists(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

bool jr_file_identify(const char *path, jr_file_identity *identity) {
    struct stat status;
    if (stat(path, &status) || !S_ISREG(status.st_mode)) return false;
    *identity = (jr_file_identity){
        .bytes = (uint64_t)status.st_size,
        .inode = (uint64_t)status.st_ino,
        .device = (uint64_t)status.st_dev,
        .modified_ns = (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec,
    };
    return true;
}

bool jr_path_join(char out[JR_PATH_BYTES], const char *folder, const char *name) {
    size_t length = strlen(folder);
    const char *slash = length && folder[length - 1] == '/' ? "" : "/";
    int written = snprintf(out, JR_PATH_BYTES, "%s%s%s", folder, slash, name);
    return written >= 0 && written < JR_PATH_BYTES;
}
