/* Words of the shadow: made, joined, forgotten. */
#include "shadow_word.h"

#include <stdlib.h>

#include "shadow_stamp.h"

static uint32_t words_of(const jrs_block *block) {
    return block->run->shared_bytes / JRS_WORD + 1;
}

bool jrs_word_allocate(jrs_block *block) {
    const size_t words = words_of(block);
    block->shadow = calloc(words, sizeof *block->shadow);
    block->byte_shadow = malloc(words * JRS_WORD * sizeof *block->byte_shadow); /* filled when a word is split */
    block->split = calloc(words, 1);
    return block->shadow && block->byte_shadow && block->split;
}

void jrs_word_free(jrs_block *block) {
    free(block->shadow);
    free(block->byte_shadow);
    free(block->split);
}

void jrs_word_join(const jrs_block *block, uint32_t offset, uint32_t end) {
    for (uint32_t word = (offset + JRS_WORD - 1) / JRS_WORD; (word + 1) * JRS_WORD <= end; word++) {
        const jrs_shadow *bytes = &block->byte_shadow[word * JRS_WORD];
        uint32_t same = 1;
        if (!block->split[word]) continue;
        while (same < JRS_WORD && jrs_shadow_same_past(&bytes[same], bytes)) same++;
        if (same < JRS_WORD) continue;
        block->shadow[word] = *bytes;
        block->split[word] = 0;
    }
}

void jrs_word_forget(const jrs_block *block, uint32_t offset, uint32_t end) {
    uint32_t bytes;
    for (uint32_t at = offset; at < end; at += bytes) *jrs_word_past(block, at, end, &bytes) = (jrs_shadow){0, 0, 0};
    jrs_word_join(block, offset, end);
}

void jrs_word_forget_all(const jrs_block *block) {
    memset(block->shadow, 0, words_of(block) * sizeof *block->shadow);
    memset(block->split, 0, words_of(block));
}
