/* Locks by a key: at most one thread of all processes that share a folder has a key's.
 *
 * A lock is of one byte of a file in the folder; the key says which one. The system ends it with its holder, however
 * that ends. Nothing here touches the error record of the calling thread. */
#ifndef JR_BASE_KEY_LOCK_H
#define JR_BASE_KEY_LOCK_H

#include <stdbool.h>

#include "digest.h"

typedef struct jr_key_lock {
    int file; /* -1: nothing is held */
    int64_t place;
} jr_key_lock;

typedef enum jr_key_lock_state {
    JR_KEY_LOCK_TAKEN,
    JR_KEY_LOCK_OF_OTHERS, /* to be tried again, or closed */
    JR_KEY_LOCK_NONE       /* the folder has no locks: read-only, full, or of a file system without them; closed */
} jr_key_lock_state;

/* Opens the folder's file of locks, which stays there. folder: "" has none. */
jr_key_lock jr_key_lock_open(const char *folder, const uint8_t key[JR_DIGEST_BYTES]);
jr_key_lock_state jr_key_lock_try(jr_key_lock *lock);

/* Would jr_key_lock_try find it with others? Takes nothing. */
bool jr_key_lock_is_of_others(const jr_key_lock *lock);

/* Gives it back; one that is not held is fine. */
void jr_key_lock_close(jr_key_lock *lock);

#endif
