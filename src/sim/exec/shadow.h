/* The shadow of shared memory: who may touch which byte, and the clocks that say who comes before whom. */
#ifndef JRS_EXEC_SHADOW_H
#define JRS_EXEC_SHADOW_H

#include "fault.h"

void jrs_clock_join(uint32_t *into, const uint32_t *from, uint32_t count); /* into has seen what from has, too */
void jrs_clock_tick(jrs_warp *warp);
void jrs_clock_sync(jrs_warp *warp, uint64_t address); /* an atomic or strong access: acquires and releases */
bool jrs_shadow_read(jrs_warp *warp, const jrs_instruction *instruction, unsigned lane, uint32_t offset,
                     uint32_t bytes);
/* As a read, but bytes that nobody wrote are put down in warp->finding. */
bool jrs_shadow_load(jrs_warp *warp, const jrs_instruction *instruction, unsigned lane, uint32_t offset,
                     uint32_t bytes);
/* The bytes, just stored, are as if never written, but for races. */
void jrs_shadow_unwrite(jrs_block *block, uint32_t offset, uint32_t bytes);
bool jrs_shadow_write(jrs_warp *warp, const jrs_instruction *instruction, unsigned lane, uint32_t offset,
                      uint32_t bytes);
/* As a write, but bytes written twice are put down in warp->finding; jrs_shadow_settle must follow, with what memory
 * holds and what will be stored. */
bool jrs_shadow_store(jrs_warp *warp, const jrs_instruction *instruction, unsigned lane, uint32_t offset,
                      uint32_t bytes);
bool jrs_shadow_settle(jrs_warp *warp, const jrs_instruction *instruction, unsigned lane, const uint8_t *held,
                       const uint8_t *stored);
/* As a write; until jrs_shadow_end_copy, nobody may touch the bytes. */
bool jrs_shadow_begin_copy(jrs_warp *warp, const jrs_instruction *instruction, unsigned lane, uint32_t offset,
                           uint32_t bytes);
/* The copy has written its bytes, at `clock` of its warp. */
void jrs_shadow_end_copy(const jrs_flight *flight, uint32_t clock, bool bulk);
/* fence.proxy.async: what the warp has seen written can be read by bulk copies; whether that holds for all bytes, or a
 * fault was reported. It is not asked who has seen the fence. */
void jrs_shadow_fence_proxy(jrs_warp *warp);
bool jrs_shadow_proxied(jrs_warp *warp, const jrs_instruction *instruction, unsigned lane, uint32_t offset,
                        uint32_t bytes);
/* The bytes become an mbarrier's, which only its own instructions may touch; or as if never written. */
bool jrs_shadow_hold(jrs_warp *warp, const jrs_instruction *instruction, unsigned lane, uint32_t offset,
                     uint32_t bytes);
void jrs_shadow_forget(jrs_block *block, uint32_t offset, uint32_t bytes);
/* Whether what was done at a stamp comes before what the lane does now; else a race is reported: who `did` what. */
bool jrs_shadow_after(jrs_warp *warp, const jrs_instruction *instruction, unsigned lane, uint32_t offset,
                      jrs_stamp earlier, const char *did);
jrs_stamp jrs_shadow_stamp(const jrs_warp *warp, const jrs_instruction *instruction, unsigned lane, uint32_t clock);

#endif
