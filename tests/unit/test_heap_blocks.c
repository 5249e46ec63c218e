/* The blocks of a heap against a map of its bytes: what is given lies apart, is aligned, and is there as long as there
 * is room. */
#include <stdlib.h>
#include <string.h>

#include "sim/exec/memory/heap_blocks.h"
#include "support/fixtures/check.h"

enum { CAPACITY = 1 << 16, BASE = 0x10030, LIVE = 512, ROUNDS = 200000 };

static uint64_t next(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

/* Blocks lie side by side, and those of a class are the free ones. */
static void check_order(const jrs_heap_blocks *blocks) {
    uint64_t end = blocks->top;
    uint32_t free_ones = 0, listed = 0;
    for (uint32_t k = blocks->last; k; k = blocks->items[k].before) {
        const jrs_heap_block *block = &blocks->items[k];
        assert_int_equal(block->end, end);
        assert_true(block->begin < block->end);
        free_ones += block->state == JRS_BLOCK_FREE;
        if (block->before) assert_int_equal(blocks->items[block->before].after, k);
        end = block->begin;
    }
    assert_int_equal(end, 0);
    for (unsigned class = 0; class < JRS_HEAP_CLASSES; class ++)
        for (uint32_t k = blocks->classes[class]; k; k = blocks->items[k].next, listed++)
            assert_true((blocks->items[k].end - blocks->items[k].begin) >> class == 1);
    assert_int_equal(listed, free_ones);
}

typedef struct model {
    jrs_heap_blocks blocks;
    uint8_t taken[CAPACITY]; /* which of the live ones has a byte, plus 1 */
    uint32_t live[LIVE];
    uint64_t alignment[LIVE];
    size_t count;
} model;

static bool take(model *m, uint64_t bytes, uint64_t alignment) {
    const uint32_t number = jrs_blocks_take(&m->blocks, bytes, alignment);
    if (!number) return false;
    const jrs_heap_block *block = &m->blocks.items[number];
    assert_int_equal(block->bytes, bytes);
    assert_true(block->begin + JRS_HEAP_HEAD <= block->user && block->user + bytes <= block->end);
    assert_true(block->end <= CAPACITY);
    assert_int_equal((BASE + block->user) % alignment + (BASE + block->user) % JRS_HEAP_GRANULE, 0);
    for (uint64_t k = block->begin; k < block->end; k++) {
        assert_int_equal(m->taken[k], 0);
        m->taken[k] = 1;
    }
    assert_int_equal(jrs_blocks_at(&m->blocks, block->user), number);
    assert_int_equal(jrs_blocks_around(&m->blocks, block->user), number);
    m->live[m->count++] = number;
    return true;
}

static void give(model *m, size_t index) {
    const uint32_t number = m->live[index];
    const jrs_heap_block *block = &m->blocks.items[number];
    memset(m->taken + block->begin, 0, block->end - block->begin);
    jrs_blocks_give(&m->blocks, number);
    assert_int_equal(block->state, JRS_BLOCK_FREED);
    assert_int_equal(jrs_blocks_at(&m->blocks, block->user), number);
    m->live[index] = m->live[--m->count];
}

/* The longest stretch that is not taken. */
static uint64_t longest_gap(const model *m) {
    uint64_t longest = 0, here = 0;
    for (size_t k = 0; k < CAPACITY; k++) {
        here = m->taken[k] ? 0 : here + 1;
        if (here > longest) longest = here;
    }
    return longest;
}

TEST(blocks_never_overlap_and_room_is_found) {
    static model m;
    uint64_t seed = 1, refused = 0;
    jrs_blocks_open(&m.blocks, BASE, CAPACITY);
    for (size_t round = 0; round < ROUNDS; round++) {
        const uint64_t kind = next(&seed) % 16, most = kind == 0 ? 20000 : kind < 4 ? 2000 : 200;
        const uint64_t bytes = next(&seed) % most, alignment = kind == 5 ? UINT64_C(1) << next(&seed) % 9 : 1;
        if (m.count && (m.count == LIVE || next(&seed) % 2)) {
            give(&m, next(&seed) % m.count);
        } else if (!take(&m, bytes, alignment)) {
            refused++;
            assert_true(longest_gap(&m) < bytes + JRS_HEAP_HEAD + JRS_HEAP_GRANULE + alignment);
        }
        if (round % 97 == 0) check_order(&m.blocks);
        if (round % 4000 == 0)
            while (m.count) give(&m, m.count - 1);
    }
    assert_true(refused > 100);
    jrs_blocks_close(&m.blocks);
}

/* When all was freed, the whole heap can be had again in one piece. */
TEST(all_that_was_freed_joins) {
    jrs_heap_blocks blocks;
    uint32_t numbers[300];
    size_t count = 0;
    jrs_blocks_open(&blocks, BASE, CAPACITY);
    while (count < 300 && (numbers[count] = jrs_blocks_take(&blocks, 200 + count, 1)) != 0) count++;
    assert_in_range(count, 100, 299);
    for (size_t k = 0; k < count; k += 2) jrs_blocks_give(&blocks, numbers[k]);
    assert_int_equal(jrs_blocks_take(&blocks, 2000, 1), 0);
    for (size_t k = 1; k < count; k += 2) jrs_blocks_give(&blocks, numbers[k]);
    const uint32_t whole = jrs_blocks_take(&blocks, CAPACITY - JRS_HEAP_HEAD, 1);
    assert_int_not_equal(whole, 0);
    assert_int_equal(jrs_blocks_take(&blocks, 0, 1), 0);
    jrs_blocks_give(&blocks, whole);
    check_order(&blocks);
    jrs_blocks_close(&blocks);
}

/* As long as there is other room, an address is not given again. */
TEST(freed_blocks_rest) {
    jrs_heap_blocks blocks;
    uint64_t last = 0;
    jrs_blocks_open(&blocks, BASE, CAPACITY);
    for (size_t k = 0; k < CAPACITY / 80; k++) {
        const uint32_t number = jrs_blocks_take(&blocks, 64, 1);
        assert_true(blocks.items[number].user > last);
        last = blocks.items[number].user;
        jrs_blocks_give(&blocks, number);
    }
    const uint32_t again = jrs_blocks_take(&blocks, 64, 1);
    assert_int_equal(blocks.items[again].user, JRS_HEAP_HEAD); /* the one that was freed first */
    jrs_blocks_close(&blocks);
}

RUN_TESTS(NULL, NULL)
