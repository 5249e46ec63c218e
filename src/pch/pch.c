/* Decides who makes and who uses precompiled headers. */
#include "pch.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "base/own_thread.h"
#include "loader/map_place.h"
#include "pch_files.h"

/* The heap takes address space alone until it is used. A mapping of large pages is aligned to 2 MiB. */
enum { HEAP_BYTES = 512 << 20, HEAP_ROOM_BYTES = HEAP_BYTES + (2 << 20), HEAP_TRIES = 3, KNOWN_MAX = 32 };

/* Raised when the text or the options of such a compile change. */
enum { KEY_FORMAT = 1 };

struct jr_pch {
    char folder[JR_PATH_BYTES];
    pthread_mutex_t lock; /* guards everything below */
    pthread_cond_t made;
    bool making; /* some thread's compile writes a file */
    uintptr_t heap;
    int heap_tries;
    struct {
        uint64_t inode, bytes;
    } whole[KNOWN_MAX];                          /* files that were read, and are what their names say */
    uint8_t refused[KNOWN_MAX][JR_DIGEST_BYTES]; /* keys of which NVRTC makes or takes no file */
    size_t whole_count, refused_count;           /* ever; the arrays keep the last ones */
};

jr_status jr_pch_open(const char *cache_folder, jr_pch **pch) {
    char folder[JR_PATH_BYTES];
    *pch = NULL;
    if (*cache_folder == '\0' || !jr_path_join(folder, cache_folder, "pch") || jr_pch_files_cap() == 0) return JR_OK;
    jr_pch *opened = calloc(1, sizeof *opened);
    if (opened == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the state of precompiled headers");
    memcpy(opened->folder, folder, sizeof folder);
    pthread_mutex_init(&opened->lock, NULL);
    pthread_cond_init(&opened->made, NULL);
    *pch = opened;
    return JR_OK;
}

void jr_pch_close(jr_pch *pch) {
    if (pch == NULL) return;
    pthread_cond_destroy(&pch->made);
    pthread_mutex_destroy(&pch->lock);
    free(pch);
}

/* ---- the heap ---- */

typedef struct heap_job {
    const jr_nvrtc *nvrtc;
    uintptr_t begin;
} heap_job;

/* NVRTC allocates the heap in the first compile that asks for it, be it one that fails at once. */
static void allocate_heap(void *opaque) {
    static const char *const options[] = {"--gpu-architecture=compute_90", "--use-pch=/dev/null/none"};
    const heap_job *job = opaque;
    const jr_nvrtc *nvrtc = job->nvrtc;
    jr_nvrtc_program program = NULL;
    if (nvrtc->nvrtcSetPCHHeapSize(HEAP_BYTES) != JR_NVRTC_SUCCESS ||
        nvrtc->nvrtcCreateProgram(&program, "\n", "heap", 0, NULL, NULL) != JR_NVRTC_SUCCESS)
        return;
    nvrtc->nvrtcCompileProgram(program, sizeof options / sizeof *options, options);
    nvrtc->nvrtcDestroyProgram(&program);
}

static jr_status run_heap_job(void *opaque) {
    const heap_job *job = opaque;
    (void)jr_map_place_run(job->begin, HEAP_ROOM_BYTES, allocate_heap, opaque);
    return JR_OK;
}

/* Lock held. Sees to it that the heap is where the folder's files need it; false: it is not. */
static bool has_heap(jr_pch *pch, const jr_nvrtc *nvrtc) {
    const uintptr_t place = nvrtc->about.place;
    heap_job job = {nvrtc, place + JR_NVRTC_ROOM_BYTES};
    if (pch->heap != 0) return true;
    if (place == 0 || nvrtc->base < place || nvrtc->base >= job.begin) return false;
    pch->heap = jr_map_place_find(job.begin, HEAP_ROOM_BYTES, HEAP_BYTES);
    if (pch->heap != 0 || pch->heap_tries++ >= HEAP_TRIES) return pch->heap != 0;
    JR_KEEP_ERROR;
    (void)jr_own_thread_run(run_heap_job, &job);
    pch->heap = jr_map_place_find(job.begin, HEAP_ROOM_BYTES, HEAP_BYTES);
    return pch->heap != 0;
}

/* ---- the key ---- */

/* Everything that decides what is in a file, and where its pointers point. */
static void key_of(const jr_pch *pch, const jr_pch_request *request, jr_pch_turn *turn) {
    const jr_nvrtc *nvrtc = request->nvrtc;
    const jr_program *program = request->text->program;
    jr_digest digest;
    jr_digest_begin(&digest);
    jr_digest_number(&digest, "format", KEY_FORMAT);
    jr_digest_string(&digest, "library", jr_version());
    jr_digest_number(&digest, "nvrtc major", (uint64_t)nvrtc->about.major);
    jr_digest_number(&digest, "nvrtc minor", (uint64_t)nvrtc->about.minor);
    jr_digest_string(&digest, "nvrtc build", nvrtc->about.build);
    jr_digest_number(&digest, "nvrtc base", nvrtc->base);
    jr_digest_number(&digest, "heap", pch->heap);
    jr_digest_string(&digest, "architecture", request->architecture);
    jr_digest_number(&digest, "lines", request->text->lines);
    jr_digest_number(&digest, "options", program->option_count);
    for (size_t i = 0; i < program->option_count; i++) jr_digest_string(&digest, "option", program->options[i]);
    jr_digest_field(&digest, "prefix", turn->text.text, turn->text.prefix_bytes);
    jr_digest_field(&digest, "headers", request->headers->texts_digest, JR_DIGEST_BYTES);
    jr_digest_end(&digest, turn->key);
}

/* ---- turns ---- */

static bool is_refused(const jr_pch *pch, const uint8_t key[JR_DIGEST_BYTES]) {
    for (size_t i = 0; i < pch->refused_count && i < KNOWN_MAX; i++)
        if (memcmp(pch->refused[i], key, JR_DIGEST_BYTES) == 0) return true;
    return false;
}

static void refuse(jr_pch *pch, const uint8_t key[JR_DIGEST_BYTES]) {
    memcpy(pch->refused[pch->refused_count++ % KNOWN_MAX], key, JR_DIGEST_BYTES);
}

static bool is_known(const jr_pch *pch, const jr_file_identity *identity) {
    for (size_t i = 0; i < pch->whole_count && i < KNOWN_MAX; i++)
        if (pch->whole[i].inode == identity->inode && pch->whole[i].bytes == identity->bytes) return true;
    return false;
}

/* Lock held. Is a file what its name says? Each is read once. summed: it was just read. */
static bool is_whole(jr_pch *pch, const char *path, bool summed) {
    jr_file_identity identity;
    if (!jr_file_identify(path, &identity)) return false;
    if (is_known(pch, &identity)) return true;
    if (!summed && !jr_pch_file_is_whole(path)) return false;
    const size_t last = pch->whole_count++ % KNOWN_MAX;
    pch->whole[last].inode = identity.inode;
    pch->whole[last].bytes = identity.bytes;
    return true;
}

static void drop(const char *path) {
    JR_KEEP_ERROR;
    (void)jr_file_remove(path);
}

/* Lock held. Finds a file to begin with; those that are damaged are removed. */
static bool find(jr_pch *pch, jr_pch_turn *turn) {
    while (jr_pch_files_find(pch->folder, turn->key, JR_PCH_SUFFIX, turn->path)) {
        if (is_whole(pch, turn->path, false)) {
            jr_pch_file_seal(turn->path);
            return true;
        }
        jr_log(JR_LOG_WARNING, "dropping a damaged precompiled header: %s", turn->path);
        drop(turn->path);
        if (jr_file_exists(turn->path)) return false;
    }
    return false;
}

/* Lock held. */
static jr_pch_part choose(jr_pch *pch, const jr_pch_request *request, jr_pch_turn *turn) {
    while (pch->making) pthread_cond_wait(&pch->made, &pch->lock);
    if (!has_heap(pch, request->nvrtc)) return JR_PCH_NONE;
    key_of(pch, request, turn);
    if (is_refused(pch, turn->key)) return JR_PCH_NONE;
    if (find(pch, turn)) return JR_PCH_USE;
    if (!jr_pch_files_temporary(pch->folder, turn->path)) return JR_PCH_NONE;
    turn->claim = jr_key_lock_open(pch->folder, turn->key);
    pch->making = jr_key_lock_try(&turn->claim) != JR_KEY_LOCK_OF_OTHERS; /* without locks all may make it */
    if (!pch->making) jr_key_lock_close(&turn->claim);
    return pch->making ? JR_PCH_MAKE : JR_PCH_NONE;
}

static bool can(const jr_nvrtc *nvrtc) {
    return nvrtc->nvrtcSetPCHHeapSize != NULL && nvrtc->nvrtcGetPCHCreateStatus != NULL;
}

void jr_pch_begin(jr_pch *pch, const jr_pch_request *request, jr_pch_turn *turn) {
    *turn = (jr_pch_turn){.pch = pch, .claim = {.file = -1}};
    if (pch == NULL || !can(request->nvrtc) || !jr_pch_text_make(request->text, request->headers, &turn->text)) return;
    jr_log_hold();
    pthread_mutex_lock(&pch->lock);
    turn->part = choose(pch, request, turn);
    pthread_mutex_unlock(&pch->lock);
    jr_log_release();
    const char *name = turn->part == JR_PCH_MAKE ? "--create-pch" : "--use-pch";
    snprintf(turn->option, sizeof turn->option, "%s=%s", name, turn->path);
}

/* Lock held. Keeps what was written, and remembers what NVRTC makes or takes no file of; false: there is no such file.
 */
static bool settle(jr_pch_turn *turn, bool worked, bool compiled) {
    jr_pch *pch = turn->pch;
    const bool made = turn->part == JR_PCH_MAKE && worked && compiled;
    if (made)
        worked =
            jr_pch_files_keep(pch->folder, turn->key, JR_PCH_SUFFIX, turn->path) && is_whole(pch, turn->path, true);
    if (made && worked)
        jr_pch_file_seal(turn->path);
    else if (!made && (turn->part == JR_PCH_MAKE || !worked))
        drop(turn->path);
    if (compiled && !worked) refuse(pch, turn->key);
    return worked;
}

void jr_pch_end(jr_pch_turn *turn, bool worked, bool compiled) {
    jr_pch *pch = turn->pch;
    free(turn->text.text);
    turn->text.text = NULL;
    if (turn->part == JR_PCH_NONE) return;
    pthread_mutex_lock(&pch->lock);
    worked = settle(turn, worked, compiled);
    if (turn->part == JR_PCH_MAKE) pch->making = false;
    pthread_cond_broadcast(&pch->made);
    pthread_mutex_unlock(&pch->lock);
    jr_key_lock_close(&turn->claim);
    if (compiled)
        jr_log(JR_LOG_INFO, "precompiled headers: %s %s",
               !worked                     ? "not usable:"
               : turn->part == JR_PCH_MAKE ? "made"
                                           : "began with",
               turn->path);
}
