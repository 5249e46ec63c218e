/* What is recorded, and where to. */
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "base/settings.h"
#include "image/ptx_text.h"
#include "recorder.h"

enum { BYTES_MOST = 256 << 20, COUNT_MAX = 16 };

/* ---- settings ---- */

static uint64_t number_of(jr_setting setting, uint64_t usual) {
    const char *text = jr_setting_get(setting);
    if (text == NULL || *text == '\0') return usual;
    char *end = NULL;
    errno = 0;
    const unsigned long long number = strtoull(text, &end, 10);
    if (*text >= '0' && *text <= '9' && *end == '\0' && errno == 0) return number;
    jr_log(JR_LOG_WARNING, "%s is '%s', which is not a number: using %llu", jr_setting_variable(setting), text,
           (unsigned long long)usual);
    return usual;
}

/* "FOLDER[:PATTERN]"; a relative folder is fixed to the present working directory. */
static jr_status take_wish(jr_recorder *recorder, const char *wish) {
    snprintf(recorder->wish, sizeof recorder->wish, "%s", wish);
    char *colon = strchr(recorder->wish, ':');
    recorder->pattern = colon != NULL && colon[1] != '\0' ? colon + 1 : "*";
    if (colon != NULL) *colon = '\0';
    if (strlen(wish) >= sizeof recorder->wish) return jr_fail(JR_ERROR_FILE, "the path is too long");
    JR_TRY(jr_folder_make_private(recorder->wish));
    char *resolved = realpath(recorder->wish, NULL);
    const bool fits = resolved != NULL && strlen(resolved) < sizeof recorder->folder;
    if (fits) memcpy(recorder->folder, resolved, strlen(resolved) + 1);
    free(resolved);
    return fits ? JR_OK : jr_fail(JR_ERROR_FILE, "the path of %s cannot be found out", recorder->wish);
}

jr_recorder *jr_recorder_open(const jr_device *device, jr_captures *captures) {
    const char *wish = jr_setting_get(JR_SETTING_CAPTURE);
    if (wish == NULL || *wish == '\0') return NULL;
    JR_KEEP_ERROR;
    jr_recorder *made = calloc(1, sizeof *made);
    jr_status status =
        made != NULL ? take_wish(made, wish) : jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for a recorder");
    if (status != JR_OK) {
        jr_log(JR_LOG_WARNING, "no launches are captured: %s", jr_last_error()->message);
        free(made);
        made = NULL;
    } else {
        made->device = device;
        made->captures = captures;
        made->bytes_most = number_of(JR_SETTING_CAPTURE_BYTES, BYTES_MOST);
        made->count_most = number_of(JR_SETTING_CAPTURE_COUNT, COUNT_MAX);
        pthread_mutex_init(&made->lock, NULL);
    }
    return made;
}

void jr_recorder_close(jr_recorder *recorder) {
    if (recorder == NULL) return;
    for (jr_recorder_note_entry *note = recorder->notes, *next; note != NULL; note = next) {
        next = note->next;
        jr_text_free(&note->program);
        free(note);
    }
    pthread_mutex_destroy(&recorder->lock);
    free(recorder);
}

/* ---- programs ---- */

static bool fits(const jr_recorder *recorder, const char *name) {
    return fnmatch(recorder->pattern, name, 0) == 0;
}

/* Lock held. */
static const jr_recorder_note_entry *find(const jr_recorder *recorder, const uint8_t *key) {
    const jr_recorder_note_entry *note = recorder->notes;
    while (note != NULL && memcmp(note->key, key, JR_DIGEST_BYTES) != 0) note = note->next;
    return note;
}

/* Without memory for the note, the launch is recorded without its program. */
void jr_recorder_note(jr_recorder *recorder, const uint8_t key[JR_DIGEST_BYTES], const jr_program *program) {
    if (recorder == NULL) return;
    jr_recorder_note_entry *note = calloc(1, sizeof *note);
    if (note == NULL) return;
    memcpy(note->key, key, sizeof note->key);
    note->chosen = fits(recorder, program->name) || fits(recorder, program->entry);
    jr_launch_file_put_program(&note->program, program);
    pthread_mutex_lock(&recorder->lock);
    const bool keep = !jr_text_failed(&note->program) && find(recorder, key) == NULL;
    if (keep) {
        note->next = recorder->notes;
        recorder->notes = note;
    }
    pthread_mutex_unlock(&recorder->lock);
    if (keep) return;
    jr_text_free(&note->program);
    free(note);
}

static bool is_chosen(jr_recorder *recorder, const jr_image *image) {
    if (fits(recorder, image->entry)) return true;
    pthread_mutex_lock(&recorder->lock);
    const jr_recorder_note_entry *note = find(recorder, image->key);
    const bool chosen = note != NULL && note->chosen;
    pthread_mutex_unlock(&recorder->lock);
    return chosen;
}

/* ---- kernels ---- */

static jr_status fill(jr_recorded *made, const jr_image *image) {
    jr_status status = jr_image_decode(image->stored, image->stored_bytes, NULL, &made->image);
    if (status == JR_OK) status = jr_ptx_parameters(image->ptx, image->entry, NULL, 0, &made->parameter_count);
    if (status != JR_OK || made->parameter_count == 0) return status;
    if (made->parameter_count > JR_RECORDED_ARGUMENTS_MAX)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "it has %zu parameters", made->parameter_count);
    made->parameters = calloc(made->parameter_count, sizeof *made->parameters);
    if (made->parameters == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for its parameters");
    return jr_ptx_parameters(image->ptx, image->entry, made->parameters, made->parameter_count, &made->parameter_count);
}

jr_recorded *jr_recorder_take(jr_recorder *recorder, const jr_image *image) {
    if (recorder == NULL || !is_chosen(recorder, image)) return NULL;
    JR_KEEP_ERROR;
    jr_recorded *made = calloc(1, sizeof *made);
    const jr_status status = made != NULL ? fill(made, image) : jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory");
    if (status == JR_OK) {
        made->recorder = recorder;
    } else {
        jr_log(JR_LOG_WARNING, "launches of %s are not captured: %s", image->entry, jr_last_error()->message);
        jr_recorded_free(made);
        made = NULL;
    }
    return made;
}

void jr_recorded_free(jr_recorded *recorded) {
    if (recorded == NULL) return;
    jr_image_free(recorded->image);
    free(recorded->parameters);
    free(recorded);
}

/* ---- files ---- */

#define SUFFIX ".jrlaunch"
enum { NAME_BYTES = 128, LOCK_WAIT_MS = 10000 };

/* The number in "NAME.N.jrlaunch"; 0: it is no such file. */
static unsigned long number_in(const char *name) {
    const size_t length = strlen(name);
    if (length <= strlen(SUFFIX) || strcmp(name + length - strlen(SUFFIX), SUFFIX) != 0) return 0;
    size_t at = length - strlen(SUFFIX);
    while (at > 0 && name[at - 1] >= '0' && name[at - 1] <= '9') at--;
    return at > 0 && name[at - 1] == '.' ? strtoul(name + at, NULL, 10) : 0;
}

/* Lock held, of the folder too. */
static jr_status next_number(jr_recorder *recorder, unsigned long *number) {
    jr_folder_entry *entries = NULL;
    size_t count = 0, files = 0;
    unsigned long most = 0;
    jr_status status = jr_folder_check(recorder->folder);
    if (status == JR_OK) status = jr_folder_list(recorder->folder, &entries, &count);
    for (size_t i = 0; status == JR_OK && i < count; i++) {
        const unsigned long found = number_in(entries[i].name);
        files += found > 0;
        most = found > most ? found : most;
    }
    free(entries);
    if (status != JR_OK) return status;
    *number = most + 1;
    if (files < recorder->count_most) return JR_OK;
    atomic_store(&recorder->full, true);
    return jr_fail(JR_ERROR_FILE, "%s has %zu already, and %s allows %llu: no more are written", recorder->folder,
                   files, jr_setting_variable(JR_SETTING_CAPTURE_COUNT), (unsigned long long)recorder->count_most);
}

/* Letters, digits and '_' of a kernel's name, that the file's can be. */
static void name_of(const char *entry, unsigned long number, char name[NAME_BYTES]) {
    snprintf(name, NAME_BYTES, "%.80s.%lu" SUFFIX, entry, number);
    for (char *at = name; *at != '\0'; at++)
        if (*at == '/' || *at == '$') *at = '_';
}

/* Locks held. */
static jr_status store(jr_recorder *recorder, const jr_replay *launch, char name[NAME_BYTES]) {
    jr_text none = {0};
    unsigned long number = 0;
    JR_TRY(next_number(recorder, &number));
    const jr_recorder_note_entry *note = find(recorder, launch->image->key);
    if (note == NULL) jr_launch_file_put_program(&none, NULL);
    name_of(launch->image->entry, number, name);
    const jr_status status = jr_text_failed(&none) ? jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for a captured launch")
                                                   : jr_launch_file_write(launch, note != NULL ? &note->program : &none,
                                                                          recorder->folder, name);
    jr_text_free(&none);
    return status;
}

jr_status jr_recorder_store(jr_recorder *recorder, const jr_replay *launch) {
    char name[NAME_BYTES];
    pthread_mutex_lock(&recorder->lock);
    const int lock = jr_folder_lock(recorder->folder, LOCK_WAIT_MS);
    const jr_status status =
        lock >= 0 ? store(recorder, launch, name) : jr_fail(JR_ERROR_FILE, "%s cannot be locked", recorder->folder);
    jr_folder_unlock(lock);
    pthread_mutex_unlock(&recorder->lock);
    if (status == JR_OK)
        jr_log(JR_LOG_INFO, "captured a launch of %s: %s/%s", launch->image->entry, recorder->folder, name);
    return status;
}
