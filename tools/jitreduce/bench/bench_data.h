/* The benchmark's input: one span of device memory, cut into as many slots as it has room for, which runs take in turn.
 */
#ifndef CLI_BENCH_DATA_H
#define CLI_BENCH_DATA_H

#include <stdbool.h>

#include <jitreduce.h>

enum { CLI_SLOT_ALIGNMENT = 256 };

typedef struct cli_bench_data {
    jr_context *context;
    void *memory;
    uint64_t bytes;
    uint64_t first;                                              /* number of its first element */
    jr_type type;                                                /* of the elements that fill it */
    bool hostile;                                                /* as in cli_bench_data_fill */
    uint64_t count, offset, array_bytes, slot_bytes, slot_count; /* the work's: see cli_bench_data_cut */
} cli_bench_data;

/* Fills all of it with random elements, which depend on their number: floats in [0, 1), f16 and bf16 in [0.5, 1),
 * others as --random has them. hostile: f32 and f64 of nearly all exponents, but the greatest, so that their sums stay
 * finite, and both signs. */
jr_status cli_bench_data_fill(cli_bench_data *data, jr_type type, bool hostile);

/* Bytes of a slot: each of its arrays begins at CLI_SLOT_ALIGNMENT with `offset` unused elements, followed by `count`
 * elements. */
uint64_t cli_bench_slot_bytes(jr_type type, uint64_t count, uint64_t offset, int arrays);

/* Cuts the memory into slots: as many as span span_bytes, and two at least where there is room, so that a size is
 * measured alike whatever else is; span 0: warm, one. */
void cli_bench_data_cut(cli_bench_data *data, uint64_t count, uint64_t offset, int arrays, uint64_t span_bytes);

/* The slot of a run; and an array of it, with or without the offset. */
const void *cli_bench_slot(const cli_bench_data *data, uint64_t run);
const void *cli_bench_array(const cli_bench_data *data, uint64_t run, int array, bool aligned);

#endif
