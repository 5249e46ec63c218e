/* The shadow of shared memory: who may touch which byte, and the clocks that say who comes before whom. */
#ifndef JRS_JUDGE_SHADOW_H
#define JRS_JUDGE_SHADOW_H

#include "sim/exec/fault.h"
#include "sim/ptx/ptx_source.h"
#include "sim_clock.h"

typedef enum jrs_intent {
    JRS_READ,
    JRS_LOAD, /* a read that may find bytes that nobody wrote: warp->finding says which, and the instruction makes its
               * registers undefined */
    JRS_WRITE,
    JRS_STORE,  /* a write that may find bytes that another thread wrote, too: warp->finding says which, and the
                 * instruction calls jrs_shadow_settle */
    JRS_MODIFY, /* atomic */
    JRS_FILL,   /* an asynchronous copy writes it later: nobody may touch it until jrs_shadow_end_copy */
    JRS_HOLD    /* an mbarrier takes it, which only its own instructions may touch */
} jrs_intent;

typedef struct jrs_span {
    jrs_block *block; /* whose shared memory */
    uint32_t offset, bytes;
} jrs_span;

/* Judges an access to bytes of shared memory and remembers it. False, as from all of these that judge: a fault was
 * reported, and the warp must stop. */
bool jrs_shadow_access(jrs_warp *warp, const jrs_instruction *instruction, unsigned lane, jrs_span bytes,
                       jrs_intent intent);
/* Settles what a store found (warp->finding): a race if a byte changes, else only noted. held: the bytes in memory
 * before the store, stored: those that it writes. */
bool jrs_shadow_settle(jrs_warp *warp, const jrs_instruction *instruction, unsigned lane, const uint8_t *held,
                       const uint8_t *stored);
/* The bytes, just stored from an undefined register, are as if never written, except that races with the store are
 * found. */
void jrs_shadow_unwrite(const jrs_block *block, uint32_t offset, uint32_t bytes);
/* The copy has written its bytes, at `clock` of its warp. */
void jrs_shadow_end_copy(const jrs_flight *flight, uint32_t clock, bool bulk);
/* fence.proxy.async: bulk copies can read what the warp has seen written. proxied: true if they can read all of these
 * bytes, which a bulk copy wrote, or which such a fence by any warp of the block covers. */
void jrs_shadow_fence_proxy(jrs_warp *warp);
bool jrs_shadow_proxied(jrs_warp *warp, const jrs_instruction *instruction, unsigned lane, jrs_span bytes);
/* The bytes are as if never touched. */
void jrs_shadow_forget(const jrs_block *block, uint32_t offset, uint32_t bytes);
/* Whether the mbarrier was initialised before what the lane does now; else a race is reported. */
bool jrs_shadow_after(jrs_warp *warp, const jrs_instruction *instruction, unsigned lane, const jrs_mbarrier *mbarrier);

/* ---- words of reports ---- */
enum { JRS_OWNER_BYTES = 48 };
/* " of block (x,y,z)", or "" when it is the warp's own. */
const char *jrs_shadow_owner(const jrs_warp *warp, const jrs_block *block, char out[JRS_OWNER_BYTES]);
/* The last access to a byte, in words: "thread (x,y,z) of block (x,y,z)". */
enum { JRS_NAME_BYTES = 80 };
const char *jrs_shadow_name(const jrs_warp *warp, jrs_stamp stamp, char out[JRS_NAME_BYTES]);
/* In words, the instruction that left the stamp. */
const char *jrs_shadow_place(const jrs_block *block, jrs_stamp stamp, char out[JRS_SOURCE_BYTES]);
const char *jrs_shadow_writers(const jrs_warp *warp);        /* "block", or "cluster" when it has several */
bool jrs_shadow_seen(const jrs_warp *warp, jrs_stamp stamp); /* whether it comes before what the warp does now */

#endif
