/* Lists include folders; finds and names the files of a program's includes. */
#include "header_search.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"

/* ---- include folders ---- */

/* NULL, with the reason: there is no memory, or the working directory was removed. */
static char *absolute_of(const char *path, int *reason) {
    char *here = path[0] != '/' ? getcwd(NULL, 0) : NULL;
    jr_text text = {0};
    *reason = path[0] != '/' && here == NULL ? errno : ENOMEM;
    if (path[0] != '/' && here == NULL) return NULL;
    jr_text_append(&text, "%s%s%s", here != NULL ? here : "", here != NULL ? "/" : "", path);
    free(here);
    return jr_text_take(&text);
}

static jr_status refuse(const jr_program *program, const char *path, int reason) {
    if (reason == ENOMEM) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the include folder %s", path);
    return jr_fail(JR_ERROR_FILE, "the include folder %s of program %s cannot be used: %s", path, program->name,
                   strerror(reason));
}

static jr_status add(jr_folders *folders, const jr_program *program, const char *path) {
    struct stat status;
    if (path == NULL || path[0] == '\0')
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "include folder %zu of program %s is %s", folders->count,
                       program->name, path == NULL ? "NULL" : "empty: the present folder is \".\"");
    if (folders->count == JR_FOLDERS_MAX)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "program %s has more than %d include folders", program->name,
                       JR_FOLDERS_MAX);
    int reason = stat(path, &status) != 0 ? errno : 0;
    if (reason == 0 && !S_ISDIR(status.st_mode)) reason = ENOTDIR;
    if (reason == 0 && access(path, X_OK) != 0) reason = errno;
    if (reason != 0) return refuse(program, path, reason);
    char *whole = absolute_of(path, &reason);
    if (whole == NULL) return refuse(program, path, reason);
    folders->paths[folders->count++] = whole;
    return JR_OK;
}

jr_status jr_folders_list(const jr_program *program, char *const *further, size_t further_count, jr_folders *folders) {
    jr_status status = JR_OK;
    *folders = (jr_folders){.count = 0};
    for (size_t i = 0; status == JR_OK && i < program->include_folder_count; i++)
        status = add(folders, program, program->include_folders[i]);
    folders->own_count = folders->count;
    for (size_t i = 0; status == JR_OK && i < further_count; i++) status = add(folders, program, further[i]);
    if (status != JR_OK) jr_folders_free(folders);
    return status;
}

void jr_folders_free(jr_folders *folders) {
    for (size_t i = 0; i < folders->count; i++) free(folders->paths[i]);
    *folders = (jr_folders){.count = 0};
}

void jr_folders_digest(const jr_folders *folders, const jr_program *program, jr_digest *digest) {
    jr_digest_number(digest, "headers", program->header_count);
    for (size_t i = 0; i < program->header_count; i++) {
        jr_digest_string(digest, "name", program->headers[i].name);
        jr_digest_string(digest, "text", program->headers[i].text);
    }
    for (size_t i = 0; i < program->option_count; i++) jr_digest_string(digest, "option", program->options[i]);
    jr_digest_number(digest, "own folders", folders->own_count);
    for (size_t i = 0; i < folders->count; i++) jr_digest_string(digest, "folder", folders->paths[i]);
}

/* ---- searching ---- */

enum { NAME_BYTES_MAX = 2048 };

jr_status jr_header_no_memory(const jr_header_search *search) {
    return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the headers of program %s", search->program->name);
}

bool jr_header_is_own(const jr_header_search *search, const char *name) {
    for (size_t i = 0; i < search->program->header_count; i++)
        if (strcmp(search->program->headers[i].name, name) == 0) return true;
    return false;
}

/* Shortens a relative path by its "." and ".." parts, in place. */
static void normalise(char *path) {
    char *out = path;
    for (const char *at = path;; at++) {
        const size_t length = strcspn(at, "/");
        const bool ends = at[length] == '\0', up = length == 2 && at[0] == '.' && at[1] == '.';
        char *last = out; /* where the last part that was kept begins */
        while (last > path && last[-1] != '/') last--;
        if (up && out > path && !(out - last == 2 && last[0] == '.' && last[1] == '.')) {
            out = last > path ? last - 1 : path;
        } else if (length > 0 && !(length == 1 && at[0] == '.')) {
            if (out > path) *out++ = '/'; /* never past what was read */
            memmove(out, at, length);
            out += length;
        }
        at += length;
        if (ends) break;
    }
    *out = '\0';
}

/* Is a virtual header called as a path is once it is shortened? */
static const char *own_at(const jr_header_search *search, char *path) {
    normalise(path);
    for (size_t i = 0; i < search->program->header_count; i++)
        if (strcmp(search->program->headers[i].name, path) == 0) return search->program->headers[i].name;
    return NULL;
}

const char *jr_header_own_by_path(const jr_header_search *search, const char *name, const char *includer) {
    char path[2 * NAME_BYTES_MAX];
    const char *slash = includer != NULL ? strrchr(includer, '/') : NULL;
    const char *found = NULL;
    if (slash != NULL &&
        snprintf(path, sizeof path, "%.*s%s", (int)(slash - includer) + 1, includer, name) < (int)sizeof path)
        found = own_at(search, path);
    if (found == NULL && snprintf(path, sizeof path, "%s", name) < (int)sizeof path) found = own_at(search, path);
    return found;
}

jr_status jr_header_find(jr_header_search *search, const char *name, size_t from, jr_header_file **file,
                         size_t *folder) {
    jr_status status = JR_OK;
    *file = NULL;
    for (size_t i = from; status == JR_OK && *file == NULL && i < search->folders->count; i++) {
        status = jr_header_files_find(search->files, search->folders->paths[i], name, file);
        *folder = i;
    }
    return status;
}

jr_status jr_header_name(jr_header_search *search, jr_header_file *file, size_t folder, const char *path) {
    char *plain = jr_string_copy(path);
    jr_header_file *first = NULL;
    size_t at = 0;
    jr_text text = {0};
    if (plain == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the header %s", path);
    normalise(plain);
    file->folder = folder;
    file->path_at = strlen(file->probe->path) - strlen(path);
    const jr_status status = jr_header_find(search, plain, 0, &first, &at);
    const bool standard =
        folder >= search->folders->own_count && jr_standard_header_find(plain) < jr_standard_header_count;
    const bool taken = first != file || standard || jr_header_is_own(search, plain);
    if (taken)
        jr_text_append(&text, "%zu:%s", folder, plain);
    else
        jr_text_append(&text, "%s", plain);
    free(plain);
    file->name = jr_text_take(&text);
    if (search->last != NULL) search->last->next = file;
    if (search->first == NULL) search->first = file;
    search->last = file;
    if (status != JR_OK || file->name != NULL) return status;
    return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the header %s", path);
}

char *jr_header_standard_text(size_t index) {
    const jr_standard_header *row = &jr_standard_headers[index];
    jr_text text = {0};
    jr_text_append(&text, "#pragma once\n#include <%s>\n%s", row->target, row->text);
    jr_text_append(&text, "namespace cuda { namespace std {} }\nnamespace std { using namespace ::cuda::std; }\n");
    return jr_text_take(&text);
}

jr_status jr_header_standard(jr_header_search *search, const char *name, bool *found) {
    const size_t index = jr_standard_header_find(name), own_count = search->folders->own_count;
    jr_header_file *file = NULL;
    jr_status status = JR_OK;
    *found = false;
    if (index == jr_standard_header_count || search->folders->count == own_count) return JR_OK;
    *found = search->standard[index];
    if (*found) return JR_OK;
    for (size_t i = 0; status == JR_OK && file == NULL && i < own_count; i++)
        status = jr_header_files_find(search->files, search->folders->paths[i], name, &file);
    if (status != JR_OK || file != NULL) return status;
    size_t folder = 0;
    status = jr_header_find(search, jr_standard_headers[index].target, own_count, &file, &folder);
    *found = status == JR_OK && file != NULL;
    search->standard[index] = *found;
    return status;
}

/* May an include mean a standard header? Not one of the toolkit's own files: those are made for NVRTC without. */
static bool may_be_standard(const jr_header_search *search, const jr_directive_name *wanted,
                            const jr_header_file *includer) {
    return wanted->kind != JR_DIRECTIVE_NEXT && (includer == NULL || includer->folder < search->folders->own_count);
}

jr_status jr_header_resolve(jr_header_search *search, const jr_directive_name *wanted, const char *name,
                            const jr_header_file *includer, jr_header_file **file) {
    jr_status status = JR_OK;
    size_t folder = 0;
    char path[2 * NAME_BYTES_MAX];
    const char *within = name;
    *file = NULL;
    if (includer != NULL && wanted->quoted && wanted->kind != JR_DIRECTIVE_NEXT) {
        const char *beside = includer->probe->path + includer->path_at, *slash = strrchr(beside, '/');
        const size_t length = slash != NULL ? (size_t)(slash - beside) + 1 : 0;
        folder = includer->folder;
        if (length + strlen(name) < sizeof path) {
            memcpy(path, beside, length);
            memcpy(path + length, name, strlen(name) + 1);
            status = jr_header_files_find(search->files, search->folders->paths[folder], path, file);
            within = path;
        }
    }
    bool standard = false;
    if (status == JR_OK && *file == NULL && may_be_standard(search, wanted, includer))
        status = jr_header_standard(search, name, &standard);
    if (status == JR_OK && *file == NULL && !standard) {
        const size_t from = includer != NULL && wanted->kind == JR_DIRECTIVE_NEXT ? includer->folder + 1 : 0;
        status = jr_header_find(search, name, from, file, &folder);
        within = name;
    }
    if (status == JR_OK && *file != NULL && (*file)->name == NULL)
        status = jr_header_name(search, *file, folder, within);
    return status;
}
