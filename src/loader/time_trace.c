/* Has NVRTC write its time trace into memory, and writes the file. */
#include "time_trace.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "base/log.h"
#include "base/settings.h"

#define ENDING ".json" /* NVRTC appends it to the name that it is given */
enum { KEY_DIGITS = 12, TRACE_BYTES_MAX = 1 << 30 };

static bool names_make(const char *folder, const char *program, const char *key, jr_time_trace *trace) {
    char link[64];
    snprintf(link, sizeof link, JR_TEMPORARY_PREFIX "%ld-%d" ENDING, (long)getpid(), trace->memory);
    const int name = snprintf(trace->name, sizeof trace->name, "%.200s-%.*s" ENDING, program, KEY_DIGITS, key);
    const int path = snprintf(trace->folder, sizeof trace->folder, "%s", folder);
    return name > 0 && path > 0 && (size_t)path < sizeof trace->folder && jr_path_join(trace->link, folder, link);
}

/* Links to the memory; true when it can be written to by the link. */
static bool link_make(const jr_time_trace *trace) {
    char target[64];
    snprintf(target, sizeof target, "/proc/self/fd/%d", trace->memory);
    (void)unlink(trace->link); /* a process of the same number may have been killed */
    if (symlink(target, trace->link) != 0) return false;
    const int opened = open(trace->link, O_WRONLY | O_CLOEXEC);
    if (opened < 0) (void)unlink(trace->link);
    if (opened >= 0) close(opened);
    return opened >= 0;
}

bool jr_time_trace_begin(const jr_nvrtc *nvrtc, const char *program, const char *key, jr_time_trace *trace) {
    const char *folder = jr_setting_get(JR_SETTING_TIME_TRACE);
    *trace = (jr_time_trace){.memory = -1};
    if (folder == NULL || folder[0] == '\0' || nvrtc->nvrtcSetFlowCallback == NULL)
        return false; /* both from 12.8 on */
    JR_KEEP_ERROR;
    jr_status status = jr_folder_make(folder);
    if (status == JR_OK) trace->memory = memfd_create("trace", MFD_CLOEXEC);
    if (trace->memory >= 0 && names_make(folder, program, key, trace) && link_make(trace)) {
        const size_t length = strlen(trace->link) - strlen(ENDING);
        snprintf(trace->option, sizeof trace->option, "--fdevice-time-trace=%.*s", (int)length, trace->link);
        return true;
    }
    jr_log(JR_LOG_WARNING, "no time trace of %s can be written to %s: name a folder in %s", program, folder,
           jr_setting_variable(JR_SETTING_TIME_TRACE));
    if (trace->memory >= 0) close(trace->memory);
    trace->memory = -1;
    return false;
}

/* Copies the memory into the file. */
static bool file_write(const jr_time_trace *trace) {
    const off_t bytes = lseek(trace->memory, 0, SEEK_END);
    char *copy = bytes > 0 && bytes < TRACE_BYTES_MAX ? malloc((size_t)bytes) : NULL;
    const bool written = copy != NULL && jr_file_read_at(trace->memory, trace->name, 0, copy, (size_t)bytes) == JR_OK &&
                         jr_file_write(trace->folder, trace->name, copy, (size_t)bytes) == JR_OK;
    free(copy);
    return written;
}

void jr_time_trace_end(jr_time_trace *trace) {
    if (trace->memory < 0) return;
    JR_KEEP_ERROR;
    (void)jr_file_remove(trace->link);
    if (!file_write(trace))
        jr_log(JR_LOG_WARNING, "the time trace %s cannot be written to %s", trace->name, trace->folder);
    close(trace->memory);
    trace->memory = -1;
}
