/* The log: a file or standard error, one line at a time. */
#include "sim_log.h"

#include <errno.h>
#include <string.h>

#include "base/settings.h"
#include "sim_device.h"

bool jrs_log_open(jrs_log *log, char *why) {
    const char *path = jr_setting_get(JR_SETTING_SIM_LOG);
    if (log->file || !path || !*path) return true;
    log->file = fopen(path, "ae");
    if (log->file) return true;
    snprintf(why, JRS_WHY_BYTES, "%s is '%.300s', which cannot be written: %s", jr_setting_variable(JR_SETTING_SIM_LOG),
             path, strerror(errno));
    return false;
}

bool jrs_rounds_open(jrs_log *log, char *why) {
    const char *path = jr_setting_get(JR_SETTING_SIM_ROUNDS);
    if (log->file || !path || !*path) return true;
    log->file = fopen(path, "we");
    if (log->file) return true;
    snprintf(why, JRS_WHY_BYTES, "%s is '%.300s', which cannot be written: %s",
             jr_setting_variable(JR_SETTING_SIM_ROUNDS), path, strerror(errno));
    return false;
}

void jrs_rounds_line(void *user, const char *text) {
    jrs_log *log = user;
    pthread_mutex_lock(&log->lock);
    if (text)
        fprintf(log->file, "%s\n", text);
    else
        fflush(log->file);
    pthread_mutex_unlock(&log->lock);
}

void jrs_log_line(void *user, const char *text) {
    jrs_log *log = user;
    FILE *file = log->file ? log->file : stderr;
    pthread_mutex_lock(&log->lock);
    fprintf(file, "jrsim: %s\n", text);
    fflush(file);
    pthread_mutex_unlock(&log->lock);
}

/* Hashes the kernel and the instruction only: block and thread, which follow, differ from launch to launch. */
static uint64_t hash_of(const char *text) {
    const char *end = strstr(text, ", block (");
    size_t length = end ? (size_t)(end - text) : strlen(text);
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)text[i]) * UINT64_C(1099511628211);
    return hash;
}

static bool is_news(jrs_log *log, uint64_t hash) {
    pthread_mutex_lock(&log->lock);
    bool news = log->note_count < JRS_LOG_NOTES;
    for (unsigned i = 0; i < log->note_count && news; i++) news = log->notes[i] != hash;
    if (news) log->notes[log->note_count++] = hash;
    pthread_mutex_unlock(&log->lock);
    return news;
}

void jrs_log_note(void *user, const char *text) {
    if (is_news(user, hash_of(text))) jrs_log_line(user, text);
}
