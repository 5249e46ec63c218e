/* What is remembered of shared memory lies by words of 4 bytes. A word whose bytes were touched apart is split: its
 * bytes have pasts of their own, until an access to the whole word leaves all of them with one. */
#ifndef JRS_JUDGE_SHADOW_WORD_H
#define JRS_JUDGE_SHADOW_WORD_H

#include "shadow_stamp.h"

enum { JRS_WORD = 4 };

/* The writer of a split word has a clock that nobody has seen: whoever looks at the word alone finds it not plainly
 * right. */
#define JRS_SPLIT_WRITER (UINT64_MAX & ~(UINT64_C(31) << JRS_STAMP_WARP_SHIFT)) /* warp 0, which every block has */

static inline void jrs_word_split(const jrs_block *block, uint32_t word) {
    for (uint32_t k = 0; k < JRS_WORD; k++) block->byte_shadow[word * JRS_WORD + k] = block->shadow[word];
    block->shadow[word].writer = JRS_SPLIT_WRITER;
    block->split[word] = 1;
}

/* The past of the byte at offset, and of how many bytes from there on, up to end, it is: of a whole word or of one
 * byte. It may be changed: that is then the past of just these bytes. */
static inline jrs_shadow *jrs_word_past(const jrs_block *block, uint32_t offset, uint32_t end, uint32_t *bytes) {
    const uint32_t word = offset / JRS_WORD;
    *bytes = JRS_WORD;
    if (!block->split[word]) {
        if (offset % JRS_WORD == 0 && end - offset >= JRS_WORD) return &block->shadow[word];
        jrs_word_split(block, word);
    }
    *bytes = 1;
    return &block->byte_shadow[offset];
}

/* Words that lie in [offset, end) are whole again if their bytes have one past. */
void jrs_word_join(const jrs_block *block, uint32_t offset, uint32_t end);
/* The bytes are as if never touched. */
void jrs_word_forget(const jrs_block *block, uint32_t offset, uint32_t end);
/* The same for all of the block's. */
void jrs_word_forget_all(const jrs_block *block);

bool jrs_word_allocate(jrs_block *block);
void jrs_word_free(jrs_block *block);

#endif
