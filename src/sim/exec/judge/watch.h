/* The watch on memory that several devices see: whether an access of one races with an access of another. */
#ifndef JRS_JUDGE_WATCH_H
#define JRS_JUDGE_WATCH_H

#include "sim/exec/fault.h"

/* A launch begins: it happens after all earlier work. It ends: what it did happens before everything that acquires from
 * now on. */
void jrs_watch_begin(jrs_run *run);
void jrs_watch_end(const jrs_run *run);

/* Whether memory is watched. watch: NULL: none is. */
bool jrs_watch_has(const jrs_watch *watch, const jrs_range *range);

typedef struct jrs_piece {
    uint64_t address;
    uint32_t bytes;
    bool write;
} jrs_piece;

/* What the worker found last is watched: judges an access to it, remembers it, and lets it release when it is a store
 * of system scope. Before the access is made. False: a race was reported. */
bool jrs_watch_access(jrs_warp *warp, const jrs_instruction *i, unsigned lane, jrs_piece piece);
/* The same of a plain access by all lanes; false, and nothing is reported: look at each lane. */
bool jrs_watch_all(const jrs_warp *warp, const jrs_instruction *i, jrs_piece piece);

/* A load or atomic of system scope has been made. Nothing unless what the worker found last is watched. */
void jrs_watch_acquire(jrs_warp *warp, uint64_t address);

#endif
