/* Records packs: compiles first, then reads what others have written meanwhile, and replaces the file, under a lock. */
#include "pack_record.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/log.h"
#include "image/pack_file.h"
#include "pack.h"
#include "used_programs.h"

/* One recording. */
typedef struct recording {
    const jr_context *context;
    const jr_used_programs *used;
    jr_pack_file *there; /* what the file had when the recording began; NULL: it was not there */
    char path[JR_PATH_BYTES];
} recording;

/* ---- the file that is there ---- */

/* Can a file that cannot be read as a pack be replaced? It is empty, or was a pack: of another version, or damaged. */
static bool may_replace(const char *path) {
    char begin[sizeof JR_PACK_MAGIC];
    uint64_t bytes;
    int file = -1;
    if (jr_file_open_trusted(path, &file, &bytes) != JR_OK) return false;
    const bool was = bytes == 0 || (jr_file_read_at(file, path, 0, begin, sizeof begin) == JR_OK &&
                                    memcmp(begin, JR_PACK_MAGIC, sizeof begin) == 0);
    close(file);
    return was;
}

/* *file NULL on success: nothing of use is there. Errors: what is there is no pack, or not ours. */
static jr_status open_there(const char *path, jr_pack_file **file) {
    *file = NULL;
    if (access(path, F_OK) != 0 && errno == ENOENT) return JR_OK;
    const jr_status status = jr_pack_file_open(path, file);
    if (status != JR_ERROR_PACK) return status;
    jr_error_saved *why = jr_error_save();
    if (may_replace(path)) {
        jr_log(JR_LOG_INFO, "the pack %s is replaced: %s", path, jr_last_error()->message);
        jr_error_discard(why);
        return JR_OK;
    }
    jr_error_restore(why);
    return status;
}

static bool is_there(const jr_pack_file *file, const char *architecture, const jr_key *text_key) {
    for (uint32_t s = 0; file != NULL && s < file->section_count; s++)
        if (strcmp(file->sections[s].architecture, architecture) == 0)
            return jr_pack_file_find(file, &file->sections[s], text_key) != JR_PACK_ROWS_MAX;
    return false;
}

/* ---- what is missing ---- */

static bool is_wanted(const jr_used_programs *used, const jr_used_program *program, const char *architecture) {
    bool wanted = used->architecture_count == 0 && strcmp(program->architecture, architecture) == 0;
    for (uint32_t a = 0; a < used->architecture_count; a++)
        wanted = wanted || strcmp(used->architectures[a], architecture) == 0;
    return wanted;
}

/* Adds an architecture for which a program's image is missing, once. */
static void add_missing(const recording *it, const jr_used_program *program, const char *architecture,
                        jr_pack_options *how, const char *names[JR_PACK_SECTIONS_MAX]) {
    if (is_there(it->there, architecture, &program->text_key)) return;
    for (size_t i = 0; i < how->architecture_count; i++)
        if (strcmp(names[i], architecture) == 0) return;
    if (how->architecture_count < JR_PACK_SECTIONS_MAX) names[how->architecture_count++] = architecture;
}

/* The architectures for which anything is missing. */
static void find_missing(const recording *it, jr_pack_options *how, const char *names[JR_PACK_SECTIONS_MAX]) {
    for (const jr_used_program *at = it->used->list; at != NULL; at = at->next) {
        if (it->used->architecture_count == 0) add_missing(it, at, at->architecture, how, names);
        for (uint32_t a = 0; a < it->used->architecture_count; a++)
            add_missing(it, at, it->used->architectures[a], how, names);
    }
}

/* A job of a pack: takes all programs whose images for an architecture are missing. One that does not compile for it
 * is logged and skipped. */
static jr_status take_all(void *user, jr_pack *pack, uint32_t architecture) {
    const recording *it = user;
    const char *name = pack->architectures[architecture];
    for (const jr_used_program *at = it->used->list; at != NULL; at = at->next) {
        if (!is_wanted(it->used, at, name) || is_there(it->there, name, &at->text_key)) continue;
        const jr_status status = jr_pack_take(pack, at->program, architecture);
        if (status == JR_ERROR_OUT_OF_MEMORY || status == JR_ERROR_PACK) return status;
        if (status != JR_OK)
            jr_log(JR_LOG_WARNING, "%s is not recorded in %s for %s: %s", at->program->name, it->path, name,
                   jr_last_error()->message);
    }
    return JR_OK;
}

/* ---- recording ---- */

/* Joins what is in the file now with the pack, and replaces the file. */
static jr_status replace(const recording *it, jr_pack *pack) {
    static const double LOCK_WAIT_MS = 60000;
    const uint32_t fresh = pack->item_count;
    uint64_t bytes = 0;
    jr_pack_file *now = NULL;
    const int lock = jr_folder_lock(it->used->folder, LOCK_WAIT_MS);
    if (lock < 0) jr_log(JR_LOG_INFO, "%s is written without a lock: its folder has none", it->path);
    jr_status status = open_there(it->path, &now);
    if (status == JR_OK && now != NULL) status = jr_pack_merge(pack, now);
    if (status == JR_OK) status = jr_pack_store(pack, it->path, &bytes);
    jr_pack_file_close(now);
    jr_folder_unlock(lock);
    if (status == JR_OK)
        jr_log(JR_LOG_INFO, "recorded %u images in the pack %s, which has %u now, %llu bytes", fresh, it->path,
               pack->item_count, (unsigned long long)bytes);
    return status;
}

/* Without zstd the images stay as they are. */
static bool zstd_is_missing(void) {
    jr_zstd zstd = {0};
    const bool missing = jr_zstd_open(&zstd) != JR_OK;
    jr_zstd_close(&zstd);
    return missing;
}

static jr_status record(recording *it) {
    const char *names[JR_PACK_SECTIONS_MAX];
    jr_pack_options how = {.size = sizeof how, .architectures = names, .plain = zstd_is_missing()};
    jr_pack *pack = NULL;
    find_missing(it, &how, names);
    if (how.architecture_count == 0) return JR_OK;
    JR_TRY(jr_pack_open_in(it->context, &how, &pack));
    jr_status status = jr_pack_each(pack, take_all, it);
    if (status == JR_OK && pack->item_count > 0) status = replace(it, pack);
    jr_pack_free(pack);
    return status;
}

void jr_pack_record_write(jr_context *context) {
    if (context == NULL || context->used == NULL) return;
    JR_KEEP_ERROR;
    recording it = {.context = context, .used = context->used};
    jr_status status = JR_ERROR_FILE;
    if (jr_path_join(it.path, it.used->folder, it.used->name))
        status = open_there(it.path, &it.there);
    else
        jr_fail(status, "its path is too long");
    if (status == JR_OK) status = record(&it);
    jr_pack_file_close(it.there);
    if (status != JR_OK) jr_log(JR_LOG_WARNING, "the pack %s is not recorded: %s", it.path, jr_last_error()->message);
}
