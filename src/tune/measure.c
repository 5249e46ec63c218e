/* Takes interleaved samples; sorts and interpolates what was measured. */
#include "measure.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "device/capture.h"
#include "device/memory.h"
#include "device/stopwatch.h"

/* Long enough that the events' own time does not count, short enough that the clock rates are the same for all. */
static const double SAMPLE_US = 4000;

/* An item with what its samples need. */
typedef struct measure_trial {
    const jr_measured *item;
    int number;    /* -1: the one before each sample */
    uint64_t runs; /* so far */
    int batch;
    jr_cu_graph_exec graph; /* of JR_MEASURE_GRAPH */
} measure_trial;

typedef struct measure_session {
    const jr_device *device;
    const jr_measure_options *options;
    jr_cu_stream stream;
    jr_stopwatch watch;
    measure_trial before, *trials;
    int count;
} measure_session;

static jr_status check(const measure_session *session, jr_cu_result result, const char *action) {
    return jr_driver_check(&session->device->driver, result, "%s", action);
}

static jr_status run_once(const measure_session *session, measure_trial *trial) {
    const uint64_t run = trial->runs++;
    const jr_status status = trial->item->run(trial->item->user, run, session->stream);
    if (status == JR_OK) return JR_OK;
    /* Runs that are not the library's leave no reason. */
    if (jr_last_error()->status != status) (void)jr_fail(status, "%s", jr_status_text(status));
    if (trial->number < 0) return jr_fail_prefix("before a sample: ");
    return jr_fail_prefix("item %d, run %llu: ", trial->number, (unsigned long long)run);
}

static jr_status run_batch(const measure_session *session, measure_trial *trial, int batch) {
    jr_status status = JR_OK;
    for (int i = 0; status == JR_OK && i < batch; i++) status = run_once(session, trial);
    return status;
}

static jr_status time_on_host(const measure_session *session, measure_trial *trial, int batch, double *us) {
    const double begin = jr_clock_ms();
    const jr_status status = run_batch(session, trial, batch);
    *us = (jr_clock_ms() - begin) * 1e3 / batch;
    return status;
}

static jr_status time_on_device(measure_session *session, measure_trial *trial, int batch, double *us) {
    const jr_driver *driver = &session->device->driver;
    double ms = 0;
    jr_status status = jr_stopwatch_start(&session->watch, session->stream);
    if (status == JR_OK)
        status = trial->graph != NULL
                     ? check(session, driver->cuGraphLaunch(trial->graph, session->stream), "launching a graph")
                     : run_batch(session, trial, batch);
    if (status == JR_OK) status = jr_stopwatch_stop(&session->watch, session->stream);
    if (status == JR_OK) status = jr_stopwatch_read(&session->watch, &ms);
    *us = ms * 1e3 / batch;
    return status;
}

static jr_status sample(measure_session *session, measure_trial *trial, int batch, double *us) {
    const bool host = session->options->mode == JR_MEASURE_HOST;
    if (session->before.item != NULL) {
        jr_status status = run_once(session, &session->before);
        if (status == JR_OK && host) status = jr_memory_wait(session->device, session->stream);
        if (status != JR_OK) return status;
    }
    return host ? time_on_host(session, trial, batch, us) : time_on_device(session, trial, batch, us);
}

static int choose_batch(const measure_session *session, double us) {
    if (session->options->batch > 0) return session->options->batch;
    if (session->options->mode == JR_MEASURE_HOST) return 1;
    if (us * JR_MEASURE_BATCH_MAX <= SAMPLE_US) return JR_MEASURE_BATCH_MAX;
    return us < SAMPLE_US ? (int)(SAMPLE_US / us) : 1;
}

/* A capture that failed is ended, too: the stream could not be used otherwise. */
static jr_status capture(const measure_session *session, measure_trial *trial) {
    jr_cu_graph_exec graph = NULL;
    JR_TRY(jr_capture_start(session->device, session->stream));
    const jr_status status = run_batch(session, trial, trial->batch);
    jr_error_saved *saved = jr_error_save();
    const jr_status ended = jr_capture_stop(session->device, session->stream, &graph);
    if (status == JR_OK) {
        jr_error_discard(saved);
        trial->graph = graph;
        return ended;
    }
    if (graph != NULL) session->device->driver.cuGraphExecDestroy(graph);
    jr_error_restore(saved);
    return status;
}

/* The first run warms up, since code is loaded lazily. The time of the second run decides how many runs make a
 * sample. */
static jr_status prepare(measure_session *session, measure_trial *trial) {
    double us = 0;
    JR_TRY(run_once(session, trial));
    JR_TRY(jr_memory_wait(session->device, session->stream));
    if (session->options->batch == 0) JR_TRY(sample(session, trial, 1, &us));
    trial->batch = choose_batch(session, us);
    if (session->options->mode != JR_MEASURE_GRAPH) return JR_OK;
    JR_TRY(capture(session, trial));
    return sample(session, trial, trial->batch, &us);
}

static jr_status take_rounds(measure_session *session, double *microseconds, int *rounds) {
    const double begin = jr_clock_ms(), limit_ms = session->options->limit_ms;
    const int wanted = session->options->rounds;
    jr_status status = JR_OK;
    int round = 0;
    for (int i = 0; status == JR_OK && i < session->count; i++) status = prepare(session, &session->trials[i]);
    for (; status == JR_OK && round < wanted; round++) {
        if (round > 0 && limit_ms > 0 && jr_clock_ms() - begin >= limit_ms) break;
        for (int turn = 0; status == JR_OK && turn < session->count; turn++) {
            const int i =
                round % 2 == 0 ? turn : session->count - 1 - turn; /* so that none always follows the same one */
            status = sample(session, &session->trials[i], session->trials[i].batch, &microseconds[i * wanted + round]);
        }
    }
    *rounds = round;
    return status;
}

static jr_status open_session(measure_session *session) {
    const jr_driver *driver = &session->device->driver;
    jr_status status = session->options->mode == JR_MEASURE_GRAPH ? jr_capture_check(session->device) : JR_OK;
    if (status == JR_OK)
        status =
            check(session, driver->cuStreamCreate(&session->stream, JR_CU_STREAM_NON_BLOCKING), "creating a stream");
    return status == JR_OK ? jr_stopwatch_create(session->device, &session->watch) : status;
}

/* What was started has ended when this returns: its buffers may go. */
static void close_session(measure_session *session) {
    const jr_driver *driver = &session->device->driver;
    JR_KEEP_ERROR;
    if (session->stream != NULL) driver->cuStreamSynchronize(session->stream);
    for (int i = 0; i < session->count; i++)
        if (session->trials[i].graph != NULL) driver->cuGraphExecDestroy(session->trials[i].graph);
    jr_stopwatch_destroy(&session->watch);
    if (session->stream != NULL) driver->cuStreamDestroy_v2(session->stream);
}

jr_status jr_measure_run(const jr_device *device, const jr_measure_options *options, const jr_measured *items,
                         int count, double *microseconds, int *rounds) {
    measure_session session = {.device = device,
                               .options = options,
                               .watch = {.driver = &device->driver},
                               .before = {.item = options->before, .number = -1},
                               .count = count};
    session.trials = calloc((size_t)count, sizeof *session.trials);
    if (session.trials == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for %d trials", count);
    for (int i = 0; i < count; i++) session.trials[i] = (measure_trial){.item = &items[i], .number = i};
    JR_INSIDE inside = jr_inside_to_wait(device, NULL);
    jr_status status = inside.status;
    if (status == JR_OK) {
        status = open_session(&session);
        if (status == JR_OK) status = take_rounds(&session, microseconds, rounds);
        close_session(&session);
    }
    free(session.trials);
    return status;
}

/* ---- what measured times say ---- */

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The number below which this part of the sorted ones lies, as a straight line between neighbours. */
static double quantile(const double *sorted, int count, double part) {
    const double place = part * (count - 1);
    const int below = (int)place;
    if (below + 1 >= count) return sorted[count - 1];
    return sorted[below] + (place - below) * (sorted[below + 1] - sorted[below]);
}

jr_quartiles jr_quartiles_of(double *numbers, int count) {
    qsort(numbers, (size_t)count, sizeof *numbers, compare);
    return (jr_quartiles){quantile(numbers, count, 0.25), quantile(numbers, count, 0.5),
                          quantile(numbers, count, 0.75)};
}
