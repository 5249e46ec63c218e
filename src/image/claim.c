/* Claims: waits for the lock of a key, or for its entry. */
#include "claim.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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

jr_key_lock_state jr_claim_wait(jr_key_lock *claim, double wait_ms, bool (*is_there)(void *of), void *of) {
    const double end = jr_clock_ms() + wait_ms;
    double step_ms = 0.25;
    jr_key_lock_state state;
    while ((state = jr_key_lock_try(claim)) == JR_KEY_LOCK_OF_OTHERS && jr_clock_ms() < end && !is_there(of))
        wait_a_step(&step_ms);
    return state;
}

typedef struct entry {
    const jr_cache *cache;
    const uint8_t *key;
} entry;

static bool is_stored(void *of) {
    const entry *asked = of;
    return jr_cache_has(asked->cache, asked->key);
}

/* Have all cores something to do, besides this thread? /proc/loadavg: "0.20 0.18 0.12 3/512 4242", 3 can run now. */
static bool is_machine_busy(void) {
    char text[64] = "";
    const int file = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
    const bool good = file >= 0 && read(file, text, sizeof text - 1) > 0;
    if (file >= 0) close(file);
    const char *slash = good ? strchr(text, '/') : NULL;
    while (slash != NULL && slash > text && slash[-1] != ' ') slash--;
    return slash != NULL && strtol(slash, NULL, 10) > sysconf(_SC_NPROCESSORS_ONLN);
}

/* Until the key is with others, or stored, or there is a core that has nothing to do. */
static void yield_key(const jr_key_lock *claim, double yield_ms, entry *asked) {
    const double end = jr_clock_ms() + yield_ms;
    double step_ms = 0.5;
    while (jr_clock_ms() < end && is_machine_busy() && !jr_key_lock_is_of_others(claim) && !is_stored(asked))
        wait_a_step(&step_ms);
}

bool jr_claim_begin(const jr_cache *cache, const uint8_t key[JR_DIGEST_BYTES], double yield_ms, double wait_ms,
                    jr_key_lock *claim) {
    entry asked = {cache, key};
    *claim = jr_key_lock_open(jr_cache_folder(cache), key);
    const bool opened = claim->file >= 0;
    if (opened) yield_key(claim, yield_ms, &asked);
    const jr_key_lock_state state = jr_claim_wait(claim, wait_ms > 0 ? wait_ms : DEFAULT_WAIT_MS, is_stored, &asked);
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
