/* Who compiles a key: at most one thread of all processes that share a cache's folder.
 *
 * A claim is the key's lock in that folder. No result depends on it: where there are no locks, or after the longest
 * wait, each process compiles for itself. The calling thread's error record stays as it is. */
#ifndef JR_IMAGE_CLAIM_H
#define JR_IMAGE_CLAIM_H

#include "base/key_lock.h"
#include "cache.h"

/* Claims a key. While others have it, waits for their entry.
 *
 * yield_ms: leaves a free key to others for so long while all cores are busy: they may be better prepared to compile
 * it. wait_ms: for how long it waits for others, as in jr_options. claim: written in any case; to be closed when the
 * image is stored, or could not be made. Returns: true: the cache has an entry now, and nothing is claimed. false:
 * compile. */
bool jr_claim_begin(const jr_cache *cache, const uint8_t key[JR_DIGEST_BYTES], double yield_ms, double wait_ms,
                    jr_key_lock *claim);

/* Tries for a lock until it is taken, what its holder makes is there, or the time is over. */
jr_key_lock_state jr_claim_wait(jr_key_lock *claim, double wait_ms, bool (*is_there)(void *of), void *of);

/* Checks jr_options.wait_ms. Errors: JR_ERROR_INVALID_ARGUMENT. */
jr_status jr_claim_wait_check(double wait_ms);

#endif
