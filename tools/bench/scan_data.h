/* Data of scan_bench: elements, what says where runs begin, and what results must be. */
#ifndef JR_BENCH_SCAN_DATA_H
#define JR_BENCH_SCAN_DATA_H

#include "scan_work.h"

/* Where the arrays of one run of a contestant lie in device memory. */
typedef struct scan_arrays {
    jr_cu_deviceptr elements;
    jr_cu_deviceptr keys;    /* i32, the number of the element's run; 0: none */
    jr_cu_deviceptr offsets; /* where runs begin, and the end; 0: none */
    jr_cu_deviceptr results;
    jr_cu_deviceptr keys_out, runs_out; /* of a reduction by keys: the key of each run, how many there are; else 0 */
} scan_arrays;

/* Fills elements, keys and offsets so that all results are whole numbers below 128, whatever is added first. */
void scan_data_fill(const bench_device *device, const scan_work *work, const scan_runs *runs,
                    const scan_arrays *arrays);

/* Counts runs; counter: room for 8 bytes. */
uint64_t scan_data_runs(const bench_device *device, const scan_work *work, const scan_runs *runs,
                        jr_cu_deviceptr counter);

/* Counts the results that are wrong, keys and the number of runs among them; counter: room for 8 bytes. */
uint64_t scan_data_wrong(const bench_device *device, const scan_work *work, const scan_runs *runs,
                         const scan_arrays *arrays, jr_cu_deviceptr counter);

#endif
