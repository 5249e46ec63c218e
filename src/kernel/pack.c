/* Makes packs. */
#include "pack.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "base/own_thread.h"
#include "base/text.h"
#include "image/architecture.h"
#include "image/compile.h"
#include "kernel.h"

/* ---- opening ---- */

/* Takes down the name of an architecture, each once, in order; items keep theirs. */
static void add_architecture(jr_pack *pack, const char *name) {
    uint32_t at = 0;
    while (at < pack->architecture_count && strcmp(pack->names[at], name) < 0) at++;
    if (at < pack->architecture_count && strcmp(pack->names[at], name) == 0) return;
    memmove(pack->names[at + 1], pack->names[at], (pack->architecture_count - at) * sizeof *pack->names);
    snprintf(pack->names[at], JR_PACK_NAME_BYTES, "%s", name);
    pack->architectures[pack->architecture_count] = pack->names[pack->architecture_count];
    pack->architecture_count++;
    for (uint32_t i = 0; i < pack->item_count; i++) pack->items[i].section += pack->items[i].section >= at;
}

static jr_status check_architectures(const jr_pack_options *how, const jr_nvrtc_about *record, jr_pack *pack) {
    jr_status status = JR_OK;
    if (how->architecture_count == 0 || how->architectures == NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "a pack of no architectures: name one at least, as \"sm_90\" or \"sim\"");
    if (how->architecture_count > JR_PACK_SECTIONS_MAX)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "a pack of %zu architectures: it takes %d at most",
                       how->architecture_count, JR_PACK_SECTIONS_MAX);
    for (size_t i = 0; status == JR_OK && i < how->architecture_count; i++) {
        const char *name = jr_architecture_meant(how->architectures[i]);
        status = jr_architecture_check(record, name);
        if (status == JR_OK) add_architecture(pack, name);
    }
    return status;
}

/* Takes the architectures into a pack that has a compiler; frees it if they cannot be had. */
static jr_status begin(const jr_pack_options *how, jr_pack *made, jr_pack **pack) {
    const jr_nvrtc_about *record;
    made->plain = how->plain != 0;
    jr_status status = jr_compiler_describe(made->compiler, &record);
    if (status == JR_OK) status = check_architectures(how, record, made);
    if (status == JR_OK)
        *pack = made;
    else
        jr_pack_free(made);
    return status;
}

static jr_pack *make(double compile_limit_ms) {
    jr_pack *made = calloc(1, sizeof *made);
    if (made == NULL) {
        jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for a pack");
        return NULL;
    }
    pthread_mutex_init(&made->lock, NULL);
    made->compile_limit_ms = compile_limit_ms;
    return made;
}

jr_status jr_pack_open(const jr_options *options, const jr_pack_options *how, jr_pack **pack) {
    jr_pack *made = make(options->compile_limit_ms);
    if (made == NULL) return JR_ERROR_OUT_OF_MEMORY;
    jr_status status = jr_compile_limit_check(options->compile_limit_ms);
    if (status == JR_OK) status = jr_cache_open(options->cache_dir, options->cache_bytes, &made->cache);
    if (status == JR_OK) status = jr_compiler_open(options->nvrtc, jr_cache_folder(made->cache), &made->compiler);
    if (status == JR_OK) return begin(how, made, pack);
    jr_pack_free(made);
    return status;
}

jr_status jr_pack_open_in(const jr_context *context, const jr_pack_options *how, jr_pack **pack) {
    jr_pack *made = make(context->compile_limit_ms);
    if (made == NULL) return JR_ERROR_OUT_OF_MEMORY;
    made->borrows = true;
    made->cache = context->cache;
    made->compiler = context->compiler;
    return begin(how, made, pack);
}

/* Frees the items from a count on. */
static void cut(jr_pack *pack, uint32_t count) {
    while (pack->item_count > count) jr_image_free(pack->items[--pack->item_count].image);
}

void jr_pack_free(jr_pack *pack) {
    if (pack == NULL) return;
    cut(pack, 0);
    free(pack->items);
    if (!pack->borrows) {
        jr_compiler_close(pack->compiler);
        jr_cache_close(pack->cache);
    }
    pthread_mutex_destroy(&pack->lock);
    free(pack);
}

/* ---- compiling ---- */

/* One architecture's thread. */
typedef struct pack_thread {
    pthread_t thread;
    bool begun;
    jr_pack_job *job;
    void *user;
    jr_pack *pack;
    uint32_t architecture;
    jr_status status;
    jr_error_saved *error; /* of a failure; NULL: no memory for it */
} pack_thread;

static void *run(void *opaque) {
    pack_thread *thread = opaque;
    thread->status = thread->job(thread->user, thread->pack, thread->architecture);
    if (thread->status != JR_OK) thread->error = jr_error_save();
    return NULL;
}

/* Waits for a thread; the first failure becomes the caller's. */
static void join(pack_thread *thread, jr_status *status) {
    if (thread->begun) pthread_join(thread->thread, NULL);
    if (thread->status != JR_OK && *status == JR_OK) {
        *status = thread->status;
        if (thread->error == NULL) jr_fail(*status, "no memory to say what failed");
        jr_error_restore(thread->error);
    } else {
        jr_error_discard(thread->error);
    }
}

jr_status jr_pack_each(jr_pack *pack, jr_pack_job *job, void *user) {
    pack_thread threads[JR_PACK_SECTIONS_MAX];
    jr_status status = JR_OK;
    int cancel_state;
    const uint32_t before = pack->item_count;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
    for (uint32_t a = 0; a < pack->architecture_count; a++) {
        threads[a] = (pack_thread){.job = job, .user = user, .pack = pack, .architecture = a};
        threads[a].begun = jr_own_thread_begin(&threads[a].thread, NULL, run, &threads[a]) == 0;
        if (!threads[a].begun)
            threads[a].status =
                jr_fail(JR_ERROR_OUT_OF_MEMORY, "no thread could be started to compile for %s", pack->architectures[a]);
        if (!threads[a].begun) threads[a].error = jr_error_save();
    }
    for (uint32_t a = 0; a < pack->architecture_count; a++) join(&threads[a], &status);
    pthread_setcancelstate(cancel_state, NULL);
    if (status != JR_OK) cut(pack, before);
    return status;
}

static bool has(jr_pack *pack, const jr_key *text_key, uint32_t section) {
    bool found = false;
    pthread_mutex_lock(&pack->lock);
    for (uint32_t i = 0; !found && i < pack->item_count; i++)
        found = pack->items[i].section == section && memcmp(&pack->items[i].text_key, text_key, sizeof *text_key) == 0;
    pthread_mutex_unlock(&pack->lock);
    return found;
}

/* Takes over the image of an item, whatever comes. */
static jr_status add(jr_pack *pack, const jr_pack_item *item) {
    jr_status status = JR_OK;
    pthread_mutex_lock(&pack->lock);
    const uint32_t count = pack->item_count;
    if (count == JR_PACK_ROWS_MAX) {
        status = jr_fail(JR_ERROR_PACK, "a pack takes %d images at most: make several", JR_PACK_ROWS_MAX);
    } else if ((count & (count - 1)) == 0) { /* 0 or a power of two: full */
        jr_pack_item *more = realloc(pack->items, (count > 0 ? 2 * (size_t)count : 1) * sizeof *more);
        if (more == NULL) status = jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the images of a pack");
        if (more != NULL) pack->items = more;
    }
    if (status == JR_OK) pack->items[pack->item_count++] = *item;
    pthread_mutex_unlock(&pack->lock);
    if (status != JR_OK) jr_image_free(item->image);
    return status;
}

/* The same image under the key that it has in a pack. */
static jr_status rename_image(const jr_image *image, const jr_key *text_key, const char *architecture,
                              jr_image **renamed) {
    uint8_t key[JR_DIGEST_BYTES];
    jr_pack_key(text_key->bytes, architecture, key);
    const jr_image_parts parts = {.key = key,
                                  .entry = image->entry,
                                  .architecture = image->architecture,
                                  .ptx = image->ptx,
                                  .ptx_bytes = image->ptx_bytes,
                                  .cubin = image->cubin,
                                  .cubin_bytes = image->cubin_bytes};
    return jr_image_make(&parts, renamed);
}

static jr_status find_text_key(const jr_program *program, jr_key *text_key) {
    jr_program_text text;
    JR_TRY(jr_program_text_make(program, &text));
    jr_key_of_text(&text, text_key);
    jr_program_text_free(&text);
    return JR_OK;
}

jr_status jr_pack_take(jr_pack *pack, const jr_program *program, uint32_t architecture) {
    jr_image *image = NULL;
    jr_pack_item item = {.section = architecture};
    const char *name = pack->architectures[architecture];
    if (jr_program_has_folders(program))
        return jr_fail(
            JR_ERROR_INVALID_ARGUMENT,
            "program %s finds files in folders, and a pack finds a kernel by its texts alone: give the files "
            "as headers",
            program->name != NULL ? program->name : "(NULL)");
    jr_status status = find_text_key(program, &item.text_key);
    if (status != JR_OK || has(pack, &item.text_key, architecture)) return status;
    status = jr_kernel_image_by(pack->compiler, pack->cache, pack->compile_limit_ms, program, name, &image);
    if (status == JR_OK) status = rename_image(image, &item.text_key, name, &item.image);
    jr_image_free(image);
    return status == JR_OK ? add(pack, &item) : status;
}

/* ---- merging ---- */

/* Adds an architecture that a pack file has. */
static jr_status merge_architecture(jr_pack *pack, const char *name, uint32_t *section) {
    if (pack->architecture_count < JR_PACK_SECTIONS_MAX) add_architecture(pack, name);
    for (*section = 0; *section < pack->architecture_count; ++*section)
        if (strcmp(pack->names[*section], name) == 0) return JR_OK;
    return jr_fail(JR_ERROR_PACK, "a pack takes %d architectures at most", JR_PACK_SECTIONS_MAX);
}

static jr_status merge_section(jr_pack *pack, jr_pack_file *file, jr_pack_section *section) {
    jr_pack_item item = {0};
    jr_status status = merge_architecture(pack, section->architecture, &item.section);
    for (uint32_t row = section->first; status == JR_OK && row < section->first + section->count; row++) {
        memcpy(item.text_key.bytes, file->rows + (size_t)row * JR_PACK_ROW_BYTES, sizeof item.text_key.bytes);
        if (has(pack, &item.text_key, item.section)) continue;
        status = jr_pack_file_read(file, section, row, &item.image);
        if (status == JR_OK) {
            status = add(pack, &item);
        } else if (status == JR_ERROR_PACK) {
            jr_log(JR_LOG_WARNING, "an image of a pack is not kept: %s", jr_last_error()->message);
            status = JR_OK;
        }
    }
    return status;
}

jr_status jr_pack_merge(jr_pack *pack, jr_pack_file *file) {
    jr_status status = JR_OK;
    for (uint32_t s = 0; status == JR_OK && s < file->section_count; s++)
        status = merge_section(pack, file, &file->sections[s]);
    return status;
}

/* ---- writing ---- */

/* Parts a path into its folder, free of links, and its name. */
static jr_status part_path(const char *path, char folder[PATH_MAX], const char **name) {
    const char *slash = strrchr(path, '/');
    char *copy = jr_string_copy(path);
    if (copy == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the path of a pack");
    if (slash != NULL) copy[slash == path ? 1 : slash - path] = '\0';
    const bool there = realpath(slash != NULL ? copy : ".", folder) != NULL;
    free(copy);
    *name = slash != NULL ? slash + 1 : path;
    return there ? JR_OK : jr_fail(JR_ERROR_FILE, "cannot write %s: its folder is not there", path);
}

jr_status jr_pack_store(jr_pack *pack, const char *path, uint64_t *bytes) {
    const jr_nvrtc_about *record;
    char folder[PATH_MAX], compiler[JR_PACK_COMPILER_BYTES];
    const char *name = path;
    JR_TRY(part_path(path, folder, &name));
    JR_TRY(jr_compiler_describe(pack->compiler, &record));
    snprintf(compiler, sizeof compiler, "NVRTC %d.%d, build %.40s", record->major, record->minor, record->build);
    const jr_pack_content content = {.architectures = pack->architectures,
                                     .architecture_count = pack->architecture_count,
                                     .items = pack->items,
                                     .item_count = pack->item_count,
                                     .compiler = compiler,
                                     .plain = pack->plain};
    return jr_pack_content_write(&content, folder, name, bytes);
}
