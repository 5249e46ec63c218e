/* How many 32-bit registers are live at once: backward data flow over basic blocks. */
#include <string.h>

#include "builder.h"
#include "handlers.h"

enum { WORDS_MAX = 1 << 24, WORK_MAX = 1 << 28 }; /* of bit sets, and of steps */

/* Bit sets are rows of `words` 64-bit words, one row a block. */
typedef struct flow {
    const jrs_builder *builder;
    uint32_t count; /* of instructions */
    uint32_t blocks, words;
    uint32_t *block_begin;   /* first instruction; one more entry closes the last */
    uint32_t *block_of;      /* by instruction */
    uint32_t *mention_begin; /* first mention of an instruction, in order */
    uint64_t *live_in;
    uint8_t *weight; /* 32-bit registers, by id */
    uint64_t *live;  /* scratch row */
} flow;

/* Where a branch may lead. */
static const uint32_t *targets_of(const jrs_instruction *instruction, uint32_t *count) {
    const bool indexed = instruction->run == jrs_op_brx;
    *count = indexed ? instruction->branch.count : instruction->run == jrs_op_bra;
    return indexed ? instruction->branch.targets : &instruction->branch.target;
}

static bool leaves(const jrs_instruction *instruction) {
    return instruction->run == jrs_op_ret || instruction->run == jrs_op_exit;
}

static void find_blocks(flow *f) {
    const jrs_instruction *code = f->builder->code;
    bool begins = true;
    uint32_t count;
    for (uint32_t i = 0; i < f->count; i++) {
        const uint32_t *targets = targets_of(&code[i], &count);
        for (uint32_t k = 0; k < count; k++) f->block_of[targets[k]] = 1;
    }
    for (uint32_t i = 0; i < f->count; i++) {
        if (f->block_of[i] || begins) f->block_begin[f->blocks++] = i;
        targets_of(&code[i], &count);
        begins = count || leaves(&code[i]);
        f->block_of[i] = f->blocks - 1;
    }
    f->block_begin[f->blocks] = f->count;
}

static void sort_mentions(flow *f) {
    const jrs_builder *builder = f->builder;
    uint32_t at = 0; /* mentions were made in order of their instructions */
    for (uint32_t i = 0; i <= f->count; i++) {
        while (at < builder->mention_count && builder->mentions[at].instruction < i) at++;
        f->mention_begin[i] = at;
    }
}

static bool has(const uint64_t *row, uint32_t id) {
    return row[id / 64] >> (id % 64) & 1;
}

static void put(uint64_t *row, uint32_t id, bool value) {
    uint64_t bit = UINT64_C(1) << (id % 64);
    row[id / 64] = value ? row[id / 64] | bit : row[id / 64] & ~bit;
}

/* Steps a row of live registers backward over one instruction; *weight follows. */
static void step_back(const flow *f, uint32_t instruction, uint64_t *row, uint32_t *weight) {
    const jrs_mention *mentions = f->builder->mentions;
    for (uint32_t m = f->mention_begin[instruction]; m < f->mention_begin[instruction + 1]; m++) {
        bool kills = mentions[m].definition && !f->builder->code[instruction].guarded;
        if (!kills || !has(row, mentions[m].id)) continue;
        put(row, mentions[m].id, false);
        *weight -= f->weight[mentions[m].id];
    }
    for (uint32_t m = f->mention_begin[instruction]; m < f->mention_begin[instruction + 1]; m++) {
        if (mentions[m].definition || has(row, mentions[m].id)) continue;
        put(row, mentions[m].id, true);
        *weight += f->weight[mentions[m].id];
    }
}

static void join(const flow *f, uint64_t *row, uint32_t instruction) {
    if (instruction >= f->count) return;
    const uint64_t *from = f->live_in + (size_t)f->block_of[instruction] * f->words;
    for (uint32_t w = 0; w < f->words; w++) row[w] |= from[w];
}

/* What is live at the end of a block: what its successors need. */
static void live_out(const flow *f, uint32_t block, uint64_t *row) {
    uint32_t last = f->block_begin[block + 1] - 1;
    const jrs_instruction *instruction = &f->builder->code[last];
    memset(row, 0, f->words * sizeof *row);
    uint32_t count;
    const uint32_t *targets = targets_of(instruction, &count);
    if ((!count && !leaves(instruction)) || instruction->guarded) join(f, row, last + 1);
    for (uint32_t i = 0; i < count; i++) join(f, row, targets[i]);
}

static uint32_t weight_of(const flow *f, const uint64_t *row) {
    uint32_t weight = 0;
    for (uint32_t w = 0; w < f->words; w++)
        for (uint64_t rest = row[w]; rest; rest &= rest - 1)
            weight += f->weight[w * 64 + (unsigned)__builtin_ctzll(rest)];
    return weight;
}

/* False: it would take too long. */
static bool iterate(const flow *f) {
    const uint64_t round = f->count + (uint64_t)f->blocks * f->words;
    bool changed = true;
    for (uint64_t spent = round; changed && spent < WORK_MAX; spent += round) {
        changed = false;
        for (uint32_t block = f->blocks; block-- > 0;) {
            uint32_t weight = 0;
            live_out(f, block, f->live);
            for (uint32_t i = f->block_begin[block + 1]; i-- > f->block_begin[block];)
                step_back(f, i, f->live, &weight);
            uint64_t *row = f->live_in + (size_t)block * f->words;
            changed |= memcmp(row, f->live, f->words * sizeof *row) != 0;
            memcpy(row, f->live, f->words * sizeof *row);
        }
    }
    return !changed;
}

static uint32_t peak_of(const flow *f) {
    uint32_t peak = 0;
    for (uint32_t block = 0; block < f->blocks; block++) {
        live_out(f, block, f->live);
        uint32_t weight = weight_of(f, f->live);
        for (uint32_t i = f->block_begin[block + 1]; i-- > f->block_begin[block];) {
            if (weight > peak) peak = weight;
            step_back(f, i, f->live, &weight);
        }
        if (weight > peak) peak = weight;
    }
    return peak;
}

/* The most registers that live at once; the number of all registers if counting would take too long. */
uint32_t jrs_liveness_peak(jrs_parser *parser) {
    const jrs_builder *builder = parser->builder;
    flow f = {.builder = builder, .count = builder->code_count, .words = builder->register_count / 64 + 1};
    f.block_of = jrs_parse_take(parser, f.count * sizeof *f.block_of);
    f.block_begin = jrs_parse_take(parser, (f.count + 1) * sizeof *f.block_begin);
    f.mention_begin = jrs_parse_take(parser, (f.count + 1) * sizeof *f.mention_begin);
    f.weight = jrs_parse_take(parser, (size_t)f.words * 64);
    f.live = jrs_parse_take(parser, f.words * sizeof *f.live);
    for (uint32_t m = 0; m < builder->mention_count; m++) {
        unsigned bytes = builder->mentions[m].bytes;
        f.weight[builder->mentions[m].id] = (uint8_t)(bytes == 0 ? 0 : bytes < 4 ? 1 : bytes / 4);
    }
    find_blocks(&f);
    sort_mentions(&f);
    builder->function->mention_begin = f.mention_begin;
    if ((uint64_t)f.blocks * f.words > WORDS_MAX) return UINT32_MAX;
    f.live_in = jrs_parse_take(parser, (size_t)f.blocks * f.words * sizeof *f.live_in);
    return iterate(&f) ? peak_of(&f) : UINT32_MAX;
}
