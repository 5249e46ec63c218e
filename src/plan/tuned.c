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
    [JR_NUMBER_VECTORS_IN_FLIGHT][JR_CLASS_ANY] =
        {3072,
         "h100/calibrate_numbers.csv:16 159.438 (strided 67108864), by 1536 and 6144 h100/calibrate_numbers.csv:17 "
         "159.290, h100/calibrate_numbers.csv:18 159.188; h100/calibrate_numbers.csv:19 150.989 (atomic 67108864), "
         "h100/calibrate_numbers.csv:20 120.491, h100/calibrate_numbers.csv:21 219.430; no file: an H200 needs about "
         "48 KiB in flight a multiprocessor to keep its memory busy"},
    [JR_NUMBER_BLOCK][JR_CLASS_ANY] = {512,
                                       "h100/calibrate_numbers.csv:25 150.891 (atomic 67108864), by 256 and 1024 "
                                       "h100/calibrate_numbers.csv:26 183.097, h100/calibrate_numbers.csv:27 115.870"},
    [JR_NUMBER_UNROLL][JR_CLASS_ANY] = {4,
                                        "h100/calibrate_numbers.csv:31 150.694 (atomic 67108864), by 2 and 8 "
                                        "h100/calibrate_numbers.csv:32 225.436, h100/calibrate_numbers.csv:33 116.380"},
    [JR_NUMBER_SEGMENTS_BLOCK][JR_CLASS_ANY] = {256, "h100/rows.csv:8 359.203 (2^28 f32 in segments of 100)"},

    [JR_NUMBER_SCAN_SMALL_BYTES][JR_CLASS_ANY] = {16384, "h100/graph.csv:12 1.542, h100/graph.csv:13 1.798 (16 KiB by "
                                                         "one_block, wave), h100/graph.csv:21 2.041, "
                                                         "h100/graph.csv:22 1.833 (32 KiB)"},
    [JR_NUMBER_SCAN_FEW_LOADS][JR_CLASS_ANY] =
        {2, "h100/graph.csv:12 1.542; h100/calibrate_rings.csv:14 1.542 (16 KiB of f32 by 2 loads), by 1, 4 and 8 "
            "h100/calibrate_rings.csv:13 1.890, h100/calibrate_rings.csv:15 2.513, h100/calibrate_rings.csv:16 4.305"},
    [JR_NUMBER_SCAN_MANY_LOADS][JR_CLASS_ANY] =
        {4, "h100/graph.csv:21 2.041; h100/calibrate_rings.csv:26 2.075 (32 KiB of f32 by 4 loads), by 1, 2 and 8 "
            "h100/calibrate_rings.csv:24 3.214, h100/calibrate_rings.csv:25 2.406, h100/calibrate_rings.csv:27 4.056"},
    [JR_NUMBER_SCAN_LARGE_BYTES][JR_CLASS_ANY] = {MiB(18), "h100/scan.csv:20 8.546, h100/scan.csv:22 8.317 (2^21 f32 "
                                                           "by wave, bulk_copy), h100/scan.csv:28 15.324 (2^22, wave)"},
    [JR_NUMBER_SCAN_LARGE_ELEMENTS][JR_CLASS_ANY] =
        {1 << 22, "h100/calibrate_rings.csv:132 16.261, h100/calibrate_rings.csv:133 32.311 (2^22 f32 by offsets, by "
                  "bulk_copy, single_pass), h100/calibrate_rings.csv:130 12.130, h100/calibrate_rings.csv:129 17.321 "
                  "(2^21), h100/calibrate_rings.csv:126 9.814, h100/calibrate_rings.csv:125 8.813 (2^20)"},
    [JR_NUMBER_SCAN_LARGE_SEGMENTED_BYTES][JR_CLASS_ANY] =
        {MiB(16), "h100/calibrate_rings.csv:163 17.258, h100/calibrate_rings.csv:164 35.028 (16 MiB of f64 by offsets, "
                  "by bulk_copy, single_pass), h100/calibrate_rings.csv:161 12.397, h100/calibrate_rings.csv:160 "
                  "19.334 (8 MiB), h100/calibrate_rings.csv:157 9.841, h100/calibrate_rings.csv:156 10.114 (4 MiB)"},
    [JR_NUMBER_RUNS_LARGE_BYTES][JR_CLASS_ANY] =
        {MiB(4), "h100/calibrate_rings.csv:195 20.453, h100/calibrate_rings.csv:196 14.364 (4 MiB of f32 in runs of "
                 "1.5 by segmented_runs, by the ring), h100/calibrate_rings.csv:199 10.716, "
                 "h100/calibrate_rings.csv:200 11.474 (of 64)"},

    [JR_NUMBER_SCAN_SHORT_LENGTH][JR_CLASS_ANY] = {4, "no file, an H100, f32: (10,3,50) axis 0 took 6.3 us so, 2.9 by "
                                                      "lanes; (5,22,6,9) axis 3 5.7, by single_pass 6.0"},
    [JR_NUMBER_SCAN_SHORT_ELEMENTS][JR_CLASS_ANY] = {1 << 20,
                                                     "no file, an H100, f32 in rows of 1: 566104 took 4.0 us so, 8.2 "
                                                     "by single_pass; 10084896 50.6, 33.1 by bulk_copy"},

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
    [JR_NUMBER_SCAN_PAIRS_OF_4_BLOCK] =
        {[JR_CLASS_ANY] = {0, NOT_MEASURED},
         [JR_CLASS_H100] = {704, "h100/calibrate_rings.csv:69 1108.384 (2^28 i32 in i64 by 704 threads), by 576 and "
                                 "832 h100/calibrate_rings.csv:68 1108.587, h100/calibrate_rings.csv:70 1119.360; "
                                 "no file, H200s: i32 in i64 of 2^28 by 576, 704 and 832 threads 822, 803 and 812 us"}},
    [JR_NUMBER_SCAN_PAIRS_OF_2_BLOCK] = {[JR_CLASS_ANY] = {0, NOT_MEASURED},
                                         [JR_CLASS_H100] = {1024, "h200/scan_runs.csv:9 677.222 (i16 in i64, 2^28), by "
                                                                  "768 threads h200/scan_runs.csv:8 744.531"}},
    [JR_NUMBER_SCAN_PAIRS_OF_1_BLOCK] =
        {[JR_CLASS_ANY] = {0, NOT_MEASURED},
         [JR_CLASS_H100] = {768, "h200/scan_runs.csv:5 628.603 (i8 in i64, 2^28), by "
                                 "1024 threads h200/scan_runs.csv:6 639.835; "
                                 "h100/calibrate_rings.csv:42 856.336, by 576 and 1024 h100/calibrate_rings.csv:40 "
                                 "846.728, h100/calibrate_rings.csv:44 867.056"}},
    /* Up to 640 threads have 96 registers each, 832 have 72, which expressions may need more of. */
    [JR_NUMBER_SCAN_EXPRESSIONS_BLOCK] =
        {[JR_CLASS_ANY] = {0, NOT_MEASURED},
         [JR_CLASS_H100] = {640, "h100/operators.csv:43 1421.952 (2^28 structs of two f32)"}},

    [JR_NUMBER_RING_LOADS_OF_8_BYTES][JR_CLASS_ANY] =
        {7, "h100/calibrate_rings.csv:90 458.196 (2^26 f64 by keys, 7 loads), by 5 and 9 h100/calibrate_rings.csv:89 "
            "475.128, h100/calibrate_rings.csv:91 468.828"},
    [JR_NUMBER_RING_LOADS_OF_SHORT][JR_CLASS_ANY] =
        {1, "h100/types.csv:27 854.232; h100/calibrate_rings.csv:42 856.336 (2^28 i8 in i64, 1 load), by 3 "
            "h100/calibrate_rings.csv:43 899.320; i16 h100/calibrate_rings.csv:53 921.712, h100/calibrate_rings.csv:54 "
            "963.296"},
    [JR_NUMBER_RING_SEGMENTS_BYTES][JR_CLASS_ANY] =
        {KiB(33), "h200/segments.csv:11 823.480; h100/calibrate_rings.csv:81 278.508 (2^26 f32 by keys, 5 loads), by 7 "
                  "and 9 h100/calibrate_rings.csv:82 314.187, h100/calibrate_rings.csv:83 356.096"},

    [JR_NUMBER_EXACT_LOADS][JR_CLASS_ANY] = {4, "h100/exact.csv:35 25.7435, h200/exact.csv:35 19.3670"},
    [JR_NUMBER_EXACT_SEGMENT_LENGTH][JR_CLASS_ANY] =
        {16, "h200/exact_segments.txt:9 2624.54, h200/exact_segments.txt:6 7001.72 (2^26 f32 in segments of 16 and 4); "
             "h100/calibrate_numbers.csv:48 328.154 (exact 524288x32:1), by 1, 8 and 64 h100/calibrate_numbers.csv:49 "
             "328.123, h100/calibrate_numbers.csv:50 328.269, h100/calibrate_numbers.csv:51 1815.024"},
    [JR_NUMBER_EXACT_SEGMENT_LOADS][JR_CLASS_ANY] = {8,
                                                     "h100/exact_segments.txt:21 94.04 (2^26 f32 in segments of 1024)"},
    [JR_NUMBER_EXACT_SEGMENT_LOADS_OF_SEVERAL][JR_CLASS_ANY] =
        {4, "h100/calibrate_numbers.csv:52 157.048 (exact x + y 65536x1024:1), by 1, 2 and 8 "
            "h100/calibrate_numbers.csv:53 210.355, h100/calibrate_numbers.csv:54 166.469, "
            "h100/calibrate_numbers.csv:55 168.971"},

    [JR_NUMBER_LANES_LENGTH_MAX][JR_CLASS_ANY] =
        {1023, "h100/calibrate_numbers.csv:60 91.495 (65536x1000:1 by lanes), by 511, which are warps "
               "h100/calibrate_numbers.csv:62 83.986; h100/calibrate_numbers.csv:64 64.202 (32768x1500:1 by warps), by "
               "2047 h100/calibrate_numbers.csv:67 69.461"},
    [JR_NUMBER_WARPS_PACKS][JR_CLASS_ANY] = {128, "no file: with fewer, most of a lane's loads are in vain"},
    [JR_NUMBER_WARPS_PACKS_MAX][JR_CLASS_ANY] =
        {2047, "h100/calibrate_numbers.csv:77 87.685 (16384x4096:1), by 1023 and 4095 h100/calibrate_numbers.csv:78 "
               "109.056, h100/calibrate_numbers.csv:79 87.748; 8 steps of 8 loads a lane; longer chains round more, "
               "and few warps would work long"},
    [JR_NUMBER_WARPS_SEGMENTS][JR_CLASS_ANY] =
        {12, "h100/calibrate_numbers.csv:90 11.985 (1584x4096:1), by 1, 6 and 24 h100/calibrate_numbers.csv:91 11.964, "
             "h100/calibrate_numbers.csv:92 11.958, h100/calibrate_numbers.csv:93 11.199; by 8 loads a lane they have "
             "48 KiB in flight"},
    [JR_NUMBER_BLOCKS_PACKS][JR_CLASS_ANY] =
        {2048, "h100/calibrate_numbers.csv:108 11.407 (512x12000:1), by 1024 and 4096 h100/calibrate_numbers.csv:109 "
               "11.413, h100/calibrate_numbers.csv:110 21.627; an H200: below, a block has too little to do"},
    [JR_NUMBER_BLOCKS_PART_TILES][JR_CLASS_ANY] =
        {8, "h100/calibrate_numbers.csv:115 71.112 (100x524288:1), by 2, 4 and 32 h100/calibrate_numbers.csv:116 "
            "69.541, h100/calibrate_numbers.csv:117 70.323, h100/calibrate_numbers.csv:118 77.457"},
    [JR_NUMBER_APPLY_LANES_PACKS][JR_CLASS_ANY] =
        {128, "h100/apply_tunings.csv:139 104.875 (softmax of 65536 x 1024 bf16 by a warp each), by 128 threads "
              "h100/apply_tunings.csv:137 153.163"},
    [JR_NUMBER_APPLY_FEW_PACKS][JR_CLASS_ANY] =
        {16,
         "h100/apply_tunings.csv:8 181.248 (softmax of 1048576 x 64 f32), by 1 and 4 packs h100/apply_tunings.csv:7 "
         "223.856, h100/apply_tunings.csv:9 182.400"},
    [JR_NUMBER_APPLY_MANY_PACKS][JR_CLASS_ANY] =
        {512, "h100/apply_tunings.csv:210 359.936 (softmax of 32768 x 4096 f32), by 4 packs h100/apply_tunings.csv:208 "
              "359.024; rows of larger accumulators gain more: layer_norm h100/apply_tunings.csv:222"},
    [JR_NUMBER_STEPS_LENGTH][JR_CLASS_ANY] =
        {16, "h100/calibrate_numbers.csv:126 114.128 (32x65536x32:0+2 by steps), by 64 h100/calibrate_numbers.csv:128 "
             "741.197; h100/calibrate_numbers.csv:123 49.695 (8x65536x8:0+2 by axes), by 4 "
             "h100/calibrate_numbers.csv:124 14.577"},

    [JR_NUMBER_THREADS_ROWS_MAX][JR_CLASS_ANY] =
        {32, "h100/calibrate_numbers.csv:138 90.585 (48x1400000:0), by 16 and 64 h100/calibrate_numbers.csv:139 "
             "90.605, h100/calibrate_numbers.csv:140 89.124; of more, threads of a block share columns"},
    [JR_NUMBER_THREADS_ROW_BYTES][JR_CLASS_ANY] =
        {256, "h100/calibrate_numbers.csv:147 102.540 (131072x8x64:1), by 64 and 1024 h100/calibrate_numbers.csv:148 "
              "102.467, h100/calibrate_numbers.csv:149 103.237; of narrow rows, blocks read whole lines"},
    [JR_NUMBER_THREADS_LOADS][JR_CLASS_ANY] =
        {8, "h100/calibrate_numbers.csv:156 94.784 (16x4194304:0), by 4 and 16 h100/calibrate_numbers.csv:157 94.808, "
            "h100/calibrate_numbers.csv:158 130.022"},
    [JR_NUMBER_THREADS_LOADS_OF_MANY][JR_CLASS_ANY] =
        {4, "h100/calibrate_numbers.csv:163 142.090 (12x8000000:0), by 5, 6 and 8 h100/calibrate_numbers.csv:164 "
            "144.704, h100/calibrate_numbers.csv:165 144.660, h100/calibrate_numbers.csv:166 144.793"},
    [JR_NUMBER_COLUMNS_LIGHT_BYTES][JR_CLASS_ANY] =
        {32, "h100/calibrate_numbers.csv:178 131.225 (100x1000000:0), by 16 and 64 h100/calibrate_numbers.csv:179 "
             "131.161, h100/calibrate_numbers.csv:180 131.159"},
    [JR_NUMBER_COLUMNS_LOADS][JR_CLASS_ANY] = {8, "h200/columns.csv:53 122.296"},
    [JR_NUMBER_COLUMNS_LONG_LOADS][JR_CLASS_ANY] =
        {4, "h200/columns.csv:8 244.672, h100/columns.csv:8 348.280 ((16384,16384) along axis 0); "
            "h100/calibrate_numbers.csv:187 347.465 (16384x16384:0), by 2 and 8 h100/calibrate_numbers.csv:188 "
            "349.187, h100/calibrate_numbers.csv:189 349.533"},
    [JR_NUMBER_COLUMNS_LONG_LENGTH][JR_CLASS_ANY] =
        {4096, "h200/columns.csv:80 242.562, h100/columns.csv:80 347.109 ((4096,65536) along axis 0); "
               "h100/calibrate_numbers.csv:193 174.470 (2048x65536:0), by 1024 and 16384 "
               "h100/calibrate_numbers.csv:194 174.256, h100/calibrate_numbers.csv:195 174.404"},
    [JR_NUMBER_COLUMNS_LONG_ROW_BYTES][JR_CLASS_ANY] =
        {KiB(64), "h100/calibrate_numbers.csv:199 28.101 (65536x256:0), by 1024 and 262144 "
                  "h100/calibrate_numbers.csv:200 29.711, h100/calibrate_numbers.csv:201 28.188"},
    [JR_NUMBER_COLUMNS_SHORT_BLOCK][JR_CLASS_ANY] =
        {128, "h100/columns.csv:44 72.022 ((64,256,56,56) axis 2), h100/columns.csv:26 135.351 ((100,10^6) axis 0); "
              "h100/calibrate_numbers.csv:205 68.844 (16384x56x56:1), by 64 and 256 h100/calibrate_numbers.csv:206 "
              "68.173, h100/calibrate_numbers.csv:207 69.678"},
    [JR_NUMBER_COLUMNS_JOINED_LENGTH][JR_CLASS_ANY] = {1 << 16, "h100/columns.csv:17 137.449 ((10^6,100) axis 0)"},
    [JR_NUMBER_BANDS_SHORT_LINES][JR_CLASS_ANY] =
        {256, "h100/calibrate_numbers.csv:220 131.685 (100x1000000:0), by 64 and 1024 h100/calibrate_numbers.csv:221 "
              "135.189, h100/calibrate_numbers.csv:222 131.806"},
    [JR_NUMBER_BANDS_LINES_OF_LANE][JR_CLASS_ANY] =
        {12, "h100/columns.csv:44 72.022 ((64,256,56,56) axis 2, 4 lanes with 7 loads); h100/calibrate_numbers.csv:229 "
             "69.009 (16384x56x56:1), by 6, 24 and 48 h100/calibrate_numbers.csv:230 67.838, "
             "h100/calibrate_numbers.csv:231 71.910, h100/calibrate_numbers.csv:232 72.883"},
    [JR_NUMBER_BANDS_LANES_MAX][JR_CLASS_ANY] =
        {16, "h100/calibrate_numbers.csv:241 135.432 (200x500000:0), by 1, 4 and 8 h100/calibrate_numbers.csv:242 "
             "143.489, h100/calibrate_numbers.csv:243 134.721, h100/calibrate_numbers.csv:244 135.321; an H100: "
             "(128,128,16384) axis 1 by 1, 2, 4, 8 and 16 lanes 365, 360, 358, 355 and 362 us"},
    [JR_NUMBER_BANDS_THREADS_MIN][JR_CLASS_ANY] =
        {224, "h100/calibrate_numbers.csv:248 128.346 (500000x180:0), by 64 and 400 h100/calibrate_numbers.csv:249 "
              "128.181, h100/calibrate_numbers.csv:250 131.166"},
    [JR_NUMBER_BANDS_THREADS_MAX][JR_CLASS_ANY] =
        {447,
         "h100/columns.csv:17 137.449, h200/columns.csv:17 96.731 ((10^6,100) axis 0); h100/calibrate_numbers.csv:251 "
         "138.209 (1000000x100:0), by 255, 511 and 1023 h100/calibrate_numbers.csv:252 141.854, "
         "h100/calibrate_numbers.csv:253 138.204, h100/calibrate_numbers.csv:254 155.390"},
    [JR_NUMBER_JOIN_ROUNDS][JR_CLASS_ANY] =
        {24, "h100/calibrate_numbers.csv:259 13.400 (65536x64:0), by 1, 200 and 100000 h100/calibrate_numbers.csv:260 "
             "13.214, h100/calibrate_numbers.csv:261 14.112, h100/calibrate_numbers.csv:262 14.048"},

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
