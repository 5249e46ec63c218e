/* The table of tuned numbers: classes of devices and thresholds; tuned_algorithms.c has blocks, loads and orders.
 *
 * Each number has the place of its measurement: "h100/scan.csv:27 12.970" is a line of a file of tools/bench and the
 * time in microseconds there, often of what is chosen now; what it was compared with follows. "No file" means that it
 * was measured by hand with an earlier version; the comment has the figures that were kept. A class without a number of
 * its own takes that of the class it is like. */
#include "tuned.h"

#include <stdbool.h>
#include <stddef.h>

/* ---- classes ---- */

static const struct {
    jr_device_class like;
    int capability_major;     /* at least */
    uint64_t shared_bytes;    /* of a block, at least */
    double bytes_per_ns_each; /* of a multiprocessor: more than; 0: any */
} classes[JR_DEVICE_CLASSES] = {
    [JR_CLASS_H100] = {.like = JR_CLASS_ANY, .capability_major = 9, .shared_bytes = 192 << 10}, /* 25 bytes a ns each */
    [JR_CLASS_H200] = {.like = JR_CLASS_H100,                                                   /* 37 bytes a ns each */
                       .capability_major = 9,
                       .shared_bytes = 192 << 10,
                       .bytes_per_ns_each = 30}};

double jr_tuned_memory_rate(const jr_device_info *device) {
    return 2.0 * device->memory_clock_khz * device->memory_bus_bits / 8;
}

jr_device_class jr_tuned_class_like(jr_device_class class) {
    return classes[class].like;
}

double jr_tuned_class_rate(jr_device_class class) {
    return classes[class].bytes_per_ns_each;
}

static bool is_of_class(const jr_device_info *device, int class) {
    const double rate = classes[class].bytes_per_ns_each * 1e6 * device->multiprocessor_count;
    return device->capability_major >= classes[class].capability_major &&
           device->shared_bytes_per_block_optin >= classes[class].shared_bytes &&
           (rate == 0 || jr_tuned_memory_rate(device) > rate);
}

/* The last one whose conditions it meets. */
jr_device_class jr_tuned_class_of(const jr_device_info *device) {
    int class = JR_DEVICE_CLASSES - 1;
    while (class > JR_CLASS_ANY && !is_of_class(device, class)) class --;
    return (jr_device_class) class;
}

/* ---- numbers ---- */

typedef struct value {
    uint64_t value;
    const char *measured; /* NULL: the class has none of its own */
} value;

#define KiB(count)   ((uint64_t)(count) << 10)
#define MiB(count)   ((uint64_t)(count) << 20)
#define NOT_MEASURED "not measured: the entry of the algorithm says it"

static const value numbers[JR_NUMBERS][JR_DEVICE_CLASSES] = {
    [JR_NUMBER_CHUNK_FROM_BYTES][JR_CLASS_ANY] = {MiB(64),
                                                  "no file: below, one copy and one launch take less time than "
                                                  "the pump's buffers and threads"},
    [JR_NUMBER_VECTORS_IN_FLIGHT][JR_CLASS_ANY] = {3072, "no file: an H200 needs about 48 KiB in flight a "
                                                         "multiprocessor to keep its memory busy"},
    [JR_NUMBER_BLOCK][JR_CLASS_ANY] = {512, "no file"},
    [JR_NUMBER_UNROLL][JR_CLASS_ANY] = {4, "no file"},
    [JR_NUMBER_SEGMENTS_BLOCK][JR_CLASS_ANY] = {256, "h100/rows.csv:8 359.203 (2^28 f32 in segments of 100)"},

    [JR_NUMBER_SCAN_SMALL_BYTES][JR_CLASS_ANY] = {16384, "h100/graph.csv:12 1.542, h100/graph.csv:13 1.798 (16 KiB by "
                                                         "one_block, wave), h100/graph.csv:21 2.041, "
                                                         "h100/graph.csv:22 1.833 (32 KiB)"},
    [JR_NUMBER_SCAN_FEW_LOADS][JR_CLASS_ANY] =
        {2, "h100/graph.csv:12 1.542; no file, an H100: 16 KiB of f32 by 2 and 4 loads 1.5 and 2.4 us"},
    [JR_NUMBER_SCAN_MANY_LOADS][JR_CLASS_ANY] =
        {4, "h100/graph.csv:21 2.041; no file, an H100: 32 KiB of f32 by 2 and 4 loads 2.3 and 2.0 us"},
    [JR_NUMBER_SCAN_LARGE_BYTES][JR_CLASS_ANY] = {MiB(18), "h100/scan.csv:20 8.546, h100/scan.csv:22 8.317 (2^21 f32 "
                                                           "by wave, bulk_copy), h100/scan.csv:28 15.324 (2^22, wave)"},
    [JR_NUMBER_SCAN_LARGE_ELEMENTS][JR_CLASS_ANY] = {1 << 22, "no file"},
    [JR_NUMBER_SCAN_LARGE_SEGMENTED_BYTES][JR_CLASS_ANY] = {MiB(16), "no file"},
    [JR_NUMBER_RUNS_LARGE_BYTES][JR_CLASS_ANY] = {MiB(4), "no file, an H100: f32 of 4 MiB by runs of 1.5 and of 64 "
                                                          "14.4 and 11.3 us, by segmented_runs 17.5 and 10.7"},

    [JR_NUMBER_SCAN_WORDS_BLOCK] =
        {[JR_CLASS_ANY] = {0, NOT_MEASURED},
         [JR_CLASS_H100] = {640, "h100/scan_runs.csv:14 13.130 (2^22 f32), by 576, 832 and 896 threads "
                                 "h100/scan_runs.csv:13 13.288, h100/scan_runs.csv:17 14.697, "
                                 "h100/scan_runs.csv:18 14.685"}},
    [JR_NUMBER_SCAN_FEW_WORDS][JR_CLASS_ANY] = {1 << 22, "h200/scan_runs.csv:33 11.591; 2^23 by 640 and 896 threads "
                                                         "h200/scan_runs.csv:38 19.164, h200/scan_runs.csv:42 20.318"},
    /* A tile that comes in 0.9 us was the best for 2^22 f32 on both: 33 KB of an H200, 23 KB of an H100. */
    [JR_NUMBER_SCAN_FEW_WORDS_BLOCK] =
        {[JR_CLASS_ANY] = {0, NOT_MEASURED},
         [JR_CLASS_H100] = {640, "h100/scan_runs.csv:14 13.130, by 896 threads h100/scan_runs.csv:18 14.685"},
         [JR_CLASS_H200] = {896, "h200/scan_runs.csv:33 11.591, by 576, 640 and 832 threads h200/scan_runs.csv:28 "
                                 "11.965, h200/scan_runs.csv:29 11.882, h200/scan_runs.csv:32 12.009"}},
    [JR_NUMBER_SCAN_PAIRS_BLOCK] =
        {[JR_CLASS_ANY] = {0, NOT_MEASURED},
         [JR_CLASS_H100] = {832, "h200/scan_runs.csv:122 67.643 (2^24 f64), by 704 threads h200/scan_runs.csv:120 "
                                 "67.942; h100/scan_runs.csv:107 91.087, h100/scan_runs.csv:105 90.898"}},
    [JR_NUMBER_SCAN_FEW_PAIRS][JR_CLASS_ANY] = {1 << 21, "2^22 f64 by 832 and 896 threads h200/scan_runs.csv:104 "
                                                         "19.933, h200/scan_runs.csv:105 20.211"},
    [JR_NUMBER_SCAN_FEW_PAIRS_BLOCK] =
        {[JR_CLASS_ANY] = {0, NOT_MEASURED},
         [JR_CLASS_H100] = {896, "h200/scan_runs.csv:96 12.110 (2^21 f64), by 576, 704 and 832 threads "
                                 "h200/scan_runs.csv:91 12.675, h200/scan_runs.csv:93 12.630, h200/scan_runs.csv:95 "
                                 "12.363; h100/scan_runs.csv:81 14.319, h100/scan_runs.csv:80 14.478"}},
    [JR_NUMBER_SCAN_PAIRS_OF_4_BLOCK] = {[JR_CLASS_ANY] = {0, NOT_MEASURED},
                                         [JR_CLASS_H100] = {704, "no file, H200s: i32 in i64 of 2^28 by 576, 704 and "
                                                                 "832 threads 822, 803 and 812 us"}},
    [JR_NUMBER_SCAN_PAIRS_OF_2_BLOCK] = {[JR_CLASS_ANY] = {0, NOT_MEASURED},
                                         [JR_CLASS_H100] = {1024, "h200/scan_runs.csv:9 677.222 (i16 in i64, 2^28), by "
                                                                  "768 threads h200/scan_runs.csv:8 744.531"}},
    [JR_NUMBER_SCAN_PAIRS_OF_1_BLOCK] = {[JR_CLASS_ANY] = {0, NOT_MEASURED},
                                         [JR_CLASS_H100] = {768,
                                                            "h200/scan_runs.csv:5 628.603 (i8 in i64, 2^28), by "
                                                            "1024 threads h200/scan_runs.csv:6 639.835; "
                                                            "h100/types.csv:27 854.232, no file, by 576 threads 844"}},
    /* Up to 640 threads have 96 registers each, 832 have 72, which expressions may need more of. */
    [JR_NUMBER_SCAN_EXPRESSIONS_BLOCK] =
        {[JR_CLASS_ANY] = {0, NOT_MEASURED},
         [JR_CLASS_H100] = {640, "h100/operators.csv:43 1421.952 (2^28 structs of two f32)"}},

    [JR_NUMBER_RING_LOADS_OF_8_BYTES][JR_CLASS_ANY] = {7, "no file"},
    [JR_NUMBER_RING_LOADS_OF_SHORT][JR_CLASS_ANY] =
        {1, "h100/types.csv:27 854.232; no file, an H100, blocks of 576 threads: i8 of 2^28 by 1 and 3 "
            "loads 850 and 883 us, i16 923 and 950"},
    [JR_NUMBER_RING_SEGMENTS_BYTES][JR_CLASS_ANY] =
        {KiB(33), "h200/segments.csv:11 823.480; no file, an H200, f32 by keys of i32, 2^28: with 3, 4, "
                  "5 and 6 places 1225, 1015, 935 and 865 us"},

    [JR_NUMBER_EXACT_LOADS][JR_CLASS_ANY] = {4, "h100/exact.csv:35 25.7435, h200/exact.csv:35 19.3670"},
    [JR_NUMBER_EXACT_SEGMENT_LENGTH][JR_CLASS_ANY] =
        {16, "h200/exact_segments.txt:9 2624.54, h200/exact_segments.txt:6 7001.72 (2^26 f32 in segments of 16 and 4); "
             "no file, an H200, of an earlier version, f32, 2^26 in segments of 1, 4, 16 and 32: "
             "54339, 13208, 3490 and 1711 us, by threads 4562, 6153, 6213 "
             "and 9713"},
    [JR_NUMBER_EXACT_SEGMENT_LOADS][JR_CLASS_ANY] = {8,
                                                     "h100/exact_segments.txt:21 94.04 (2^26 f32 in segments of 1024)"},
    [JR_NUMBER_EXACT_SEGMENT_LOADS_OF_SEVERAL][JR_CLASS_ANY] = {4, "no file"},

    [JR_NUMBER_LANES_LENGTH_MAX][JR_CLASS_ANY] = {1023, "no file: from 1024 on a whole warp has enough loads"},
    [JR_NUMBER_WARPS_PACKS][JR_CLASS_ANY] = {128, "no file: with fewer, most of a lane's loads are in vain"},
    [JR_NUMBER_WARPS_PACKS_MAX][JR_CLASS_ANY] = {2047, "no file: 8 steps of 8 loads a lane; longer chains round more, "
                                                       "and few warps would work long"},
    [JR_NUMBER_WARPS_SEGMENTS][JR_CLASS_ANY] = {12, "no file: by 8 loads a lane they have 48 KiB in flight"},
    [JR_NUMBER_BLOCKS_PACKS][JR_CLASS_ANY] = {2048, "no file, an H200: below, a block has too little to do"},
    [JR_NUMBER_BLOCKS_PART_TILES][JR_CLASS_ANY] = {8, "no file"},
    [JR_NUMBER_STEPS_LENGTH][JR_CLASS_ANY] = {16, "no file: of less, accumulators would be half of the work"},

    [JR_NUMBER_THREADS_ROWS_MAX][JR_CLASS_ANY] = {32, "no file: of more, threads of a block share columns"},
    [JR_NUMBER_THREADS_ROW_BYTES][JR_CLASS_ANY] = {256, "no file: of narrow rows, blocks read whole lines"},
    [JR_NUMBER_THREADS_LOADS][JR_CLASS_ANY] = {8, "no file"},
    [JR_NUMBER_THREADS_LOADS_OF_MANY][JR_CLASS_ANY] = {4,
                                                       "no file, sum f32 along axis 0, by 5 to 8 loads and by 4: an "
                                                       "H200 (20,5*10^6) 104.4 and 101.3 us; an H100 145.1 and 143.6, "
                                                       "(10,10^7) 151.8 and 149.6, (12,8*10^6) 144.2 and 141.3, "
                                                       "(16,6*10^6) 138.5 and 138.8"},
    [JR_NUMBER_COLUMNS_LIGHT_BYTES][JR_CLASS_ANY] = {32, "no file"},
    [JR_NUMBER_COLUMNS_LOADS][JR_CLASS_ANY] = {8, "h200/columns.csv:53 122.296"},
    [JR_NUMBER_COLUMNS_LONG_LOADS][JR_CLASS_ANY] = {4, "h200/columns.csv:8 244.672, h100/columns.csv:8 348.280 "
                                                       "((16384,16384) along axis 0); no file, by 8 loads 250.0 and "
                                                       "351.0 us"},
    [JR_NUMBER_COLUMNS_LONG_LENGTH][JR_CLASS_ANY] = {4096, "h200/columns.csv:80 242.562, h100/columns.csv:80 347.109 "
                                                           "((4096,65536) along axis 0); no file, by 8 loads 246.9 and "
                                                           "350.5 us, (32,1024,4096) along axis 1 by 8 and by 4 on an "
                                                           "H200 122.4 and 123.8"},
    [JR_NUMBER_COLUMNS_LONG_ROW_BYTES][JR_CLASS_ANY] = {KiB(64), "no file, an H100: (65536,256) along axis 0 by 8 and "
                                                                 "by 4 loads 28.6 and 29.2 us"},
    [JR_NUMBER_COLUMNS_SHORT_BLOCK][JR_CLASS_ANY] = {128,
                                                     "h100/columns.csv:44 72.022 ((64,256,56,56) axis 2), "
                                                     "h100/columns.csv:26 135.351 ((100,10^6) axis 0); no file, by "
                                                     "256 and 128 threads: an H200 52.4 and 50.2 us, 96.4 and 93.7, "
                                                     "(128,128,16384) axis 1 246.9 and 242.3; an H100 72.8 and "
                                                     "69.6, 135.5 and 132.8, 351.9 and 352.2"},
    [JR_NUMBER_COLUMNS_JOINED_LENGTH][JR_CLASS_ANY] = {1 << 16, "h100/columns.csv:17 137.449 ((10^6,100) axis 0)"},
    [JR_NUMBER_BANDS_SHORT_LINES][JR_CLASS_ANY] = {256, "no file"},
    [JR_NUMBER_BANDS_LINES_OF_LANE][JR_CLASS_ANY] = {12, "h100/columns.csv:44 72.022 ((64,256,56,56) axis 2, 4 lanes "
                                                         "with 7 loads); no file, an H100: 1 lane with 8 loads, 2 with "
                                                         "7 and 4 with 7 78.6, 74.9 and 72.2 us; (100,10^6) axis 0 by "
                                                         "1 lane with 8, 4 with 8 and 8 with 7 139.7, 145.3 and 135.7"},
    [JR_NUMBER_BANDS_LANES_MAX][JR_CLASS_ANY] = {16, "no file, an H100: (128,128,16384) axis 1 by 1, 2, 4, 8 and 16 "
                                                     "lanes 365, 360, 358, 355 and 362 us"},
    [JR_NUMBER_BANDS_THREADS_MIN][JR_CLASS_ANY] = {224, "no file"},
    [JR_NUMBER_BANDS_THREADS_MAX][JR_CLASS_ANY] = {447, "h100/columns.csv:17 137.449, h200/columns.csv:17 96.731 "
                                                        "((10^6,100) axis 0); no file, an H100: 256 threads, 250 of "
                                                        "which have a vector, 147.6 us, in 528 parts of rows 146.9; "
                                                        "416 threads for 16 rows 142.2, in 528 parts of such lines "
                                                        "138.4, in 526 and 236 138.8 and 138.3; an H200 in 526, 264, "
                                                        "251 and 238 parts 99.4, 97.8, 97.2 and 96.7"},
    [JR_NUMBER_JOIN_ROUNDS][JR_CLASS_ANY] = {24, "no file, sum f32 along axis 0, by barriers and by shuffles: an H200 "
                                                 "(65536,64) 10.6 and 10.1 us, (65536,256) 23.3 and 22.3; an H100 12.5 "
                                                 "and 11.9, 29.9 and 28.6; of 128 parts, (8192,1024), 14.8 and 15.5"},

    [JR_NUMBER_PUSHED_BYTES][JR_CLASS_ANY] = {MiB(8), "h100/group_fold_2.csv:26 42.31 (4 MiB of states pushed), "
                                                      "h100/group_fold_2.csv:32 85.89 (16 MiB by shares); no file, two "
                                                      "H100s: 8 and 16 MiB pushed 83 and 167 us, 4 MiB by shares 47. "
                                                      "With more devices it is not measured"}};

uint64_t jr_tuned_number_of(const jr_device_info *device, jr_tuned_number number) {
    jr_device_class class = jr_tuned_class_of(device);
    while (numbers[number][class].measured == NULL) class = classes[class].like;
    return numbers[number][class].value;
}

const char *jr_tuned_number_measured(jr_device_class class, jr_tuned_number number) {
    return numbers[number][class].measured;
}
