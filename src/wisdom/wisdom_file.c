/* Reads and writes wisdom files. */
#include "wisdom_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "wisdom_text.h"

enum { FILE_BYTES_MAX = 1 << 20, LOCK_WAIT_MS = 5000 };

void jr_wisdom_place_of(const char *wish, jr_place *place) {
    static const jr_place_rule rule = {.noun = "file",
                                       .setting = JR_SETTING_WISDOM,
                                       .setting_origin = "setting JITREDUCE_WISDOM",
                                       .xdg = JR_SETTING_XDG_DATA_HOME,
                                       .below_xdg = "jitreduce/wisdom",
                                       .below_home = ".local/share/jitreduce/wisdom"};
    jr_place_of(&rule, wish, place);
}

jr_status jr_wisdom_read(const char *path, jr_wisdom *wisdom, bool *missing) {
    void *bytes = NULL;
    size_t count = 0;
    bool absent = false;
    jr_status status = jr_file_read_ours(path, FILE_BYTES_MAX, &bytes, &count, &absent);
    if (status == JR_OK && !absent) status = jr_wisdom_parse(bytes, count, wisdom);
    free(bytes);
    if (status == JR_ERROR_WISDOM) return jr_fail_prefix("%s: ", path);
    if (status == JR_OK) *missing = absent;
    return status;
}

/* What stands in a file that is about to be replaced. A damaged file of ours counts as empty. */
static jr_status read_old(const char *path, jr_wisdom *old) {
    void *bytes = NULL;
    size_t count = 0;
    bool absent = false;
    jr_status status = jr_file_read_ours(path, FILE_BYTES_MAX, &bytes, &count, &absent);
    if (status != JR_OK || absent || count == 0) {
        free(bytes);
        return status;
    }
    const bool known = jr_wisdom_is_known(bytes);
    jr_error_saved *saved = jr_error_save();
    status = jr_wisdom_parse(bytes, count, old);
    free(bytes);
    if (status == JR_ERROR_WISDOM && known) {
        jr_log(JR_LOG_WARNING, "wisdom %s is replaced: %s", path, jr_last_error()->message);
        jr_error_restore(saved); /* no failure of the call */
        return JR_OK;
    }
    jr_error_discard(saved);
    if (status != JR_ERROR_WISDOM) return status;
    return jr_fail(JR_ERROR_FILE, "%s is left as it is: %s; name another file", path, jr_last_error()->message);
}

/* Splits a path into its folder and its name. */
static jr_status split(const char *path, char folder[JR_PATH_BYTES], const char **name) {
    const char *slash = strrchr(path, '/');
    const size_t length = slash != NULL ? (size_t)(slash - path) : 0;
    if (slash == NULL || slash[1] == '\0' || length >= JR_PATH_BYTES)
        return jr_fail(JR_ERROR_FILE, "'%s' is not the path of a file", path);
    memcpy(folder, path, length);
    folder[length] = '\0';
    if (length == 0) memcpy(folder, "/", 2);
    *name = slash + 1;
    return JR_OK;
}

/* The lock, if there is one, is held. */
static jr_status rewrite(const char *path, const char *folder, const char *name, const jr_wisdom *added) {
    jr_wisdom all = {0};
    jr_text text = {0};
    jr_status status = read_old(path, &all);
    if (status == JR_OK) status = jr_wisdom_merge(&all, added);
    if (status == JR_OK) jr_wisdom_print(&all, &text);
    if (status == JR_OK && jr_text_failed(&text))
        status = jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory to write %s", path);
    if (status == JR_OK && text.length > FILE_BYTES_MAX)
        status = jr_fail(JR_ERROR_FILE, "%s is full: it would have %zu bytes, and %d are allowed; remove it", path,
                         text.length, FILE_BYTES_MAX);
    if (status == JR_OK) status = jr_file_write(folder, name, jr_text_string(&text), text.length);
    jr_text_free(&text);
    jr_wisdom_free(&all);
    return status;
}

jr_status jr_wisdom_write(const char *path, const jr_wisdom *added) {
    char folder[JR_PATH_BYTES];
    const char *name = "";
    JR_TRY(split(path, folder, &name));
    JR_TRY(jr_folder_make(folder));
    jr_log_hold();
    const int lock = jr_folder_lock(folder, LOCK_WAIT_MS);
    if (lock < 0) jr_log(JR_LOG_WARNING, "wisdom %s is written without a lock on its folder", path);
    const jr_status status = rewrite(path, folder, name, added);
    jr_folder_unlock(lock);
    jr_log_release();
    return status;
}
