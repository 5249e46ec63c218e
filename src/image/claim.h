/* Who compiles a key: at most one thread of all processes that share a cache's folder.
 *
 * A claim is a lock on one byte of a file in the folder; the key says which one. The system ends it with its holder,
 * however that ends. No result depends on it: where there are no locks (a folder that is read-only, full, or on a file
 * system without them), or after the longest wait, each process compiles for itself. The calling thread's error record
 * stays as it is. */
#ifndef JR_IMAGE_CLAIM_H
#define JR_IMAGE_CLAIM_H

#include "cache.h"

typedef struct jr_claim {
    int file; /* -1: nothing is held */
    int64_t place;
} jr_claim;

/* Claims a key. While others have it, waits for their entry.
 *
 * wait_ms: for how long, as in jr_options.
 * claim: written in any case; to be ended when the image is stored, or could not be made.
 * Returns: true: the cache has an entry now, and nothing is claimed. false: compile. */
bool jr_claim_begin(const jr_cache *cache, const uint8_t key[JR_DIGEST_BYTES], double wait_ms, jr_claim *claim);
void jr_claim_end(jr_claim *claim); /* a claim that is not held is fine */

/* Checks jr_options.wait_ms. Errors: JR_ERROR_INVALID_ARGUMENT. */
jr_status jr_claim_wait_check(double wait_ms);

#endif
