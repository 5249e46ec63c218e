/* Works of scan_bench: what is scanned, data for it, and whether results are right. */
#ifndef JR_BENCH_SCAN_DATA_H
#define JR_BENCH_SCAN_DATA_H

#include "bench.h"

enum { SCAN_WORD = 16 };

/* A scan by its words: "inclusive", "sum", "f32" and the type of its results. */
typedef struct scan_work {
    char kind[SCAN_WORD], op[SCAN_WORD], type[SCAN_WORD], result[SCAN_WORD];
    jr_scan_kind scan;
    jr_spec spec;
    uint64_t element_bytes, result_bytes;
    jr_value initial; /* what the spec points to, of exclusive extremes */
} scan_work;

/* Reads KIND:OP:TYPE[:RESULT]; ends the program when text is none. work must stay where it is. */
void scan_work_parse(const char *text, scan_work *work);

/* Fills count elements so that all results are whole numbers below 128, whatever is added first. */
void scan_data_fill(const bench_device *device, const scan_work *work, jr_cu_deviceptr data, uint64_t count);

/* Counts the results that are wrong; counter: room for 8 bytes. */
uint64_t scan_data_wrong(const bench_device *device, const scan_work *work, jr_cu_deviceptr results, uint64_t count,
                         jr_cu_deviceptr counter);

#endif
