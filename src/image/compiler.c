/* Opens NVRTC once, on demand, and caps the number of concurrent compiles. */
#include "compiler.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "base/own_thread.h"
#include "base/text.h"
#include "claim.h"
#include "loader/map_place.h"

/* Each compile takes hundreds of megabytes; NVRTC gains little beyond this many at once. */
enum { COMPILES_AT_ONCE = 8 };

struct jr_compiler {
    char *requested_path; /* NULL: search */
    char *record_folder;
    jr_pch *pch;          /* NULL: no precompiled headers */
    pthread_mutex_t lock; /* guards everything below */
    pthread_cond_t place_free;
    int busy; /* compiles under way */
    bool described, opened;
    bool recalled; /* the record on disk was looked for, if only to see */
    bool others;   /* other processes compile here, too */
    jr_nvrtc_about record;
    jr_nvrtc nvrtc;
};

jr_status jr_compiler_open(const char *nvrtc_path, const char *record_folder, jr_compiler **compiler) {
    jr_compiler *made = calloc(1, sizeof *made);
    if (made == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the compiler's state");
    made->requested_path = jr_string_copy(nvrtc_path);
    made->record_folder = jr_string_copy(record_folder);
    if ((nvrtc_path != NULL && made->requested_path == NULL) || made->record_folder == NULL) {
        free(made->requested_path);
        free(made->record_folder);
        free(made);
        return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the compiler's paths");
    }
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->place_free, NULL);
    if (jr_pch_open(record_folder, &made->pch) != JR_OK) {
        jr_compiler_close(made);
        return JR_ERROR_OUT_OF_MEMORY;
    }
    *compiler = made;
    return JR_OK;
}

void jr_compiler_close(jr_compiler *compiler) {
    if (compiler == NULL) return;
    if (compiler->opened) jr_nvrtc_close(&compiler->nvrtc);
    jr_pch_close(compiler->pch);
    pthread_cond_destroy(&compiler->place_free);
    pthread_mutex_destroy(&compiler->lock);
    free(compiler->requested_path);
    free(compiler->record_folder);
    free(compiler);
}

static jr_status run_open(void *opaque) {
    jr_compiler *compiler = opaque;
    const uintptr_t place = compiler->pch != NULL ? compiler->record.place : 0;
    return jr_nvrtc_open_at(compiler->record.path, place, &compiler->nvrtc);
}

/* Lock held. Opens NVRTC from the path of the record and takes down what it says of itself, unless the record was found
 * on disk: then it is of this very file, and other threads may be reading it without the lock. */
static jr_status open_nvrtc(jr_compiler *compiler) {
    if (compiler->opened) return JR_OK;
    JR_TRY(jr_own_thread_run(run_open, compiler)); /* its beginning needs 40 KiB of stack, too */
    compiler->opened = true;
    if (compiler->described) return JR_OK;
    const uintptr_t place = compiler->record.place;
    compiler->record = compiler->nvrtc.about;
    compiler->record.place = place;
    jr_compiler_record_write(compiler->record_folder, &compiler->record);
    return JR_OK;
}

static bool read_record(void *opaque) {
    jr_compiler *compiler = opaque;
    compiler->described = jr_compiler_record_read(compiler->record_folder, compiler->record.path, &compiler->record);
    return compiler->described;
}

/* Lock held. One of the processes that find no record opens NVRTC and writes it: the others may never need NVRTC, and
 * all agree on its place. */
static jr_status open_or_wait(jr_compiler *compiler) {
    static const double WAIT_MS = 1000; /* to open it takes 0.1 s */
    uint8_t key[JR_DIGEST_BYTES];
    jr_status status = JR_OK;
    jr_digest_of(compiler->record.path, strlen(compiler->record.path), key);
    jr_key_lock claim = jr_key_lock_open(compiler->record_folder, key);
    (void)jr_claim_wait(&claim, WAIT_MS, read_record, compiler);
    compiler->others = compiler->described || read_record(compiler);
    if (!compiler->others) {
        compiler->record.place = jr_map_place_choose();
        status = open_nvrtc(compiler);
    }
    jr_key_lock_close(&claim);
    return status;
}

/* Lock held. The record must not be open to others yet. */
static jr_status describe_by(jr_compiler *compiler, bool may_open) {
    JR_TRY(jr_nvrtc_locate(NULL, compiler->requested_path, NULL, compiler->record.path));
    if (read_record(compiler) || !may_open) return JR_OK;
    const jr_status status = open_or_wait(compiler);
    compiler->described = status == JR_OK;
    return status;
}

/* Lock held. */
static jr_status describe(jr_compiler *compiler, bool may_open) {
    if (compiler->described) return JR_OK;
    const jr_status status = describe_by(compiler, may_open);
    if (compiler->described)
        jr_log(JR_LOG_INFO, "NVRTC %d.%d, build %s: %s", compiler->record.major, compiler->record.minor,
               compiler->record.build, compiler->record.path);
    return status;
}

static void lock(jr_compiler *compiler) {
    jr_log_hold();
    pthread_mutex_lock(&compiler->lock);
}

static void unlock(jr_compiler *compiler) {
    pthread_mutex_unlock(&compiler->lock);
    jr_log_release();
}

jr_status jr_compiler_describe(jr_compiler *compiler, const jr_nvrtc_about **record) {
    lock(compiler);
    const jr_status status = describe(compiler, true);
    unlock(compiler);
    if (status == JR_OK) *record = &compiler->record;
    return status;
}

const jr_nvrtc_about *jr_compiler_recall(jr_compiler *compiler) {
    JR_KEEP_ERROR;
    lock(compiler);
    if (!compiler->recalled && *compiler->record_folder != '\0') (void)describe(compiler, false);
    compiler->recalled = true;
    const bool described = compiler->described;
    unlock(compiler);
    return described ? &compiler->record : NULL;
}

jr_status jr_compiler_acquire(jr_compiler *compiler, const jr_nvrtc **nvrtc) {
    lock(compiler);
    jr_status status = describe(compiler, true);
    if (status == JR_OK) status = open_nvrtc(compiler);
    if (status == JR_OK) {
        while (compiler->busy >= COMPILES_AT_ONCE) pthread_cond_wait(&compiler->place_free, &compiler->lock);
        compiler->busy++;
        *nvrtc = &compiler->nvrtc;
    }
    unlock(compiler);
    return status;
}

void jr_compiler_release(jr_compiler *compiler) {
    lock(compiler);
    compiler->busy--;
    pthread_cond_signal(&compiler->place_free);
    unlock(compiler);
}

void jr_compiler_note_others(jr_compiler *compiler) {
    lock(compiler);
    compiler->others = true;
    unlock(compiler);
}

double jr_compiler_yield_ms(jr_compiler *compiler) {
    static const double YIELD_MS = 20;
    lock(compiler);
    const bool yields = compiler->others && !compiler->opened;
    unlock(compiler);
    return yields ? YIELD_MS : 0;
}

jr_pch *jr_compiler_pch(const jr_compiler *compiler) {
    return compiler->pch;
}
