/* The trace of rounds: what threads store, load and exchange, and the contents of shared memory at each barrier.
 *
 * One line for each lane and element, in the order of each thread; blocks and warps may be mixed. Bits are hexadecimal,
 * lines are those of the PTX:
 *   launch KERNEL GRID_X GRID_Y GRID_Z BLOCK_X BLOCK_Y BLOCK_Z
 *   S BLOCK THREAD LINE OFFSET TYPE BITS         stored to shared memory      L loaded from it    A atomic: the operand
 *                                                shared memory of other blocks of a cluster is shown in M only
 *   GS BLOCK THREAD LINE RANGE OFFSET TYPE BITS  stored to global memory      GL loaded           GA atomic
 *                                                RANGE: where the allocation begins, OFFSET: in it
 *   X BLOCK THREAD LINE TYPE GAVE GOT            shuffle                      R redux
 *   M BLOCK OFFSET TYPE BITS                     shared memory, where something was stored, before each W and E
 *   W BLOCK LINE                                 a barrier of the block is complete
 *   E BLOCK                                      all its threads have exited
 */
#include <inttypes.h>
#include <stdio.h>

#include "observer.h"
#include "sim/exec/judge/access.h"
#include "sim/ptx/handlers.h"

enum { LINE_BYTES = 512, BITS_BYTES = 40 };

static void say(const jrs_run *run, const char *text) {
    run->launch->rounds.line(run->launch->rounds.user, text);
}

/* The number that the bytes are, least first. */
static const char *bits_of(const uint8_t *bytes, unsigned count, char out[BITS_BYTES]) {
    uint64_t low = 0, high = 0;
    memcpy(&low, bytes, count < 8 ? count : 8);
    if (count > 8) memcpy(&high, bytes + 8, count - 8);
    if (high)
        snprintf(out, BITS_BYTES, "%" PRIx64 "%016" PRIx64, high, low);
    else
        snprintf(out, BITS_BYTES, "%" PRIx64, low);
    return out;
}

static bool touches_memory(const jrs_instruction *i) {
    return i->run == jrs_op_load || i->run == jrs_op_store || i->run == jrs_op_atomic;
}

static bool exchanges(const jrs_instruction *i) {
    return i->run == jrs_op_shfl || i->run == jrs_op_redux;
}

/* Bytes of a lane in the register that an exchange reads. */
enum { EXCHANGED_BYTES = 4 };

void jrs_rounds_before(const jrs_warp *warp, const jrs_instruction *i, jrs_rounds_addresses *before) {
    if (touches_memory(i))
        for (unsigned lane = 0; lane < JRS_LANES; lane++)
            before->addresses[lane] = jrs_locate(warp, &i->memory.at, lane);
    if (exchanges(i)) memcpy(before->gave, jrs_at(warp, i->s[0]), (size_t)JRS_LANES * EXCHANGED_BYTES);
    if (i->run == jrs_op_atomic && !i->memory.slots)
        memcpy(before->gave, jrs_at(warp, i->s[0]), (size_t)JRS_LANES * i->width);
}

/* ---- memory ---- */

static void keep_kind(const jrs_block *block, uint32_t offset, unsigned bytes, unsigned type) {
    memset(block->kinds + offset, 0, bytes);
    block->kinds[offset] = (uint8_t)(type + 1);
}

/* The element k of a lane, as it is in a register: loaded, or to be stored or joined to what is there. */
static const uint8_t *element(const jrs_warp *warp, const jrs_instruction *i, const jrs_rounds_addresses *before,
                              unsigned k, unsigned lane) {
    const uint8_t *lanes = i->memory.slots ? jrs_at(warp, i->memory.slots[k]) : before->gave;
    return lanes + (size_t)lane * i->width;
}

/* The type of an element in memory: of a load into a wider register the one that is named. */
static void write_memory(const jrs_warp *warp, const jrs_instruction *i, unsigned lane,
                         const jrs_rounds_addresses *before) {
    const jrs_block *block = warp->block;
    const uint64_t address = before->addresses[lane];
    const bool shared = jrs_is_shared(&i->memory.at, address);
    const jrs_block *owner = shared ? jrs_shared_block(warp, address) : block;
    const char *what = i->run == jrs_op_load ? "L" : i->run == jrs_op_store ? "S" : "A";
    const uint32_t thread = warp->number * JRS_LANES + lane;
    char text[LINE_BYTES], bits[BITS_BYTES], place[64];
    jrs_range range;
    if (!shared && (address >> JRS_WINDOW_SHIFT || !jrs_memory_find(block->run->launch->memory, address, &range)))
        return;
    for (unsigned k = 0; k < i->memory.count; k++) {
        const uint64_t at =
            (shared ? jrs_shared_offset(address) : address - range.begin) + (uint64_t)k * i->memory.bytes;
        bits_of(element(warp, i, before, k, lane), i->memory.bytes, bits);
        if (shared)
            snprintf(place, sizeof place, "%" PRIu64, at);
        else
            snprintf(place, sizeof place, "%" PRIx64 " %" PRIu64, range.begin, at);
        snprintf(text, sizeof text, "%s%s %" PRIu64 " %" PRIu32 " %" PRIu32 " %s %s %s", shared ? "" : "G", what,
                 block->number, thread, i->line, place, jrs_type_name((jrs_type)i->type), bits);
        if (shared && i->run != jrs_op_load) keep_kind(owner, (uint32_t)at, i->memory.bytes, i->type);
        if (owner == block) say(block->run, text);
    }
}

/* ---- exchanges ---- */

static void write_exchange(const jrs_warp *warp, const jrs_instruction *i, unsigned lane,
                           const jrs_rounds_addresses *before) {
    char text[LINE_BYTES], gave[BITS_BYTES], got[BITS_BYTES];
    const uint8_t *result = (const uint8_t *)jrs_at(warp, i->d) + (size_t)lane * EXCHANGED_BYTES;
    snprintf(text, sizeof text, "%s %" PRIu64 " %" PRIu32 " %" PRIu32 " %s %s %s", i->run == jrs_op_shfl ? "X" : "R",
             warp->block->number, warp->number * JRS_LANES + lane, i->line, jrs_type_name((jrs_type)i->type),
             bits_of(before->gave + (size_t)lane * EXCHANGED_BYTES, EXCHANGED_BYTES, gave),
             bits_of(result, EXCHANGED_BYTES, got));
    say(warp->block->run, text);
}

void jrs_rounds_write(const jrs_warp *warp, const jrs_instruction *i, uint32_t mask,
                      const jrs_rounds_addresses *before) {
    const bool memory = touches_memory(i);
    if (!memory && !exchanges(i)) return;
    if (!memory) mask = warp->group->mask; /* lanes that waited have joined */
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        (memory ? write_memory : write_exchange)(warp, i, jrs_first(rest), before);
}

/* ---- blocks ---- */

static void write_shared(const jrs_block *block) {
    char text[LINE_BYTES], bits[BITS_BYTES];
    for (uint32_t offset = 0; offset < block->run->shared_bytes; offset++) {
        if (!block->kinds[offset]) continue;
        const jrs_type type = (jrs_type)(block->kinds[offset] - 1);
        const unsigned bytes = jrs_type_bytes(type);
        if (bytes > block->run->shared_bytes - offset) continue;
        snprintf(text, sizeof text, "M %" PRIu64 " %" PRIu32 " %s %s", block->number, offset, jrs_type_name(type),
                 bits_of(block->shared + offset, bytes, bits));
        say(block->run, text);
    }
}

void jrs_rounds_barrier(const jrs_block *block, uint32_t line) {
    char text[LINE_BYTES];
    write_shared(block);
    snprintf(text, sizeof text, "W %" PRIu64 " %" PRIu32, block->number, line);
    say(block->run, text);
}

void jrs_rounds_end(const jrs_block *block) {
    char text[LINE_BYTES];
    write_shared(block);
    snprintf(text, sizeof text, "E %" PRIu64, block->number);
    say(block->run, text);
}

void jrs_rounds_launch(const jrs_run *run) {
    const unsigned *grid = run->launch->grid, *block = run->launch->block;
    char text[LINE_BYTES];
    snprintf(text, sizeof text, "launch %.256s %u %u %u %u %u %u", run->function->name, grid[0], grid[1], grid[2],
             block[0], block[1], block[2]);
    say(run, text);
}
