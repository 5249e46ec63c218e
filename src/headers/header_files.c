/* Looks at paths and reads files, each once. */
#include "header_files.h"

#include <errno.h>
#include <fcntl.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"

/* File systems give changes the time of their last clock tick; a file that changed this long ago will not change again
 * within the same one. */
static const int64_t settling_ns = 2000000000;

/* A path and what it led to. */
typedef struct looked {
    jr_probe probe;
    jr_header_file *file;
} looked;

struct jr_header_files {
    void *by_path; /* trees of tsearch(3): looked, and jr_header_file */
    void *by_identity;
    size_t path_count, bytes;
    jr_probe *given; /* while probes are being given away */
    size_t given_count;
    bool given_failed;
};

static int compare_paths(const void *left, const void *right) {
    return strcmp(((const looked *)left)->probe.path, ((const looked *)right)->probe.path);
}

static int compare_identities(const void *left, const void *right) {
    const jr_file_stamp *a = &((const jr_header_file *)left)->probe->stamp;
    const jr_file_stamp *b = &((const jr_header_file *)right)->probe->stamp;
    if (a->inode != b->inode) return a->inode < b->inode ? -1 : 1;
    return a->device == b->device ? 0 : a->device < b->device ? -1 : 1;
}

static void looked_free(void *opaque) {
    looked *item = opaque;
    free(item->probe.path);
    free(item);
}

static void file_free(void *opaque) {
    jr_header_file *file = opaque;
    free(file->text);
    free(file->name);
    free(file);
}

jr_status jr_header_files_create(jr_header_files **files) {
    jr_header_files *made = calloc(1, sizeof *made);
    if (made == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory to look for headers");
    *files = made;
    return JR_OK;
}

void jr_header_files_destroy(jr_header_files *files) {
    if (files == NULL) return;
    tdestroy(files->by_identity, file_free);
    tdestroy(files->by_path, looked_free);
    free(files);
}

/* ---- one file ---- */

static int64_t ns_of(struct timespec time) {
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void stamp_of(const struct stat *status, jr_probe *probe) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    probe->stamp = (jr_file_stamp){.bytes = (uint64_t)status->st_size,
                                   .inode = (uint64_t)status->st_ino,
                                   .device = (uint64_t)status->st_dev,
                                   .modified_ns = ns_of(status->st_mtim),
                                   .changed_ns = ns_of(status->st_ctim)};
    probe->settled = ns_of(now) - probe->stamp.changed_ns > settling_ns;
}

static bool is_nothing(int reason) {
    return reason == ENOENT || reason == ENOTDIR || reason == ENAMETOOLONG;
}

/* Opens what lies at a path; -1 and *reason 0: nothing does, or a folder; else why it cannot be read. */
static int open_header(const char *path, struct stat *status, int *reason) {
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    *reason = 0;
    if (file < 0) {
        *reason = is_nothing(errno) ? 0 : errno;
        return -1;
    }
    if (fstat(file, status) != 0) *reason = errno;
    if (*reason == 0 && S_ISREG(status->st_mode)) return file;
    if (*reason == 0 && !S_ISDIR(status->st_mode)) *reason = EINVAL;
    close(file);
    return -1;
}

/* Reads all that there is, up to a limit; NULL with errno. A file may grow or shrink meanwhile: what was read counts.
 */
static char *read_text(int file, size_t expected, size_t *count) {
    size_t capacity = expected + 1, done = 0;
    char *text = malloc(capacity + 1);
    while (text != NULL) {
        const ssize_t got = read(file, text + done, capacity - done);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0 || done + (size_t)got > JR_HEADER_BYTES_MAX) {
            if (got == 0) break;
            if (got > 0) errno = EFBIG;
            free(text);
            return NULL;
        }
        done += (size_t)got;
        if (done < capacity) continue;
        char *larger = realloc(text, 2 * capacity + 1);
        if (larger == NULL) {
            free(text);
            return NULL;
        }
        text = larger;
        capacity *= 2;
    }
    if (text != NULL) text[done] = '\0';
    *count = done;
    return text;
}

static jr_status fail_read(const char *folder, const char *name, int reason) {
    const char *why = reason == EINVAL  ? "it is not a regular file"
                      : reason == EFBIG ? "it is larger than the 64 MiB that a header may have"
                                        : strerror(reason);
    if (reason == ENOMEM) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory to read the header %s", name);
    return jr_fail(JR_ERROR_FILE, "the header %s in the include folder %s cannot be read: %s", name, folder, why);
}

/* Puts a file that was read into the set, or finds it there under another path. */
static jr_status add_file(jr_header_files *files, looked *item, char *text, size_t bytes) {
    jr_header_file *file = calloc(1, sizeof *file);
    if (file == NULL) goto no_memory;
    file->probe = &item->probe;
    jr_header_file **place = tsearch(file, &files->by_identity, compare_identities);
    if (place == NULL) goto no_memory;
    item->file = *place;
    if (*place != file) {
        free(file);
        free(text);
        return JR_OK;
    }
    file->text = text;
    files->bytes += bytes;
    return JR_OK;

no_memory:
    free(file);
    free(text);
    return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the header %s", item->probe.path);
}

/* Reads what lies at a new path. */
static jr_status look(jr_header_files *files, looked *item, const char *folder, const char *name) {
    struct stat status;
    int reason;
    size_t bytes = 0;
    const int descriptor = open_header(item->probe.path, &status, &reason);
    if (descriptor < 0) return reason == 0 ? JR_OK : fail_read(folder, name, reason);
    stamp_of(&status, &item->probe);
    errno = EFBIG;
    char *text = status.st_size <= JR_HEADER_BYTES_MAX ? read_text(descriptor, (size_t)status.st_size, &bytes) : NULL;
    reason = errno;
    close(descriptor);
    if (text == NULL) return fail_read(folder, name, reason);
    if (strlen(text) != bytes) {
        free(text);
        return jr_fail(JR_ERROR_FILE, "the header %s in the include folder %s is not text: it has a byte 0", name,
                       folder);
    }
    if (files->bytes + bytes > JR_HEADERS_BYTES_MAX) {
        free(text);
        return jr_fail(JR_ERROR_FILE, "the headers of a program have more than 512 MiB: the header %s in the folder %s",
                       name, folder);
    }
    item->probe.there = true;
    jr_digest_of(text, bytes, item->probe.digest);
    return add_file(files, item, text, bytes);
}

static char *joined(const char *folder, const char *name) {
    jr_text path = {0};
    const size_t length = strlen(folder);
    jr_text_append(&path, length > 0 && folder[length - 1] == '/' ? "%s%s" : "%s/%s", folder, name);
    return jr_text_take(&path);
}

jr_status jr_header_files_find(jr_header_files *files, const char *folder, const char *name, jr_header_file **file) {
    looked wanted = {.probe = {.path = joined(folder, name)}};
    looked *const *found = wanted.probe.path != NULL ? tfind(&wanted, &files->by_path, compare_paths) : NULL;
    *file = NULL;
    if (found != NULL) {
        free(wanted.probe.path);
        *file = (*found)->file;
        return JR_OK;
    }
    if (files->path_count >= JR_HEADER_PATHS_MAX) {
        free(wanted.probe.path);
        return jr_fail(JR_ERROR_FILE, "the includes of a program were looked for at %zu paths: that is too many",
                       files->path_count);
    }
    looked *item = wanted.probe.path != NULL ? malloc(sizeof *item) : NULL;
    if (item != NULL) *item = wanted;
    if (item == NULL || tsearch(item, &files->by_path, compare_paths) == NULL) {
        free(item);
        free(wanted.probe.path);
        return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory to look for the header %s", name);
    }
    files->path_count++;
    const jr_status status = look(files, item, folder, name);
    if (status == JR_OK) *file = item->file;
    return status;
}

/* ---- probes ---- */

static void give(const void *node, VISIT visit, void *opaque) {
    jr_header_files *files = opaque;
    if (visit != postorder && visit != leaf) return;
    const looked *item = *(looked *const *)node;
    jr_probe *probe = &files->given[files->given_count++];
    *probe = item->probe;
    probe->path = jr_string_copy(item->probe.path);
    files->given_failed = files->given_failed || probe->path == NULL;
}

jr_status jr_header_files_probes(const jr_header_files *files, jr_probe **probes, size_t *count) {
    jr_header_files walk = *files;
    walk.given_count = 0;
    walk.given = calloc(files->path_count + 1, sizeof *walk.given);
    walk.given_failed = walk.given == NULL;
    if (walk.given != NULL) twalk_r(files->by_path, give, &walk);
    if (walk.given_failed) {
        jr_probes_free(walk.given, walk.given_count);
        return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory to remember headers");
    }
    *probes = walk.given;
    *count = walk.given_count;
    return JR_OK;
}

void jr_probes_free(jr_probe *probes, size_t count) {
    for (size_t i = 0; i < count; i++) free(probes[i].path);
    free(probes);
}

static bool same_stamp(const jr_file_stamp *a, const jr_file_stamp *b) {
    return a->bytes == b->bytes && a->inode == b->inode && a->device == b->device && a->modified_ns == b->modified_ns &&
           a->changed_ns == b->changed_ns;
}

/* Reads a file whose stamp differs: it may hold the same bytes. */
static bool same_bytes(jr_probe *probe) {
    struct stat status;
    int reason;
    size_t bytes = 0;
    uint8_t digest[JR_DIGEST_BYTES];
    const int descriptor = open_header(probe->path, &status, &reason);
    if (descriptor < 0) return false;
    char *text =
        (uint64_t)status.st_size == probe->stamp.bytes ? read_text(descriptor, probe->stamp.bytes, &bytes) : NULL;
    close(descriptor);
    if (text == NULL) return false;
    jr_digest_of(text, bytes, digest);
    free(text);
    if (memcmp(digest, probe->digest, sizeof digest) != 0) return false;
    stamp_of(&status, probe);
    return true;
}

bool jr_probe_holds(jr_probe *probe, bool *renewed) {
    struct stat status;
    jr_probe now = *probe;
    const bool there = stat(probe->path, &status) == 0;
    if (!there && !is_nothing(errno)) return false;
    if (!there || S_ISDIR(status.st_mode)) return !probe->there;
    if (!probe->there || !S_ISREG(status.st_mode)) return false;
    stamp_of(&status, &now);
    if (probe->settled && same_stamp(&now.stamp, &probe->stamp)) return true;
    if (!same_bytes(probe)) return false;
    *renewed = *renewed || probe->settled;
    return true;
}
