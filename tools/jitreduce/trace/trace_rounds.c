/* Finds rounds: the k-th thing that a thread gives between two barriers belongs to the k-th round there. */
#include "trace_rounds.h"

#include <stdlib.h>
#include <string.h>

enum { THREADS_MAX = 1024 };

/* What each thread has done since the barrier. */
typedef struct thread_state {
    unsigned given;
    cli_trace_event loads[CLI_TRACE_LOADS];
    size_t load_count;
    size_t half; /* the step whose low half of a value was the last thing that it gave, and 1; 0: none */
} thread_state;

static void keep_load(thread_state *thread, const cli_trace_event *event) {
    if (thread->load_count < CLI_TRACE_LOADS) thread->loads[thread->load_count] = *event;
    thread->load_count++;
    thread->half = 0;
}

/* The high half of a value whose low half went through the shuffle before. */
static bool join_halves(const cli_trace_walk *walk, cli_trace_interval *interval, thread_state *thread,
                        const cli_trace_event *event) {
    if (walk->joined != 8 || event->kind != CLI_TRACE_SHUFFLE || thread->half == 0) return false;
    cli_trace_event *low = &interval->steps[thread->half - 1].given;
    low->bits |= event->bits << 32;
    low->got |= event->got << 32;
    low->bytes = 8;
    thread->half = 0;
    return true;
}

static bool add_step(const cli_trace_walk *walk, cli_trace_interval *interval, thread_state *thread,
                     const cli_trace_event *event) {
    void *items = interval->steps;
    if (join_halves(walk, interval, thread, event)) return true;
    if (!cli_trace_grow(&items, interval->count, &interval->capacity, sizeof *interval->steps)) return false;
    interval->steps = items;
    cli_trace_step *step = &interval->steps[interval->count++];
    *step = (cli_trace_step){.round = thread->given++, .thread = event->thread, .given = *event};
    step->exchanged = event->kind == CLI_TRACE_SHUFFLE || event->kind == CLI_TRACE_REDUX;
    step->load_count = thread->load_count;
    memcpy(step->loads, thread->loads, sizeof step->loads);
    thread->load_count = 0;
    thread->half = event->kind == CLI_TRACE_SHUFFLE ? interval->count : 0;
    if (interval->rounds < thread->given) interval->rounds = thread->given;
    return true;
}

static int by_round(const void *a, const void *b) {
    const cli_trace_step *one = a, *two = b;
    if (one->round != two->round) return one->round < two->round ? -1 : 1;
    return one->thread < two->thread ? -1 : one->thread > two->thread;
}

/* False: out of memory. */
static bool take_event(const cli_trace_walk *walk, cli_trace_interval *interval, thread_state *threads,
                       const cli_trace_event *event) {
    void *items = interval->held;
    if (event->kind == CLI_TRACE_HELD) {
        if (!cli_trace_grow(&items, interval->held_count, &interval->held_capacity, sizeof(void *))) return false;
        interval->held = items;
        interval->held[interval->held_count++] = event;
        return true;
    }
    thread_state *thread = &threads[event->thread % THREADS_MAX];
    if (event->kind != CLI_TRACE_LOAD) return add_step(walk, interval, thread, event);
    keep_load(thread, event);
    return true;
}

cli_exit cli_trace_interval_next(cli_trace_walk *walk, cli_trace_interval *interval, bool *more, cli_error *error) {
    thread_state *threads = calloc(THREADS_MAX, sizeof *threads);
    bool room = threads != NULL;
    *interval = (cli_trace_interval){.end = NULL};
    while (room && interval->end == NULL && walk->at < walk->launch->count) {
        const cli_trace_event *event = &walk->launch->events[walk->at++];
        if (event->block != walk->block) continue;
        if (event->kind == CLI_TRACE_BARRIER || event->kind == CLI_TRACE_END)
            interval->end = event;
        else
            room = take_event(walk, interval, threads, event);
    }
    free(threads);
    if (!room) return cli_fail(error, CLI_FAILURE, "trace: out of memory for the rounds");
    if (interval->count > 0) qsort(interval->steps, interval->count, sizeof *interval->steps, by_round);
    *more = interval->end != NULL;
    return CLI_OK;
}

void cli_trace_interval_free(cli_trace_interval *interval) {
    free(interval->steps);
    free(interval->held);
    *interval = (cli_trace_interval){.end = NULL};
}
