/* Works of scan_bench: operators and types, elements, what says where runs begin, and what results must be. */
#ifndef JR_BENCH_SCAN_DATA_H
#define JR_BENCH_SCAN_DATA_H

#include "bench.h"

enum { SCAN_WORD = 16 };

/* How runs follow each other: in each span two, the second from `second` elements on, or from a random place. */
typedef struct scan_runs {
    uint64_t count; /* elements of all */
    uint64_t span, second;
    uint64_t inner; /* of columns: how many lie side by side; else 0 */
} scan_runs;

/* A work by its words: "inclusive", "sum", "f32", the type of its results, "keys" and "64". */
typedef struct scan_work {
    char kind[SCAN_WORD], op[SCAN_WORD], type[SCAN_WORD], result[SCAN_WORD], layout[SCAN_WORD], run[SCAN_WORD];
    bool reduces; /* to a result for each run, else one for each element */
    jr_scan_kind scan;
    jr_segment_kind segments; /* 0: all elements are one */
    uint64_t twice_mean;      /* elements of two runs; 0: one run of all */
    jr_spec spec;
    uint64_t element_bytes, result_bytes;
    jr_value initial; /* what the spec points to, of exclusive extremes */
} scan_work;

/* Reads KIND:OP:TYPE[:RESULT][@LAYOUT:RUN]; ends the program if text is not of that form. work must not move. */
void scan_work_parse(const char *text, scan_work *work);

/* Do all segments have the length of the run: rows, columns? */
bool scan_work_is_equal(const scan_work *work);

/* The runs of so many elements; of rows fewer, if the last one would be shorter. */
scan_runs scan_work_runs(const scan_work *work, uint64_t count);

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
