/* Files and folders: whole reads, atomic writes, private folders. All failures are recorded with path and reason. */
#ifndef JR_BASE_FILES_H
#define JR_BASE_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jitreduce/status.h"

enum { JR_PATH_BYTES = 4096 };

/* Names of half-written files begin so; an old one is from a killed process, and may be removed. */
#define JR_TEMPORARY_PREFIX ".jitreduce-tmp-"

/* Reads a whole regular file (not through a symbolic link) of at most limit bytes.
 * *bytes is malloc'd with a NUL added. A file that is not there is a success with *missing set, and *bytes and *count
 * untouched; with missing NULL it is a failure. */
jr_status jr_file_read(const char *path, size_t limit, void **bytes, size_t *count, bool *missing);

/* The same of a file that must be ours: owned by us, no other may write to it, and it has no second name. */
jr_status jr_file_read_ours(const char *path, size_t limit, void **bytes, size_t *count, bool *missing);

/* Opens a regular file for reading (not through a symbolic link), whoever may read it, that only we or the system
 * (user 0) could have written. file: its descriptor, the caller's. */
jr_status jr_file_open_trusted(const char *path, int *file, uint64_t *bytes);

/* Reads exactly count bytes of an open file, from an offset on. path: for messages. */
jr_status jr_file_read_at(int file, const char *path, uint64_t offset, void *bytes, size_t count);

/* Writes folder/name whole or not at all: temporary file in the same folder, fsync, rename. Mode 0600.
 * A limit on the size of files is a failure, not a signal, and so is a device, a pipe or a folder of that name, which
 * stays. */
jr_status jr_file_write(const char *folder, const char *name, const void *bytes, size_t count);

/* Makes a folder and its parents, mode 0700, where they are missing. */
jr_status jr_folder_make(const char *path);

/* Keeps other processes that ask for the same lock of a folder out until jr_folder_unlock, after waiting for them for
 * wait_ms at most. -1: it could not be had (a file system without locks, a holder that does not let go); unlocking that
 * is fine. */
int jr_folder_lock(const char *path, double wait_ms);
void jr_folder_unlock(int lock);

/* As jr_folder_make; then demands what jr_folder_check does. A folder
 * that exists keeps its rights. */
jr_status jr_folder_make_private(const char *path);

/* Demands a real folder (no link), owned by us, in which no other can write; changes nothing. */
jr_status jr_folder_check(const char *path);

/* One regular file of a folder. */
typedef struct jr_folder_entry {
    char name[256];
    uint64_t bytes;
    int64_t used_ns; /* the later of the times of its last change and of its last reading */
} jr_folder_entry;

/* Lists the regular files of a folder; *entries is malloc'd (NULL when none), unsorted. */
jr_status jr_folder_list(const char *path, jr_folder_entry **entries, size_t *count);

/* Marks a file as used now (sets its modification time). Failures are ignored: it only orders eviction. */
void jr_file_touch(const char *path);

/* Removes a file; one that is not there is fine. */
jr_status jr_file_remove(const char *path);

bool jr_file_exists(const char *path); /* a regular file, links followed */

/* What identifies a file's content: size, modification time and inode, after following links. False when the file does
 * not exist. */
typedef struct jr_file_identity {
    uint64_t bytes, inode, device;
    int64_t modified_ns;
} jr_file_identity;
bool jr_file_identify(const char *path, jr_file_identity *identity);

/* Joins folder and name; false when the result does not fit JR_PATH_BYTES. */
bool jr_path_join(char out[JR_PATH_BYTES], const char *folder, const char *name);

#endif
