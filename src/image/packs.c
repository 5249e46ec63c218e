/* Opens packs and finds images in them. */
#include "packs.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/log.h"
#include "base/settings.h"
#include "base/text.h"
#include "loader/places.h"

#define PACK_SUFFIX ".jrpack"
static const char option_origin[] = "option";

/* A section, and how well it suits the device: the higher the better. */
typedef struct suited_section {
    jr_pack_file *pack;
    jr_pack_section *section;
    int rank;
} suited_section;

struct jr_packs {
    jr_pack_file **files;
    size_t file_count;
    suited_section *sections; /* those that suit the device, the best first */
    size_t section_count;
    _Atomic uint64_t failures;
};

/* ---- which files ---- */

static bool is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool is_pack_name(const char *name) {
    const size_t length = strlen(name), suffix = sizeof PACK_SUFFIX - 1;
    return length > suffix && strcmp(name + length - suffix, PACK_SUFFIX) == 0;
}

static int by_name(const void *left, const void *right) {
    return strcmp(((const jr_folder_entry *)left)->name, ((const jr_folder_entry *)right)->name);
}

/* Adds the packs of a folder, in the order of their names; none if the folder cannot be listed. */
static void add_folder(const char *origin, const char *folder, jr_candidates *list) {
    jr_folder_entry *entries = NULL;
    size_t count = 0;
    char path[JR_PATH_BYTES];
    JR_KEEP_ERROR;
    if (jr_folder_list(folder, &entries, &count) != JR_OK) count = 0;
    if (count > 0) qsort(entries, count, sizeof *entries, by_name);
    for (size_t i = 0; i < count; i++)
        if (is_pack_name(entries[i].name) && jr_path_join(path, folder, entries[i].name))
            jr_candidates_add(list, origin, path);
    free(entries);
}

/* Adds the files of a list that is separated by ':', and the packs of the folders in it. in_folder: the origin of packs
 * that come from a folder of the list. */
static void add_list(const char *origin, const char *in_folder, const char *text, jr_candidates *list) {
    char *copy = jr_string_copy(text), *rest = copy;
    list->failed = list->failed || copy == NULL;
    for (const char *path; (path = strsep(&rest, ":")) != NULL;) {
        if (*path == '\0') continue;
        if (is_folder(path))
            add_folder(in_folder, path, list);
        else
            jr_candidates_add(list, origin, path);
    }
    free(copy);
}

static void list_packs(const char *requested, jr_candidates *list) {
    const char *setting = jr_setting_get(JR_SETTING_PACKS);
    char own[JR_PATH_BYTES], folder[JR_PATH_BYTES];
    if (requested != NULL) {
        add_list(option_origin, "folder of the option", requested, list);
    } else if (setting != NULL) {
        add_list("setting JITREDUCE_PACKS", "setting JITREDUCE_PACKS", setting, list);
    } else {
        jr_places_own_folder(own);
        if (*own != '\0' && jr_path_join(folder, own, "jitreduce")) add_folder("next to jitreduce", folder, list);
    }
}

/* ---- which sections ---- */

/* How well a section's images suit a device; 0: they do not run there. A cubin runs on devices of its generation that
 * are no older; PTX on all that are no older, after the driver has compiled it, and every image has PTX. Those for one
 * device ("sm_90a") run on that alone.
 * Source: CUDA C++ Programming Guide, "Binary Compatibility", "PTX Compatibility". */
static int rank_of(const jr_pack_section *section, int capability) {
    enum { CUBIN = 1 << 20 };
    const char *name = section->architecture, last = name[strlen(name) - 1];
    const bool alone = last == 'a' || last == 'f', real = strncmp(name, "sm_", 3) == 0;
    if (section->number > capability || (alone && section->number != capability)) return 0;
    const bool loads_at_once = real && section->number / 10 == capability / 10;
    return (loads_at_once ? CUBIN : 0) + 4 * section->number + 2 * real + alone;
}

static int best_first(const void *left, const void *right) {
    const suited_section *a = left, *b = right;
    if (a->rank != b->rank) return a->rank > b->rank ? -1 : 1;
    return 0;
}

static bool take_sections(jr_packs *packs, jr_pack_file *file, int capability) {
    suited_section *more = realloc(packs->sections, (packs->section_count + JR_PACK_SECTIONS_MAX) * sizeof *more);
    if (more == NULL) return false;
    packs->sections = more;
    for (uint32_t s = 0; s < file->section_count; s++) {
        const int rank = rank_of(&file->sections[s], capability);
        if (rank > 0) more[packs->section_count++] = (suited_section){file, &file->sections[s], rank};
    }
    return true;
}

/* ---- opening ---- */

static jr_status take_file(jr_packs *packs, const char *path, int capability) {
    jr_pack_file *file = NULL;
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): pointers are what is listed */
    jr_pack_file **more = realloc(packs->files, (packs->file_count + 1) * sizeof *more);
    if (more == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the list of packs");
    packs->files = more;
    jr_status status = jr_pack_file_open(path, &file);
    if (status == JR_OK && !take_sections(packs, file, capability))
        status = jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the list of packs");
    if (status == JR_OK)
        more[packs->file_count++] = file;
    else
        jr_pack_file_close(file);
    return status;
}

/* Opens a candidate. One that cannot be used is logged and skipped; it fails only if the caller's options name the file
 * itself, or if there is no memory. */
static jr_status take_candidate(jr_packs *packs, const jr_candidate *candidate, int capability) {
    jr_error_saved *saved = jr_error_save();
    const jr_status status = take_file(packs, candidate->path, capability);
    if (status == JR_OK) {
        const jr_pack_file *file = packs->files[packs->file_count - 1];
        jr_log(JR_LOG_INFO, "pack of %u images in %u parts, by %s: %s (%s)", file->row_count, file->section_count,
               file->compiler, file->path, candidate->origin);
    }
    if (status != JR_OK && (status == JR_ERROR_OUT_OF_MEMORY || strcmp(candidate->origin, option_origin) == 0)) {
        jr_error_discard(saved);
        return status;
    }
    if (status != JR_OK) jr_log(JR_LOG_WARNING, "a pack is not used: %s", jr_last_error()->message);
    jr_error_restore(saved);
    return JR_OK;
}

jr_status jr_packs_open(const char *requested, int capability, jr_packs **packs) {
    jr_candidates list = {0};
    jr_packs *made = calloc(1, sizeof *made);
    list_packs(requested, &list);
    jr_status status =
        made == NULL || list.failed ? jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the list of packs") : JR_OK;
    for (size_t i = 0; status == JR_OK && i < list.count; i++)
        status = take_candidate(made, &list.items[i], capability);
    jr_candidates_free(&list);
    if (status != JR_OK) {
        jr_packs_close(made);
        return status;
    }
    if (made->section_count > 0) qsort(made->sections, made->section_count, sizeof *made->sections, best_first);
    *packs = made;
    return JR_OK;
}

void jr_packs_close(jr_packs *packs) {
    if (packs == NULL) return;
    for (size_t i = 0; i < packs->file_count; i++) jr_pack_file_close(packs->files[i]);
    free(packs->files);
    free(packs->sections);
    free(packs);
}

/* ---- finding ---- */

bool jr_packs_any(const jr_packs *packs) {
    return packs != NULL && packs->section_count > 0;
}

bool jr_packs_read(jr_packs *packs, const jr_key *text_key, jr_image **image, const char **path) {
    jr_status status = JR_ERROR_PACK;
    JR_KEEP_ERROR;
    for (size_t i = 0; status != JR_OK && i < packs->section_count; i++) {
        const suited_section *at = &packs->sections[i];
        const uint32_t row = jr_pack_file_find(at->pack, at->section, text_key);
        if (row == JR_PACK_ROWS_MAX) continue;
        status = jr_pack_file_read(at->pack, at->section, row, image);
        *path = at->pack->path;
        if (status == JR_OK) continue;
        atomic_fetch_add(&packs->failures, 1);
        jr_log(JR_LOG_WARNING, "an image of a pack is not used: %s", jr_last_error()->message);
    }
    return status == JR_OK;
}

uint64_t jr_packs_failures(const jr_packs *packs) {
    return atomic_load(&packs->failures);
}

/* ---- the doctor ---- */

static void inspect(jr_candidates *list, size_t index, int capability) {
    jr_packs packs = {0};
    if (take_file(&packs, list->items[index].path, capability) == JR_OK) {
        const jr_pack_file *file = packs.files[0];
        uint32_t images = 0;
        for (size_t s = 0; s < packs.section_count; s++) images += packs.sections[s].section->count;
        jr_candidates_explain(list, index, images > 0, "%u images, %u of use on this device; by %s", file->row_count,
                              images, file->compiler);
        for (size_t i = 0; i < packs.file_count; i++) jr_pack_file_close(packs.files[i]);
    } else {
        jr_candidates_explain(list, index, false, "%s", jr_last_error()->message);
    }
    free(packs.files);
    free(packs.sections);
}

void jr_packs_inspect(const char *requested, int capability, jr_candidates *list) {
    const size_t start = list->count;
    JR_KEEP_ERROR;
    list_packs(requested, list);
    for (size_t i = start; i < list->count; i++) inspect(list, i, capability);
}
