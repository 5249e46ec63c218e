/* Lists include folders. */
#include "include_folders.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"

static char *absolute_of(const char *path) {
    if (path[0] == '/') return jr_string_copy(path);
    char *here = getcwd(NULL, 0);
    jr_text text = {0};
    if (here == NULL) return NULL;
    jr_text_append(&text, "%s/%s", here, path);
    free(here);
    return jr_text_take(&text);
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
    if (reason != 0)
        return jr_fail(JR_ERROR_FILE, "the include folder %s of program %s cannot be used: %s", path, program->name,
                       strerror(reason));
    char *whole = absolute_of(path);
    if (whole == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the include folder %s", path);
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
