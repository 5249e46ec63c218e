/* Folders: private ones for the cache, and their listing. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "error.h"
#include "files.h"

/* Copies a path without trailing "/" and "/.": with them, a link would be followed after all. */
static jr_status trim(char out[JR_PATH_BYTES], const char *path) {
    size_t length = strlen(path);
    if (length == 0 || length >= JR_PATH_BYTES)
        return jr_fail(JR_ERROR_FILE, "the folder path is empty or too long: '%.64s'", path);
    memcpy(out, path, length + 1);
    while (length > 1 && (out[length - 1] == '/' || (out[length - 1] == '.' && out[length - 2] == '/'))) length--;
    out[length] = '\0';
    return JR_OK;
}

/* Makes the folder and every missing parent, private to us. One that exists is fine here: it is looked at later. */
static jr_status folders_make(char *path) {
    for (char *slash = path + 1;; slash++) {
        slash = strchr(slash, '/');
        if (slash) *slash = '\0';
        int failed = mkdir(path, 0700) && errno != EEXIST;
        int reason = errno;
        /* A parent that cannot be made but is there all the same (automounts, read-only roots) is no failure. */
        struct stat status;
        if (failed && stat(path, &status) == 0) failed = 0;
        if (failed) return jr_fail(JR_ERROR_FILE, "cannot make folder %s: %s", path, strerror(reason));
        if (!slash) return JR_OK;
        *slash = '/';
    }
}

jr_status jr_folder_check(const char *path) {
    char trimmed[JR_PATH_BYTES];
    struct stat seen;
    const jr_status status = trim(trimmed, path);
    if (status) return status;
    const bool there = lstat(trimmed, &seen) == 0;
    const char *reason = NULL;
    if (there && !S_ISDIR(seen.st_mode))
        reason = S_ISLNK(seen.st_mode) ? "it is a symbolic link" : "it is not a folder";
    else if (!there || (seen.st_uid == geteuid() && faccessat(AT_FDCWD, trimmed, R_OK, AT_EACCESS)))
        reason = strerror(errno);
    if (reason) return jr_fail(JR_ERROR_FILE, "cannot use folder %s: %s", trimmed, reason);
    if (seen.st_uid != geteuid())
        return jr_fail(JR_ERROR_FILE, "cannot use folder %s: it belongs to user %u, not to us (user %u)", trimmed,
                       (unsigned)seen.st_uid, (unsigned)geteuid());
    if (!(seen.st_mode & 022)) return JR_OK;
    return jr_fail(JR_ERROR_FILE, "cannot use folder %s: others can write in it (mode %03o)", trimmed,
                   (unsigned)(seen.st_mode & 0777));
}

jr_status jr_folder_make(const char *path) {
    char trimmed[JR_PATH_BYTES];
    const jr_status status = trim(trimmed, path);
    return status ? status : folders_make(trimmed);
}

/* A folder that is there already keeps its rights: it may be shared on purpose, and then is not for us. */
jr_status jr_folder_make_private(const char *path) {
    const jr_status status = jr_folder_make(path);
    return status ? status : jr_folder_check(path);
}

/* flock() waits without an end, so it is asked again and again. */
int jr_folder_lock(const char *path, double wait_ms) {
    enum { STEP_NS = 5000000 };
    const struct timespec step = {.tv_nsec = STEP_NS};
    const double end = jr_clock_ms() + wait_ms;
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return -1;
    while (flock(folder, LOCK_EX | LOCK_NB)) {
        if ((errno != EWOULDBLOCK && errno != EINTR) || jr_clock_ms() >= end) {
            close(folder);
            return -1;
        }
        nanosleep(&step, NULL);
    }
    return folder;
}

void jr_folder_unlock(int lock) {
    if (lock < 0) return;
    flock(lock, LOCK_UN); /* a process that was forked meanwhile has it open, too */
    close(lock);
}

/* Adds one entry to the list, which grows by doubling; false when out of memory. */
static bool entries_add(jr_folder_entry **entries, size_t *count, const char *name, const struct stat *status) {
    if ((*count & (*count - 1)) == 0) { /* 0 or a power of two: full */
        size_t capacity = *count ? *count * 2 : 1;
        jr_folder_entry *larger = realloc(*entries, capacity * sizeof *larger);
        if (!larger) return false;
        *entries = larger;
    }
    jr_folder_entry *entry = *entries + (*count)++;
    snprintf(entry->name, sizeof entry->name, "%s", name);
    entry->bytes = (uint64_t)status->st_size;
    const int64_t changed_ns = (int64_t)status->st_mtim.tv_sec * 1000000000 + status->st_mtim.tv_nsec,
                  read_ns = (int64_t)status->st_atim.tv_sec * 1000000000 + status->st_atim.tv_nsec;
    entry->used_ns = changed_ns > read_ns ? changed_ns : read_ns;
    return true;
}

static jr_status list_stream(DIR *stream, const char *path, jr_folder_entry **entries, size_t *count) {
    for (;;) {
        errno = 0;
        const struct dirent *item = readdir(stream);
        if (!item && errno) return jr_fail(JR_ERROR_FILE, "cannot list folder %s: %s", path, strerror(errno));
        if (!item) return JR_OK;
        struct stat status;
        if (fstatat(dirfd(stream), item->d_name, &status, AT_SYMLINK_NOFOLLOW)) continue; /* gone meanwhile */
        if (!S_ISREG(status.st_mode)) continue;
        if (!entries_add(entries, count, item->d_name, &status))
            return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory to list folder %s", path);
    }
}

jr_status jr_folder_list(const char *path, jr_folder_entry **entries, size_t *count) {
    DIR *stream = opendir(path);
    if (!stream) return jr_fail(JR_ERROR_FILE, "cannot open folder %s: %s", path, strerror(errno));
    jr_folder_entry *found = NULL;
    size_t found_count = 0;
    jr_status status = list_stream(stream, path, &found, &found_count);
    closedir(stream);
    if (status) {
        free(found);
        return status;
    }
    *entries = found;
    *count = found_count;
    return JR_OK;
}
