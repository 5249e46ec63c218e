/* Watches files, and makes kernels of them. */
#include "kernel_watch.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/condition.h"
#include "base/error.h"
#include "base/float_mode.h"
#include "base/log.h"
#include "base/own_thread.h"
#include "base/text.h"
#include "kernel.h"
#include "program/program_copy.h"
#include "watched_files.h"

static const double LOOK_MS = 100;

struct jr_watch {
    jr_context *context;
    jr_program *program; /* a copy */
    jr_watched_files files;
    char *told; /* the last failure that was logged; NULL: none since the last success */
    pthread_t thread;
    pthread_mutex_t lock;   /* guards the rest */
    pthread_cond_t changed; /* the kernel, or `ends` */
    jr_kernel *kernel;
    bool ends;
};

/* ---- opening ---- */

static const char *name_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static bool has_folder(const jr_program *program, const char *folder) {
    for (size_t i = 0; i < program->include_folder_count; i++)
        if (program->include_folders[i] != NULL && strcmp(program->include_folders[i], folder) == 0) return true;
    return false;
}

/* Copies the program; the folder of its file is searched for headers after its own folders. */
static jr_status copy_program(const jr_program *program, const char *path, jr_program **copy) {
    const size_t count = program->include_folder_count, length = (size_t)(name_of(path) - path);
    jr_program own = *program;
    char *folder = jr_string_copy(length > 0 ? path : ".");
    const char **folders = calloc(count + 1, sizeof *folders);
    jr_status status =
        folder != NULL && folders != NULL ? JR_OK : jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory to watch %s", path);
    if (status == JR_OK) {
        if (length > 0) folder[length > 1 ? length - 1 : 1] = '\0';
        if (own.name == NULL) own.name = name_of(path);
        for (size_t i = 0; i < count; i++) folders[i] = program->include_folders[i];
        if (!has_folder(program, folder)) folders[own.include_folder_count++] = folder;
        own.include_folders = folders;
        status = jr_program_copy(&own, copy);
    }
    free(folder);
    free(folders);
    return status;
}

static jr_status make(jr_watch *watch, jr_kernel **kernel) {
    jr_kernel_cost cost;
    JR_TRY(jr_watched_files_read(&watch->files, watch->context));
    const jr_status status = jr_kernel_of_caller(watch->context, &watch->files.program, kernel, &cost);
    watch->files.incomplete = status != JR_OK && status != JR_ERROR_COMPILE && status != JR_ERROR_INVALID_ARGUMENT;
    return status;
}

/* ---- watching ---- */

static void swap(jr_watch *watch, jr_kernel *kernel) {
    pthread_mutex_lock(&watch->lock);
    const bool another = watch->kernel != kernel;
    watch->kernel = kernel;
    pthread_cond_broadcast(&watch->changed);
    pthread_mutex_unlock(&watch->lock);
    if (another || watch->told != NULL)
        jr_log(JR_LOG_INFO, "%s has changed: %s", watch->files.path,
               another ? "its new kernel is used from now on" : "its kernel is the one of before");
    free(watch->told);
    watch->told = NULL;
}

/* Logs a failure, once until it is another one. */
static void tell(jr_watch *watch) {
    const char *why = jr_last_error()->message;
    if (watch->told != NULL && strcmp(watch->told, why) == 0) return;
    free(watch->told);
    watch->told = jr_string_copy(why);
    jr_log(JR_LOG_WARNING, "%s has changed, and its kernel stays as it was: %s", watch->files.path, why);
}

static void *watch_files(void *opaque) {
    jr_watch *watch = opaque;
    jr_float_mode creators;
    jr_float_mode_enter(&creators);
    jr_capture_let_thread(&watch->context->device);
    pthread_mutex_lock(&watch->lock);
    while (!watch->ends) {
        const double until_ms = jr_clock_ms() + LOOK_MS;
        while (!watch->ends && jr_condition_wait(&watch->changed, &watch->lock, until_ms)) continue;
        if (watch->ends) break;
        pthread_mutex_unlock(&watch->lock);
        if (jr_watched_files_look(&watch->files)) {
            jr_kernel *kernel = NULL;
            if (make(watch, &kernel) == JR_OK)
                swap(watch, kernel);
            else
                tell(watch);
        }
        pthread_mutex_lock(&watch->lock);
    }
    pthread_mutex_unlock(&watch->lock);
    return NULL;
}

/* ---- the watch ---- */

static void free_watch(jr_watch *watch) {
    pthread_cond_destroy(&watch->changed);
    pthread_mutex_destroy(&watch->lock);
    jr_watched_files_close(&watch->files);
    free(watch->told);
    free(watch->program);
    free(watch);
}

jr_status jr_watch_open(jr_context *context, const jr_program *program, const char *path, jr_watch **watch) {
    jr_watch *made = calloc(1, sizeof *made);
    if (made == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory to watch %s", path);
    made->context = context;
    pthread_mutex_init(&made->lock, NULL);
    jr_condition_open(&made->changed);
    jr_status status = copy_program(program, path, &made->program);
    if (status == JR_OK) status = jr_watched_files_open(made->program, path, &made->files);
    if (status == JR_OK) status = make(made, &made->kernel);
    if (status == JR_OK && jr_own_thread_begin(&made->thread, NULL, watch_files, made) != 0)
        status = jr_fail(JR_ERROR_OUT_OF_MEMORY, "no thread could be made to watch %s", path);
    if (status == JR_OK)
        *watch = made;
    else
        free_watch(made);
    return status;
}

jr_status jr_watch_wait(jr_watch *watch, double wait_ms, jr_kernel **kernel) {
    if (!(wait_ms >= 0))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "wait_ms %g is not allowed: give milliseconds, 0 or more, or INFINITY", wait_ms);
    const double until_ms = jr_clock_ms() + wait_ms;
    pthread_mutex_lock(&watch->lock);
    while (wait_ms > 0 && watch->kernel == *kernel && jr_condition_wait(&watch->changed, &watch->lock, until_ms))
        continue;
    *kernel = watch->kernel;
    pthread_mutex_unlock(&watch->lock);
    return JR_OK;
}

void jr_watch_close(jr_watch *watch) {
    if (watch == NULL) return;
    pthread_mutex_lock(&watch->lock);
    watch->ends = true;
    pthread_cond_broadcast(&watch->changed);
    pthread_mutex_unlock(&watch->lock);
    pthread_join(watch->thread, NULL);
    free_watch(watch);
}
