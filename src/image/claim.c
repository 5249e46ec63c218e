/* Claims: waits for the lock of a key, or for its entry. */
#include "claim.h"

#include <time.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"

static const double DEFAULT_WAIT_MS = 60000, LONGEST_STEP_MS = 10;

jr_status jr_claim_wait_check(double wait_ms) {
    if (wait_ms >= 0) return JR_OK;
    return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                   "wait_ms %g is not allowed: give milliseconds, 0 for %g, or INFINITY for no limit", wait_ms,
                   DEFAULT_WAIT_MS);
}

static void wait_a_step(double *step_ms) {
    const struct timespec step = {.tv_nsec = (long)(*step_ms * 1e6)};
    nanosleep(&step, NULL);
    *step_ms = *step_ms * 2 < LONGEST_STEP_MS ? *step_ms * 2 : LONGEST_STEP_MS;
}

bool jr_claim_begin(const jr_cache *cache, const uint8_t key[JR_DIGEST_BYTES], double wait_ms, jr_key_lock *claim) {
    const double end = jr_clock_ms() + (wait_ms > 0 ? wait_ms : DEFAULT_WAIT_MS);
    double step_ms = 0.25;
    jr_key_lock_state state;
    *claim = jr_key_lock_open(jr_cache_folder(cache), key);
    const bool opened = claim->file >= 0;
    while ((state = jr_key_lock_try(claim)) == JR_KEY_LOCK_OF_OTHERS && jr_clock_ms() < end &&
           !jr_cache_has(cache, key))
        wait_a_step(&step_ms);
    if (opened && jr_cache_has(cache, key) && state != JR_KEY_LOCK_NONE) {
        jr_key_lock_close(claim);
        return true;
    }
    if (state == JR_KEY_LOCK_NONE && opened) jr_log(JR_LOG_INFO, "the cache's folder has no locks: compiling without");
    if (state == JR_KEY_LOCK_OF_OTHERS) {
        jr_log(JR_LOG_INFO, "another compile of the same kernel takes longer than wait_ms: compiling");
        jr_key_lock_close(claim);
    }
    return false;
}
