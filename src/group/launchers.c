/* Launchers: threads of a group that launch on one device each while the calling thread launches on the first one. A
 * launch takes the host about 3 us, so k launches in a row take 3 k us. Waking a thread takes longer than a launch. So
 * a launcher polls for its next launch for a while after each one, and then sleeps. A caller that finds a launcher
 * asleep launches in its place, and wakes it after all launches, while the devices work. Threads are created or woken
 * only by a call that follows another one so soon that launchers would still poll: a group that is called now and then
 * has no threads. */
#include "launchers.h"

#include <pthread.h>
#include <sched.h>
#include <stdalign.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/own_thread.h"
#include "kernel/context.h"

/* The state of one launcher. The caller changes READY to WANTED; the launcher changes READY to ASLEEP, and, after its
 * launch, WANTED to READY. The caller, with the lock, changes ASLEEP to READY or ENDING. */
typedef enum launcher_state { ASLEEP, READY, WANTED, ENDING } launcher_state;

enum { LINES_BYTES = 128 }; /* two lines of the cache, which fetches them together */

typedef struct launcher {
    alignas(LINES_BYTES) uint32_t state; /* launcher_state */
    size_t index;
    jr_launchers *all;
    jr_status (*launch)(void *user, size_t index); /* see jr_launchers_run */
    void *user;
    jr_status status;
    jr_error_saved *error;
    pthread_t thread;
} launcher;

struct jr_launchers {
    const jr_group *group;
    double last_ms; /* when the last launches were made */
    pid_t process;  /* which has the threads: those that it is forked into have not */
    size_t count;
    pthread_mutex_t lock; /* guards what leaves ASLEEP */
    pthread_cond_t woken;
    launcher items[JR_GROUP_DEVICES_MAX]; /* of the devices from 1 on; [0] is not used */
};

static void pause_a_little(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/* ---- a launcher's thread ---- */

static void work(launcher *own) {
    own->error = NULL;
    own->status = own->launch(own->user, own->index);
    if (own->status != JR_OK) own->error = jr_error_save();
    __atomic_store_n(&own->state, READY, __ATOMIC_RELEASE);
}

/* Looks until it is wanted or to end, or the time is over: then it is asleep. */
static launcher_state look(launcher *own, double limit_ms) {
    enum { LOOKS = 64 };
    const double begin_ms = jr_clock_ms();
    for (uint32_t i = 1;; i++) {
        uint32_t state = __atomic_load_n(&own->state, __ATOMIC_ACQUIRE);
        if (state != READY) return (launcher_state)state;
        pause_a_little();
        if (i % LOOKS > 0 || jr_clock_ms() - begin_ms < limit_ms) continue;
        if (__atomic_compare_exchange_n(&own->state, &state, ASLEEP, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            return ASLEEP;
    }
}

static void sleep_until_woken(launcher *own) {
    pthread_mutex_lock(&own->all->lock);
    while (__atomic_load_n(&own->state, __ATOMIC_ACQUIRE) == ASLEEP)
        pthread_cond_wait(&own->all->woken, &own->all->lock);
    pthread_mutex_unlock(&own->all->lock);
}

/* The device's context is current for as long as it lives: a launch need not change that. */
static void *serve(void *user) {
    launcher *own = user;
    const jr_group *group = own->all->group;
    const jr_device *device = &group->contexts[own->index]->device;
    launcher_state state;
    JR_INSIDE inside = jr_inside_device(device); /* of one that is not, each launch says why */
    while ((state = look(own, group->launch_look_us / 1e3)) != ENDING)
        if (state == WANTED)
            work(own);
        else
            sleep_until_woken(own);
    return NULL;
}

/* ---- threads ---- */

/* Launchers that poll need not be woken, and see ENDING by themselves. */
static void wake(jr_launchers *all, launcher_state into) {
    pthread_mutex_lock(&all->lock);
    for (size_t i = 1; i < all->count; i++) {
        uint32_t before = ASLEEP;
        if (into == ENDING)
            __atomic_store_n(&all->items[i].state, ENDING, __ATOMIC_RELEASE);
        else
            __atomic_compare_exchange_n(&all->items[i].state, &before, into, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
    }
    pthread_cond_broadcast(&all->woken);
    pthread_mutex_unlock(&all->lock);
}

static bool make_lock(jr_launchers *all) {
    if (pthread_mutex_init(&all->lock, NULL) != 0) return false;
    if (pthread_cond_init(&all->woken, NULL) == 0) return true;
    pthread_mutex_destroy(&all->lock);
    return false;
}

/* Without threads, or with fewer, launches are made as without launchers. */
static jr_launchers *begin(const jr_group *group) {
    jr_launchers *all = aligned_alloc(LINES_BYTES, sizeof *all);
    if (all == NULL) return NULL;
    *all = (jr_launchers){.group = group, .last_ms = -1e300, .process = getpid(), .count = 1};
    if (make_lock(all)) return all;
    free(all);
    return NULL;
}

static void begin_threads(jr_launchers *all) {
    for (size_t i = 1; i < all->group->local_count; i++) {
        launcher *own = &all->items[i];
        *own = (launcher){.state = READY, .index = i, .all = all};
        if (jr_own_thread_begin(&own->thread, NULL, serve, own) != 0) return;
        all->count = i + 1;
    }
}

/* Ends the threads. */
static void end(jr_launchers *all) {
    if (all->process == getpid()) {
        wake(all, ENDING);
        for (size_t i = 1; i < all->count; i++) pthread_join(all->items[i].thread, NULL);
        pthread_cond_destroy(&all->woken);
        pthread_mutex_destroy(&all->lock);
    }
    free(all);
}

/* ---- launches ---- */

static bool hand_over(launcher *to, jr_status (*launch)(void *user, size_t index), void *user) {
    if (__atomic_load_n(&to->state, __ATOMIC_ACQUIRE) != READY) return false;
    uint32_t before = READY;
    to->launch = launch; /* it reads them when it is wanted */
    to->user = user;
    return __atomic_compare_exchange_n(&to->state, &before, WANTED, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

/* With fewer cores than threads it may not have one; and in a process that was forked there is no thread. */
static jr_status take_back(launcher *from) {
    enum { LOOKS = 4096 };
    for (uint32_t i = 1; __atomic_load_n(&from->state, __ATOMIC_ACQUIRE) == WANTED; i++)
        if (i % LOOKS > 0)
            pause_a_little();
        else if (from->all->process == getpid())
            sched_yield();
        else
            work(from);
    return from->status;
}

/* The error of a launcher, of which this thread knows nothing. */
static jr_status tell(launcher *from) {
    if (from->error == NULL) return jr_fail(from->status, "no memory to say what failed");
    jr_error_adopt(from->error);
    return from->status;
}

static jr_status launch_here(size_t first, const bool *handed, jr_status (*launch)(void *user, size_t index),
                             void *user) {
    jr_status status = JR_OK;
    for (size_t i = first; status == JR_OK && i-- > 0;)
        if (!handed[i]) status = launch(user, i);
    return status;
}

jr_status jr_launchers_in_turn(const jr_group *group, jr_status (*launch)(void *user, size_t index), void *user) {
    const bool none[JR_GROUP_DEVICES_MAX] = {false};
    return launch_here(group->local_count, none, launch, user);
}

/* CU_STREAM_PER_THREAD: a launcher has another one. */
static bool is_of_thread(const jr_stream *streams, size_t index) {
    enum { PER_THREAD = 2 };
    return streams != NULL && (uintptr_t)streams[index] == PER_THREAD;
}

/* The last call came so late that launchers would have slept meanwhile: they would for the next one. */
static void prepare_next(jr_group *group) {
    const double now_ms = jr_clock_ms();
    jr_launchers *all = group->launchers;
    if (all == NULL) {
        all = group->launchers = begin(group);
        group->launchers_free = end;
    }
    if (all == NULL || all->process != getpid()) return;
    const bool soon = now_ms - all->last_ms < group->launch_look_us / 1e3;
    all->last_ms = now_ms;
    if (soon && all->count == 1)
        begin_threads(all);
    else if (soon)
        wake(all, READY);
}

jr_status jr_launchers_run(jr_group *group, const jr_stream *streams, jr_status (*launch)(void *user, size_t index),
                           void *user) {
    jr_launchers *all = group->launchers;
    bool handed[JR_GROUP_DEVICES_MAX] = {false};
    size_t handed_count = 0;
    for (size_t i = all != NULL ? all->count : 0; i-- > 1;)
        if (!is_of_thread(streams, i) && hand_over(&all->items[i], launch, user)) handed[i] = ++handed_count > 0;
    jr_status status = launch_here(group->local_count, handed, launch, user);
    for (size_t i = group->local_count; handed_count > 0 && i-- > 1;) {
        if (!handed[i] || take_back(&all->items[i]) == JR_OK) continue;
        if (status == JR_OK)
            status = tell(&all->items[i]);
        else
            jr_error_discard(all->items[i].error);
    }
    if (group->launch_look_us > 0 && handed_count + 1 < group->local_count)
        prepare_next(group);
    else if (handed_count > 0)
        all->last_ms = jr_clock_ms();
    return status;
}
