/* Calls the transport's callback: in the calling thread, or in a thread of the library that can be abandoned. */
#include "transport.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/own_thread.h"

struct jr_transport {
    jr_allgather allgather;
    void *user;
    size_t ranks, room_bytes; /* of each rank */
    unsigned char *mine, *all;
    double limit_ms; /* 0: none, and no thread */
    pthread_t thread;
    pthread_mutex_t lock; /* guards the rest */
    pthread_cond_t changed;
    size_t bytes; /* of the call that is wanted or under way; 0: none is */
    int result;
    bool ending; /* the thread is to end; it frees everything if `left` */
    bool left;   /* a callback did not come back in time */
};

static void free_all(jr_transport *transport) {
    if (transport->limit_ms > 0) {
        pthread_cond_destroy(&transport->changed);
        pthread_mutex_destroy(&transport->lock);
    }
    free(transport->mine);
    free(transport->all);
    free(transport);
}

/* ---- the thread ---- */

static void *serve(void *user) {
    jr_transport *transport = user;
    pthread_mutex_lock(&transport->lock);
    for (;;) {
        while (transport->bytes == 0 && !transport->ending) pthread_cond_wait(&transport->changed, &transport->lock);
        if (transport->ending) break;
        const size_t bytes = transport->bytes;
        pthread_mutex_unlock(&transport->lock);
        const int result = transport->allgather(transport->user, transport->mine, bytes, transport->all);
        pthread_mutex_lock(&transport->lock);
        transport->result = result;
        transport->bytes = 0;
        pthread_cond_broadcast(&transport->changed);
    }
    const bool left = transport->left;
    pthread_mutex_unlock(&transport->lock);
    if (left) free_all(transport);
    return NULL;
}

static int make_condition(pthread_cond_t *condition) {
    pthread_condattr_t attributes;
    int error = pthread_condattr_init(&attributes);
    if (error != 0) return error;
    error = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    if (error == 0) error = pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
    return error;
}

static jr_status begin_thread(jr_transport *transport, double limit_ms) {
    int error = pthread_mutex_init(&transport->lock, NULL);
    if (error == 0) {
        error = make_condition(&transport->changed);
        if (error != 0) pthread_mutex_destroy(&transport->lock);
    }
    if (error == 0) {
        transport->limit_ms = limit_ms;
        error = jr_own_thread_begin(&transport->thread, NULL, serve, transport);
    }
    if (error == 0) return JR_OK;
    return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no thread for a group's transport: %s", strerror(error));
}

static struct timespec end_of_wait(double limit_ms) {
    enum { SECONDS_MAX = 1000000000 };
    struct timespec at;
    const double seconds = limit_ms / 1e3 < SECONDS_MAX ? limit_ms / 1e3 : SECONDS_MAX;
    clock_gettime(CLOCK_MONOTONIC, &at);
    const double nanoseconds = (double)at.tv_nsec + (seconds - (double)(time_t)seconds) * 1e9;
    at.tv_sec += (time_t)seconds + (time_t)(nanoseconds / 1e9);
    at.tv_nsec = (long)(nanoseconds - (double)(time_t)(nanoseconds / 1e9) * 1e9);
    return at;
}

/* True when the callback has come back in time. */
static bool gather_in_thread(jr_transport *transport, size_t bytes, int *result) {
    const struct timespec end = end_of_wait(transport->limit_ms);
    pthread_mutex_lock(&transport->lock);
    if (!transport->left) {
        transport->bytes = bytes;
        pthread_cond_broadcast(&transport->changed);
        int error = 0;
        while (transport->bytes > 0 && error != ETIMEDOUT)
            error = pthread_cond_timedwait(&transport->changed, &transport->lock, &end);
        transport->left = transport->bytes > 0;
    }
    const bool in_time = !transport->left;
    *result = transport->result;
    pthread_mutex_unlock(&transport->lock);
    return in_time;
}

/* ---- the transport ---- */

static jr_status refuse_late(const jr_transport *transport) {
    return jr_fail(JR_ERROR_TRANSPORT,
                   "the other ranks did not answer within %g ms: open another group, without the lost ones",
                   transport->limit_ms);
}

/* An abandoned thread still uses the existing memory, so that is not resized. */
jr_status jr_transport_reserve(jr_transport *transport, size_t most_bytes) {
    if (most_bytes <= transport->room_bytes) return JR_OK;
    if (transport->left) return refuse_late(transport);
    unsigned char *mine = calloc(1, most_bytes), *all = calloc(transport->ranks, most_bytes);
    if (mine == NULL || all == NULL) {
        free(mine);
        free(all);
        return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for %zu bytes of each of %zu ranks", most_bytes,
                       transport->ranks);
    }
    free(transport->mine);
    free(transport->all);
    transport->mine = mine;
    transport->all = all;
    transport->room_bytes = most_bytes;
    return JR_OK;
}

jr_status jr_transport_open(const jr_group_options *options, size_t most_bytes, jr_transport **transport) {
    jr_transport *made = calloc(1, sizeof *made);
    if (made == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for a transport");
    made->allgather = options->allgather;
    made->user = options->user;
    made->ranks = (size_t)options->ranks;
    jr_status status = jr_transport_reserve(made, most_bytes);
    if (status == JR_OK && options->wait_limit_ms > 0) status = begin_thread(made, options->wait_limit_ms);
    if (status == JR_OK)
        *transport = made;
    else
        free_all(made);
    return status;
}

void jr_transport_close(jr_transport *transport) {
    if (transport == NULL) return;
    if (transport->limit_ms > 0) {
        const pthread_t thread = transport->thread;
        pthread_mutex_lock(&transport->lock);
        const bool left = transport->left;
        transport->ending = true;
        pthread_cond_broadcast(&transport->changed);
        pthread_mutex_unlock(&transport->lock);
        if (left) {
            pthread_detach(thread); /* it may have ended already, and freed everything */
            return;
        }
        pthread_join(thread, NULL);
    }
    free_all(transport);
}

void *jr_transport_mine(const jr_transport *transport) {
    return transport->mine;
}

const void *jr_transport_all(const jr_transport *transport) {
    return transport->all;
}

jr_status jr_transport_gather(jr_transport *transport, size_t bytes) {
    int result = 0;
    if (transport->limit_ms == 0)
        result = transport->allgather(transport->user, transport->mine, bytes, transport->all);
    else if (!gather_in_thread(transport, bytes, &result))
        return refuse_late(transport);
    if (result == 0) return JR_OK;
    return jr_fail(JR_ERROR_TRANSPORT, "the group's allgather of %zu bytes failed with %d", bytes, result);
}
