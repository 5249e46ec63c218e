/* The shadow of shared memory: who may touch which byte, and the clocks that say who comes before whom. */
#ifndef JRS_EXEC_SHADOW_H
#define JRS_EXEC_SHADOW_H

#include "fault.h"

typedef enum jrs_intent {
    JRS_READ,
    JRS_LOAD, /* a read whose instruction settles what warp->finding holds after it: bytes that nobody wrote */
    JRS_WRITE,
    JRS_STORE,  /* a write whose instruction does so, by jrs_shadow_settle: bytes that another thread wrote, too */
    JRS_MODIFY, /* atomic */
    JRS_FILL,   /* an asynchronous copy writes it later: nobody may touch it until jrs_shadow_end_copy */
    JRS_HOLD    /* an mbarrier takes it, which only its own instructions may touch */
} jrs_intent;

typedef struct jrs_span {
    uint32_t offset, bytes;
} jrs_span;

void jrs_clock_join(uint32_t *into, const uint32_t *from, uint32_t count); /* into has seen what from has, too */
void jrs_clock_tick(jrs_warp *warp);
void jrs_clock_sync(jrs_warp *warp, uint64_t address); /* an atomic or strong access: acquires and releases */
/* Judges an access to bytes of shared memory and remembers it. */
bool jrs_shadow_access(jrs_warp *warp, const jrs_instruction *instruction, unsigned lane, jrs_span bytes,
                       jrs_intent intent);
/* Settles what a store found (warp->finding): `held` is what memory holds, `stored` what it will. */
bool jrs_shadow_settle(jrs_warp *warp, const jrs_instruction *instruction, unsigned lane, const uint8_t *held,
                       const uint8_t *stored);
/* The bytes, just stored, are as if never written, but for races. */
void jrs_shadow_unwrite(jrs_block *block, uint32_t offset, uint32_t bytes);
/* The copy has written its bytes, at `clock` of its warp. */
void jrs_shadow_end_copy(const jrs_flight *flight, uint32_t clock, bool bulk);
/* fence.proxy.async: what the warp has seen written can be read by bulk copies; whether that holds for all bytes, or a
 * fault was reported. It is not asked who has seen the fence. */
void jrs_shadow_fence_proxy(jrs_warp *warp);
bool jrs_shadow_proxied(jrs_warp *warp, const jrs_instruction *instruction, unsigned lane, jrs_span bytes);
/* They are as if never written, and nobody's. */
void jrs_shadow_forget(jrs_block *block, uint32_t offset, uint32_t bytes);
/* Whether what was done at a stamp comes before what the lane does now; else a race is reported: who `did` what. */
bool jrs_shadow_after(jrs_warp *warp, const jrs_instruction *instruction, unsigned lane, uint32_t offset,
                      jrs_stamp earlier, const char *did);
jrs_stamp jrs_shadow_stamp(const jrs_warp *warp, const jrs_instruction *instruction, unsigned lane, uint32_t clock);

#endif
