/* Claims: locks that belong to the open file, so that threads of one process wait for each other, too. */
#include "claim.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/files.h"
#include "base/log.h"

#define FILE_NAME ".jitreduce-claims"
static const double DEFAULT_WAIT_MS = 60000, LONGEST_STEP_MS = 10;

jr_status jr_claim_wait_check(double wait_ms) {
    if (wait_ms >= 0) return JR_OK;
    return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                   "wait_ms %g is not allowed: give milliseconds, 0 for %g, or INFINITY for no limit", wait_ms,
                   DEFAULT_WAIT_MS);
}

/* Opens the file of claims, which stays in the folder; -1: it cannot be opened. */
static int open_file(const jr_cache *cache) {
    char path[JR_PATH_BYTES];
    const char *folder = jr_cache_folder(cache);
    if (*folder == '\0' || !jr_path_join(path, folder, FILE_NAME)) return -1;
    return open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
}

/* Which byte of the file is the key's: below 2^62, the end of what files have. */
static int64_t place_of(const uint8_t key[JR_DIGEST_BYTES]) {
    uint64_t first;
    memcpy(&first, key, sizeof first);
    return (int64_t)(first >> 2);
}

static int set_lock(const jr_claim *claim, short type) {
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = claim->place, .l_len = 1};
    return fcntl(claim->file, F_OFD_SETLK, &lock);
}

static void wait_a_step(double *step_ms) {
    const struct timespec step = {.tv_nsec = (long)(*step_ms * 1e6)};
    nanosleep(&step, NULL);
    *step_ms = *step_ms * 2 < LONGEST_STEP_MS ? *step_ms * 2 : LONGEST_STEP_MS;
}

bool jr_claim_begin(const jr_cache *cache, const uint8_t key[JR_DIGEST_BYTES], double wait_ms, jr_claim *claim) {
    const double end = jr_clock_ms() + (wait_ms > 0 ? wait_ms : DEFAULT_WAIT_MS);
    double step_ms = 0.25;
    *claim = (jr_claim){open_file(cache), place_of(key)};
    while (claim->file >= 0 && set_lock(claim, F_WRLCK)) {
        if (errno == EINTR) continue;
        const bool held = errno == EAGAIN || errno == EACCES;
        if (!held || jr_clock_ms() >= end) {
            jr_log(JR_LOG_INFO, "%s",
                   held ? "another compile of the same kernel takes longer than wait_ms: compiling"
                        : "the cache's folder has no locks: compiling without");
            close(claim->file);
            claim->file = -1;
        } else if (jr_cache_has(cache, key)) {
            break;
        } else {
            wait_a_step(&step_ms);
        }
    }
    if (claim->file < 0 || !jr_cache_has(cache, key)) return false;
    jr_claim_end(claim);
    return true;
}

/* A process that was forked meanwhile has the open file, too: to close it is not enough. */
void jr_claim_end(jr_claim *claim) {
    if (claim->file < 0) return;
    set_lock(claim, F_UNLCK);
    close(claim->file);
    claim->file = -1;
}
