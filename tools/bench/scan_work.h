/* Works of scan_bench: what is scanned or reduced, and which elements belong together. */
#ifndef JR_BENCH_SCAN_WORK_H
#define JR_BENCH_SCAN_WORK_H

#include "bench.h"

enum { SCAN_WORD = 16 };

/* How runs follow each other: in each span two, the second from `second` elements on, or from a random place. */
typedef struct scan_runs {
    uint64_t count; /* elements of all */
    uint64_t span, second;
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

/* The runs of so many elements; of rows fewer, if the last one would be shorter. */
scan_runs scan_work_runs(const scan_work *work, uint64_t count);

#endif
