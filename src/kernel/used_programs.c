/* Which programs are kept, and for which pack. */
#include "used_programs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/log.h"
#include "base/settings.h"
#include "program/program.h"
#include "program/program_copy.h"

/* ---- the setting ---- */

/* Takes a list, "sm_80,sm_90,sim", which may be empty. */
static jr_status take_architectures(jr_used_programs *used, const char *list) {
    for (const char *at = list; *at != '\0'; at += strcspn(at, ",") + (at[strcspn(at, ",")] == ',')) {
        char name[JR_PACK_NAME_BYTES];
        const int length = snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
        const char *meant = jr_architecture_meant(name);
        if ((size_t)length >= sizeof name || jr_architecture_number(meant) == 0)
            return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                           "'%s' after its ':' is not a list of architectures like sm_80,sm_90,sim", list);
        if (used->architecture_count == JR_PACK_SECTIONS_MAX)
            return jr_fail(JR_ERROR_INVALID_ARGUMENT, "it names more than %d architectures", JR_PACK_SECTIONS_MAX);
        snprintf(used->architectures[used->architecture_count++], JR_PACK_NAME_BYTES, "%s", meant);
    }
    return JR_OK;
}

/* Parts the path into a folder, fixed to the present working directory, and a name in it. */
static jr_status take_path(jr_used_programs *used) {
    char *slash = strrchr(used->path, '/'), *folder = NULL;
    used->name = slash != NULL ? slash + 1 : used->path;
    if (*used->name == '\0') return jr_fail(JR_ERROR_FILE, "it names a folder: name a file in it");
    snprintf(used->folder, sizeof used->folder, "%.*s", slash != NULL ? (int)(slash - used->path) : 1,
             slash != NULL ? used->path : ".");
    folder = realpath(*used->folder != '\0' ? used->folder : "/", NULL);
    if (folder == NULL || access(folder, W_OK | X_OK) != 0) {
        free(folder);
        return jr_fail(JR_ERROR_FILE, "its folder is not there, or cannot be written to");
    }
    const bool fits = strlen(folder) < sizeof used->folder;
    snprintf(used->folder, sizeof used->folder, "%s", folder);
    free(folder);
    return fits ? JR_OK : jr_fail(JR_ERROR_FILE, "its path is too long");
}

/* "FILE[:ARCHITECTURES]" */
static jr_status take_wish(jr_used_programs *used, const char *wish) {
    if (strlen(wish) >= sizeof used->path) return jr_fail(JR_ERROR_FILE, "its path is too long");
    snprintf(used->path, sizeof used->path, "%s", wish);
    char *colon = strrchr(used->path, ':');
    if (colon != NULL) {
        *colon = '\0';
        JR_TRY(take_architectures(used, colon + 1));
    }
    return take_path(used);
}

jr_used_programs *jr_used_programs_open(void) {
    const char *wish = jr_setting_get(JR_SETTING_PACK_RECORD);
    if (wish == NULL || *wish == '\0') return NULL;
    JR_KEEP_ERROR;
    jr_used_programs *made = calloc(1, sizeof *made);
    const jr_status status =
        made != NULL ? take_wish(made, wish) : jr_fail(JR_ERROR_OUT_OF_MEMORY, "there is no memory for it");
    if (status != JR_OK) {
        jr_log(JR_LOG_WARNING, "%s=%s is not recorded: %s", jr_setting_variable(JR_SETTING_PACK_RECORD), wish,
               jr_last_error()->message);
        free(made);
        return NULL;
    }
    pthread_mutex_init(&made->lock, NULL);
    return made;
}

void jr_used_programs_close(jr_used_programs *used) {
    if (used == NULL) return;
    for (jr_used_program *at = used->list, *next; at != NULL; at = next) {
        next = at->next;
        free(at->program);
        free(at);
    }
    pthread_mutex_destroy(&used->lock);
    free(used);
}

/* ---- programs ---- */

/* Lock held. */
static bool has(const jr_used_programs *used, const jr_key *text_key) {
    const jr_used_program *at = used->list;
    while (at != NULL && memcmp(&at->text_key, text_key, sizeof *text_key) != 0) at = at->next;
    return at != NULL;
}

static jr_used_program *copy_of(const jr_program *program, const jr_key *text_key, const char *architecture) {
    JR_KEEP_ERROR;
    jr_used_program *made = calloc(1, sizeof *made);
    if (made == NULL || jr_program_copy(program, &made->program) != JR_OK) {
        free(made);
        return NULL;
    }
    made->text_key = *text_key;
    snprintf(made->architecture, sizeof made->architecture, "%s", architecture);
    return made;
}

void jr_used_programs_note(jr_used_programs *used, const jr_program *program, const jr_key *text_key,
                           const char *architecture) {
    if (used == NULL) return;
    if (jr_program_has_folders(program)) {
        jr_log(JR_LOG_WARNING, "%s is not recorded in %s: it finds files in folders; give the files as headers",
               program->name, used->path);
        return;
    }
    jr_used_program *note = copy_of(program, text_key, architecture);
    if (note == NULL) {
        jr_log(JR_LOG_WARNING, "%s is not recorded in %s: there is no memory for it", program->name, used->path);
        return;
    }
    pthread_mutex_lock(&used->lock);
    const bool keep = !has(used, text_key);
    if (keep) {
        note->next = used->list;
        used->list = note;
    }
    pthread_mutex_unlock(&used->lock);
    if (keep) return;
    free(note->program);
    free(note);
}
