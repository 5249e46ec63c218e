/* The memory that contestants of scan_bench share: a work at one size, many times. */
#ifndef JR_BENCH_SCAN_STAGE_H
#define JR_BENCH_SCAN_STAGE_H

#include "scan_data.h"

/* A work at one size. Each run takes the next slot: inputs, followed by the results. */
typedef struct scan_stage {
    const bench_device *device;
    const scan_work *work;
    scan_runs runs;
    uint64_t run_count, result_count;
    uint64_t offset;                        /* arrays begin so many elements after a boundary */
    uint64_t moved_bytes;                   /* that a run must read and write */
    uint64_t slots, slot_bytes, results_at; /* where a slot's results begin */
    scan_arrays first;                      /* of slot 0 */
    jr_cu_deviceptr memory, counter;
} scan_stage;

/* Allocates and fills memory for a work over count elements, of rows fewer: slots that span far more than the L2 cache,
 * on the simulator two. */
void scan_stage_open(const bench_device *device, const scan_work *work, uint64_t count, uint64_t offset,
                     scan_stage *stage);
void scan_stage_close(scan_stage *stage);

/* The arrays of a run. */
scan_arrays scan_stage_arrays(const scan_stage *stage, uint64_t run);

/* Copies half as many bytes as a run moves, so that as many are read and written, from its inputs to its results. */
jr_status scan_stage_copy(const scan_stage *stage, uint64_t run, jr_stream stream);

/* Overwrites the results of the first slot; and counts the wrong ones there. */
void scan_stage_spoil(const scan_stage *stage);
uint64_t scan_stage_wrong(const scan_stage *stage);

#endif
