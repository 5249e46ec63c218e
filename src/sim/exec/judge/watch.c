/* Races between devices: a table of lines of memory that were touched lately, and a clock for each device.
 *
 * A device's time moves on when it releases (a strong store or atomic of system scope, the begin and the end of a
 * launch). A launch knows up to which time it has seen each of the others: at its begin all that was released, since
 * the host may have looked, too; later what it acquires by a strong load or atomic of system scope, through a clock
 * hashed by the address. From memory of the host it acquires everything released, which the host may have handed on;
 * and from anywhere what launches that have ended did, which a copy may have.
 *
 * Two accesses to one byte by different devices race when at least one writes, not both are strong and of system scope,
 * and the later one has not seen the earlier one's time. All blocks of a launch count as one, and the table keeps only
 * the last accesses to a line: some races are not reported, but each report is of a race. */
#include "watch.h"

#include <inttypes.h>
#include <sched.h>
#include <stdalign.h>
#include <stdlib.h>

enum { LINE_BYTES = 64, LINES = 1 << 15, EXCHANGES = 256, DEVICE_BYTES = 64 };

/* Who touched bytes of a line last. */
typedef struct touch {
    uint64_t bytes; /* a bit each */
    uint64_t time;  /* of the device */
    uint32_t line;  /* of its PTX */
    uint8_t device;
    bool system; /* strong, of system scope */
} touch;

typedef struct watched_line {
    _Atomic bool busy;
    uint64_t number; /* address / LINE_BYTES */
    touch writer, reader;
} watched_line;

/* What devices exchange by releases and acquires at addresses of one hash: the times that were released there. */
typedef struct exchange {
    _Atomic bool busy;
    uint64_t seen[JRS_DEVICES];
} exchange;

typedef struct device_clock {
    alignas(DEVICE_BYTES) _Atomic uint64_t now;
    _Atomic uint64_t ended; /* the time at which its last launch ended */
} device_clock;

struct jrs_watch {
    unsigned devices;
    _Atomic bool peers; /* memory of devices is watched, too */
    exchange exchanges[EXCHANGES];
    watched_line lines[LINES];
    device_clock clocks[JRS_DEVICES];
};

jrs_watch *jrs_watch_create(unsigned devices) {
    jrs_watch *watch = aligned_alloc(DEVICE_BYTES, sizeof *watch);
    if (!watch) return NULL;
    memset(watch, 0, sizeof *watch);
    watch->devices = devices;
    return watch;
}

void jrs_watch_peers(jrs_watch *watch) {
    if (watch) atomic_store(&watch->peers, true);
}

bool jrs_watch_has(const jrs_watch *watch, const jrs_range *range) {
    return watch && (range->host || atomic_load(&watch->peers));
}

static void lock(_Atomic bool *busy) {
    while (atomic_exchange_explicit(busy, true, memory_order_acquire)) sched_yield();
}

static void unlock(_Atomic bool *busy) {
    atomic_store_explicit(busy, false, memory_order_release);
}

static unsigned own(const jrs_run *run) {
    return run->launch->view->device;
}

static uint64_t hash_of(uint64_t number) {
    return number * UINT64_C(0x9e3779b97f4a7c15) >> 40;
}

/* The launch has seen a device up to this time, or to a later one that it has seen already. */
static void raise_seen(jrs_run *run, unsigned device, uint64_t time) {
    uint64_t known = atomic_load(&run->seen[device]);
    while (known < time && !atomic_compare_exchange_weak(&run->seen[device], &known, time)) {
    }
}

/* ---- launches ---- */

void jrs_watch_begin(jrs_run *run) {
    jrs_watch *watch = run->launch->watch;
    if (!watch) return;
    for (unsigned k = 0; k < watch->devices; k++) atomic_store(&run->seen[k], atomic_load(&watch->clocks[k].now));
    atomic_fetch_add(&watch->clocks[own(run)].now, 1);
}

void jrs_watch_end(const jrs_run *run) {
    jrs_watch *watch = run->launch->watch;
    if (!watch) return;
    device_clock *clock = &watch->clocks[own(run)];
    atomic_store(&clock->ended, atomic_fetch_add(&clock->now, 1) + 1);
}

/* ---- release and acquire ---- */

static exchange *exchange_at(jrs_watch *watch, uint64_t address) {
    return &watch->exchanges[hash_of(address) % EXCHANGES];
}

static void release(const jrs_run *run, uint64_t address) {
    jrs_watch *watch = run->launch->watch;
    exchange *at = exchange_at(watch, address);
    const uint64_t now = atomic_fetch_add(&watch->clocks[own(run)].now, 1) + 1;
    lock(&at->busy);
    for (unsigned k = 0; k < watch->devices; k++) {
        const uint64_t time = k == own(run) ? now : atomic_load(&run->seen[k]);
        if (at->seen[k] < time) at->seen[k] = time;
    }
    unlock(&at->busy);
}

void jrs_watch_acquire(jrs_warp *warp, uint64_t address) {
    jrs_run *run = warp->block->run;
    jrs_watch *watch = run->launch->watch;
    const jrs_range *found = warp->worker->found;
    if (!found || !found->watched) return;
    exchange *at = exchange_at(watch, address);
    lock(&at->busy);
    for (unsigned k = 0; k < watch->devices; k++) raise_seen(run, k, at->seen[k]);
    unlock(&at->busy);
    for (unsigned k = 0; k < watch->devices; k++)
        raise_seen(run, k, atomic_load(found->host ? &watch->clocks[k].now : &watch->clocks[k].ended));
}

/* ---- accesses ---- */

/* True if the earlier access races with this one; the caller has made sure that one of them writes. */
static bool races(const jrs_run *run, const touch *earlier, const touch *now) {
    return (earlier->bytes & now->bytes) && earlier->device != now->device && !(earlier->system && now->system) &&
           earlier->time >= atomic_load(&run->seen[earlier->device]);
}

static void remember(touch *kept, const touch *now) {
    const bool more = kept->time == now->time && kept->device == now->device && kept->system == now->system;
    const uint64_t before = more ? kept->bytes : 0;
    *kept = *now;
    kept->bytes |= before;
}

/* Judges an access within a line, and remembers it. False: it races with *earlier, and is not remembered. */
static bool judge_line(const jrs_run *run, uint64_t number, const touch *now, bool write, touch *earlier) {
    watched_line *line = &run->launch->watch->lines[hash_of(number) % LINES];
    lock(&line->busy);
    if (line->number != number) {
        line->number = number;
        line->writer = line->reader = (touch){0};
    }
    const bool after_write = races(run, &line->writer, now), after_read = write && races(run, &line->reader, now);
    *earlier = after_write ? line->writer : line->reader;
    if (!after_write && !after_read) remember(write ? &line->writer : &line->reader, now);
    unlock(&line->busy);
    return !after_write && !after_read;
}

/* Judges an access line by line, up to the first that races. Sets the device and time of *now. */
static bool judge_piece(const jrs_run *run, touch *now, jrs_piece piece, touch *earlier) {
    const uint64_t end = piece.address + piece.bytes;
    now->device = (uint8_t)own(run);
    now->time = atomic_load(&run->launch->watch->clocks[now->device].now);
    for (uint64_t at = piece.address; at < end;) {
        const uint64_t number = at / LINE_BYTES, first = at % LINE_BYTES;
        const uint64_t count = end - at < LINE_BYTES - first ? end - at : LINE_BYTES - first;
        now->bytes = (count == LINE_BYTES ? 0 : UINT64_C(1) << count) - 1;
        now->bytes <<= first;
        if (!judge_line(run, number, now, piece.write, earlier)) return false;
        at += count;
    }
    return true;
}

bool jrs_watch_all(const jrs_warp *warp, const jrs_instruction *i, jrs_piece piece) {
    touch now = {.line = i->line}, earlier;
    return judge_piece(warp->block->run, &now, piece, &earlier);
}

bool jrs_watch_access(jrs_warp *warp, const jrs_instruction *i, unsigned lane, jrs_piece piece) {
    const jrs_run *run = warp->block->run;
    touch now = {.line = i->line, .system = i->system}, earlier;
    if (!judge_piece(run, &now, piece, &earlier) &&
        jrs_fault(warp, i, lane, JRS_FAULT_DEVICE_RACE,
                  "address 0x%" PRIx64 ": device %u touched it at line %" PRIu32
                  " of its kernel's PTX, and no release and acquire of system scope order them%s",
                  piece.address, earlier.device, earlier.line,
                  i->strong && !i->system ? "; this access is strong, but not of system scope (.sys)" : "") ==
            JRS_FAULT)
        return false;
    if (piece.write && i->system) release(run, piece.address);
    return true;
}
