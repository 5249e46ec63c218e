/* The watch on memory that several devices see: whether an access of one races with an access of another. */
#ifndef JRS_JUDGE_WATCH_H
#define JRS_JUDGE_WATCH_H

#include "sim/exec/fault.h"

/* A launch begins: it happens after all earlier work. It ends: what it did happens before everything that acquires from
 * now on. */
void jrs_watch_begin(jrs_run *run);
void jrs_watch_end(const jrs_run *run);

/* True if races on this memory are looked for. watch may be NULL: then they are not. */
bool jrs_watch_has(const jrs_watch *watch, const jrs_range *range);

typedef struct jrs_piece {
    uint64_t address;
    uint32_t bytes;
    bool write;
} jrs_piece;

/* Judges an access, before it is made, to the range that the worker found last, which is watched. Remembers it and, if
 * it is a store of system scope, releases. False: a race was reported, and the warp must stop. */
bool jrs_watch_access(jrs_warp *warp, const jrs_instruction *i, unsigned lane, jrs_piece piece);
/* Judges a plain access by all lanes to one piece of memory. Reports nothing: if it returns false, the caller makes the
 * access lane by lane with jrs_watch_access, which reports the race. */
bool jrs_watch_all(const jrs_warp *warp, const jrs_instruction *i, jrs_piece piece);

/* A load or atomic of system scope has been made: the launch acquires. Does nothing unless the range that the worker
 * found last is watched. */
void jrs_watch_acquire(jrs_warp *warp, uint64_t address);

#endif
