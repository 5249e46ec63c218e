/* Keeps a folder of entries below its cap. */
#ifndef JR_BASE_EVICTION_H
#define JR_BASE_EVICTION_H

#include <stdbool.h>

#include "files.h"

typedef struct jr_eviction {
    const char *folder;
    uint64_t cap_bytes;
    bool (*is_entry)(const char *name); /* of a file that counts; others are not ours to touch */
    const char *kept;                   /* the name of an entry that stays; "": none */
} jr_eviction;

/* Removes the least recently used entries until the others take at most the cap, and half-written files
 * (JR_TEMPORARY_PREFIX) that are an hour old. Other processes may write and evict at the same time: an entry that
 * another one has removed is no error, and a wrong choice only costs a compile. total: receives the bytes of the
 * entries that are left, UINT64_MAX if the folder cannot be listed. Errors: those of jr_folder_list and jr_file_remove.
 */
jr_status jr_evict(const jr_eviction *how, uint64_t *total);

#endif
