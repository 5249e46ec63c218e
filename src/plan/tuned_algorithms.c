/* The table of tuned numbers: what was measured of algorithms, as in tuned.c. */
#include <stddef.h>

#include "tuned.h"

#define KiB(count) ((uint64_t)(count) << 10)
#define MiB(count) ((uint64_t)(count) << 20)

/* ---- splits ---- */

#define BY_HAND                                                                                                        \
    "no file, an H200: blocks of 128 to 1024 threads, 1 to 8 chains, 512 to 2048 threads of a multiprocessor; small "  \
    "inputs want small blocks, which combine sooner"

#define MOMENTS_SWEPT                                                                                                  \
    "no file, an H100: blocks of 128 to 512 threads, 1 to 8 chains: 4 MiB 7.9 us (256 by 2: 9.7), 64 MiB 29.9 "        \
    "(33.6), "                                                                                                         \
    "256 MiB 95.6 (104)"

static const struct {
    jr_tuned_split list[JR_SPLITS_MAX];
    const char *measured; /* NULL: the class has none of its own */
} splits_table[JR_SPLITS_COUNT][JR_DEVICE_CLASSES] = {
    [JR_SPLITS_ELEMENTS][JR_CLASS_ANY] =
        {{{MiB(64), 512, 8, 1024}, {MiB(16), 256, 8, 512}, {MiB(8), 256, 4, 512}, {0, 256, 4, 768}},
         "h100/sizes.csv:42 23.8885, h100/sizes.csv:36 7.8375, h100/sizes.csv:114 5.3910, h100/sizes.csv:30 4.2785 "
         "(sums of 64, 16, 8 and 4 MiB); " BY_HAND},
    [JR_SPLITS_SHORT_FLOATS][JR_CLASS_ANY] =
        {{{MiB(512), 512, 4, 2048}, {MiB(16), 512, 4, 1024}, {MiB(8), 256, 4, 512}, {0, 256, 4, 768}}, BY_HAND},
    [JR_SPLITS_BYTES][JR_CLASS_ANY] =
        {{{MiB(128), 512, 8, 1024}, {MiB(16), 256, 8, 512}, {MiB(8), 256, 8, 512}, {0, 256, 4, 768}}, BY_HAND},
    [JR_SPLITS_INDEX][JR_CLASS_ANY] =
        {{{MiB(128), 512, 8, 1024}, {MiB(16), 256, 8, 1024}, {MiB(8), 256, 8, 512}, {0, 256, 4, 768}}, BY_HAND},
    [JR_SPLITS_WIDE][JR_CLASS_ANY] =
        {{{MiB(16), 512, 4, 1024}, {MiB(8), 512, 4, 1024}, {MiB(1), 256, 2, 512}, {0, 256, 4, 768}}, BY_HAND},
    [JR_SPLITS_MOMENTS][JR_CLASS_ANY] =
        {{{MiB(8), 128, 8, 512}, {MiB(8), 128, 8, 512}, {MiB(2), 128, 8, 512}, {0, 256, 2, 512}}, MOMENTS_SWEPT},
    /* A tile's way through a scan takes several times as long as its loads: all blocks that fit. */
    [JR_SPLITS_SCAN]
        [JR_CLASS_ANY] = {{{MiB(8), 256, 8, 2048}, {MiB(8), 256, 8, 2048}, {MiB(8), 256, 8, 2048}, {0, 512, 4, 2048}},
                          "h100/scan.csv:21 10.321, h100/scan.csv:13 7.078 (8 and 4 MiB)"},
    [JR_SPLITS_WAVE][JR_CLASS_ANY] = {
        {{MiB(4) + 1, 576, 4, 2048}, {MiB(1) + 1, 576, 2, 2048}, {KiB(512) + 1, 576, 1, 2048}, {0, 320, 1, 2048}},
        "h100/graph.csv:58 2.327, h100/graph.csv:66 2.644 (512 KiB and 1 MiB); no file, an H100, f32 in a CUDA graph, "
        "tiles of 4, 8 and 16 KiB: 512 KiB 2.3, 2.5 and - us, 1 MiB 3.0, 2.7 "
        "and 2.8, 2 MiB 4.5, 3.5 and 3.3"}};

const jr_tuned_split *jr_tuned_splits_of(const jr_device_info *device, jr_tuned_splits splits) {
    jr_device_class class = jr_tuned_class_of(device);
    while (class != JR_CLASS_ANY && splits_table[splits][class].measured == NULL) class = jr_tuned_class_like(class);
    return splits_table[splits][class].list;
}

const char *jr_tuned_splits_measured(jr_device_class class, jr_tuned_splits splits) {
    return splits_table[splits][class].measured;
}

#define APPLY_MEASURED "h100/apply_tunings.csv: rows of 64 to 16384 f32 at 0.98 to 1.0 of a copy"

/* ---- algorithms, in the order of preference: each takes what those after it would be slower at ---- */

static const jr_tuned_algorithm algorithms[JR_TUNED_ROW_COUNT][JR_DEVICE_CLASSES] = {
    /* All elements. Exact sums and fixed trees stand before their namesakes, which take what these do not. */
    [JR_TUNED_EXACT_SINGLE_PASS][JR_CLASS_ANY] = {.order = 1,
                                                  .block = 512,
                                                  .vectors_in_flight = 2048, /* one block: its bins fill its memory */
                                                  .measured = "h100/exact.csv:35 25.7435, h200/exact.csv:35 19.3670"},
    [JR_TUNED_EXACT_BULK_COPY][JR_CLASS_ANY] =
        {.order = 2,
         .block = 512,
         .preferred_from_bytes = MiB(128),
         .measured = "h200/exact.csv:85 34.5960 (128 MiB of f64); no file, an H200, by a prototype"},
    [JR_TUNED_TREE_SINGLE_PASS][JR_CLASS_ANY] = {.order = 3,
                                                 .block = 256,
                                                 .vectors_in_flight = 6144, /* like rows */
                                                 .measured = "h200/reproducible.csv:26 276.7086 (2^28 f32)"},
    [JR_TUNED_TREE_TWO_PASS][JR_CLASS_ANY] = {.order = 4,
                                              .block = 256,
                                              .vectors_in_flight = 6144,
                                              .measured = "no file"},
    [JR_TUNED_TREE_ONE_BLOCK][JR_CLASS_ANY] = {.order = 5, .block = 1024, .measured = "no file"},
    [JR_TUNED_SINGLE_PASS][JR_CLASS_ANY] =
        {.order = 6,
         .splits = JR_SPLITS_OF_TYPE,
         .measured =
             "h100/sizes.csv:48 345.7018, h100/sizes.csv:52 345.6669 (2^28 f32, a bare read of them); " BY_HAND},
    [JR_TUNED_TWO_PASS][JR_CLASS_ANY] = {.order = 7, .splits = JR_SPLITS_OF_TYPE, .measured = BY_HAND},
    [JR_TUNED_ONE_BLOCK][JR_CLASS_ANY] = {.order = 8, .block = 1024, .measured = "no file"},
    /* A warp asks for nothing while it combines what it got: twice as many as usual wait at a time. */
    [JR_TUNED_ROWS][JR_CLASS_ANY] = {.order = 9, .vectors_in_flight = 6144, .measured = "no file"},
    [JR_TUNED_TOURNAMENT][JR_CLASS_ANY] = {.order = 10, .unroll = 1, .measured = "no file"},
    [JR_TUNED_TOURNAMENT_SERIAL][JR_CLASS_ANY] = {.order = 11},
    [JR_TUNED_STRIDED][JR_CLASS_ANY] = {.order = 12, .unroll = 4, .measured = "no file"},
    [JR_TUNED_ATOMIC][JR_CLASS_ANY] = {.order = 13},
    [JR_TUNED_BULK_COPY][JR_CLASS_ANY] = {.order = 14,
                                          .block = 512,
                                          .unroll = 3,
                                          .preferred_from_bytes = MiB(4096),
                                          .measured = "no file, an H200: below, single_pass is as fast or faster"},

    /* Scans. */
    [JR_TUNED_SCAN_BULK_COPY][JR_CLASS_ANY] = {.order = 20,
                                               .block = 576,
                                               .unroll = 5,
                                               .measured =
                                                   "h100/scan_runs.csv:13 13.288, h200/scan_runs.csv:28 11.965"},
    [JR_TUNED_SCAN_BULK_COPY_KEYED][JR_CLASS_ANY] = {.order = 21,
                                                     .block = 448,
                                                     .unroll = 9,
                                                     .measured =
                                                         "h200/segments.csv:11 823.480, h100/segments.csv:11 1085.387; "
                                                         "no file, an H200, f32, 2^28 by keys of i32: 865 us "
                                                         "with 5 loads, 1207 with 9, by 832 threads with 3 935, "
                                                         "a copy of the bytes 761"},
    [JR_TUNED_SCAN_BULK_COPY_EQUAL][JR_CLASS_ANY] = {.order = 22,
                                                     .block = 576,
                                                     .unroll = 7,
                                                     .measured = "h100/cumsum.csv:17 713.691 ((16384,16384) axis 1)"},
    [JR_TUNED_SCAN_BULK_COPY_MARKED][JR_CLASS_ANY] = {.order = 23,
                                                      .block = 768,
                                                      .unroll = 7,
                                                      .measured =
                                                          "h200/segments.csv:47 516.210; no file, an H200, f32, "
                                                          "2^28 by offsets of 4096: squads of 256 threads with "
                                                          "7 loads 528 us, of 192 with 9 585, a copy 506"},
    [JR_TUNED_SCAN_SHORT][JR_CLASS_ANY] = {.order = 19, .block = 256, .unroll = 1, .measured = "no file"},
    [JR_TUNED_WAVE][JR_CLASS_ANY] = {.order = 24, .splits = JR_SPLITS_WAVE, .measured = "h100/graph.csv:22 1.833"},
    [JR_TUNED_SCAN_ONE_BLOCK][JR_CLASS_ANY] = {.order = 25, .block = 512, .measured = "h100/graph.csv:12 1.542"},
    [JR_TUNED_SCAN_SINGLE_PASS][JR_CLASS_ANY] = {.order = 26,
                                                 .splits = JR_SPLITS_SCAN,
                                                 .measured = "h100/scan.csv:77 945.024 (2^28 f32)"},
    [JR_TUNED_SCAN_SEGMENTED][JR_CLASS_ANY] =
        {.order = 27, .splits = JR_SPLITS_SCAN, .measured = "h100/segments.csv:12 2814.912 (2^28 f32 by keys of i32)"},
    [JR_TUNED_SCAN_COLUMNS][JR_CLASS_ANY] = {.order = 28,
                                             .block = 256,
                                             .unroll = 1,
                                             .measured = "h100/cumsum.csv:14 1157.664 ((16384,16384) axis 0)"},
    [JR_TUNED_THREE_PASS][JR_CLASS_ANY] = {.order = 29},
    [JR_TUNED_SCAN_VIEW_SEGMENTED][JR_CLASS_ANY] = {.order = 33, .splits = JR_SPLITS_SCAN, .measured = "no file"},
    [JR_TUNED_SCAN_VIEW_COLUMNS][JR_CLASS_ANY] = {.order = 34, .block = 256, .unroll = 1, .measured = "no file"},

    /* Merges. */
    [JR_TUNED_MERGE][JR_CLASS_ANY] = {.order = 30, .block = 256, .unroll = 1, .measured = "no file"},
    [JR_TUNED_MERGE_SEGMENTS][JR_CLASS_ANY] = {.order = 31, .block = 256, .unroll = 1, .measured = "no file"},
    [JR_TUNED_MEET_SEGMENTS][JR_CLASS_ANY] = {.order = 32, .block = 256, .unroll = 1, .measured = "no file"},

    /* Rows that are applied to. */
    [JR_TUNED_APPLY_LANES][JR_CLASS_ANY] = {.order = 57, .block = 128, .measured = APPLY_MEASURED},
    [JR_TUNED_APPLY_BLOCK][JR_CLASS_ANY] = {.order = 58, .measured = APPLY_MEASURED},
    [JR_TUNED_APPLY_CLUSTER][JR_CLASS_ANY] = {.order = 59,
                                              .measured = "h100/apply_tunings.csv:336 398.912 (log_softmax of 2048 x "
                                                          "65536 f32), read twice h100/apply_tunings.csv:288 544.496"},
    [JR_TUNED_APPLY_LONG][JR_CLASS_ANY] =
        {.order = 60,
         .block = 1024,
         .unroll = 2,
         .measured = "h100/apply_tunings.csv:307 on: by 4 packs up to 5 times as long, of bf16"},

    /* Many arrays: blocks of as many warps as registers hold. */
    [JR_TUNED_MANY_REDUCE][JR_CLASS_ANY] = {.order = 61,
                                            .block = 256,
                                            .unroll = 4,
                                            .vectors_in_flight = 1 << 20,
                                            .measured =
                                                "h100/many.csv:51 1374.688 (1000 arrays of 2^20 f32), flat "
                                                "h100/many.csv:48 1349.579; h100/many.csv:8 14.694 (10000 of 1 Ki)"},
    [JR_TUNED_MANY_APPLY][JR_CLASS_ANY] = {.order = 62,
                                           .block = 256,
                                           .unroll = 8,
                                           .vectors_in_flight = 1 << 20,
                                           .measured =
                                               "h100/many.csv:79 4287.664 (norm and scale, 1000 arrays of 2^20 f32)"},

    /* Segments. */
    [JR_TUNED_SEGMENTED_EXACT][JR_CLASS_ANY] =
        {.order = 40,
         .block = 320, /* two on a multiprocessor: few long segments leave little of the last wave idle */
         .measured = "h100/exact_segments.txt:21 94.04, h100/exact_segments.txt:24 99.71, h100/exact_segments.txt:30 "
                     "95.05 (2^26 f32 in segments of 1024, 4096 and 2^17); no file, by 384 threads, whose registers do "
                     "not hold a tile, 106.7, 105.5 and 99.7"},
    [JR_TUNED_SEGMENTED_SLABS][JR_CLASS_ANY] = {.order = 41, .block = 256, .measured = "no file"},
    [JR_TUNED_SEGMENTED_THREADS][JR_CLASS_ANY] = {.order = 42,
                                                  .block = 128,
                                                  .measured = "h100/columns.csv:35 91.309; no file, sum f32 by blocks "
                                                              "of 256 and of 128 threads: an H200 (3,5*10^7) axis 0 "
                                                              "200.6 and 193.4 us, (64,3,512,512) axis 1 68.3 and "
                                                              "65.5; an H100 267.8 and 269.1, 91.2 and 91.5"},
    [JR_TUNED_SEGMENTED_COLUMNS_ROWS][JR_CLASS_ANY] = {.order = 43},
    [JR_TUNED_SEGMENTED_COLUMNS][JR_CLASS_ANY] = {.order = 44},
    [JR_TUNED_SEGMENTED_SHORT][JR_CLASS_ANY] = {.order = 45},
    [JR_TUNED_SEGMENTED_LANES][JR_CLASS_ANY] = {.order = 46},
    [JR_TUNED_SEGMENTED_WARPS][JR_CLASS_ANY] = {.order = 47, .unroll = 8, .measured = "no file"},
    [JR_TUNED_SEGMENTED_BLOCKS][JR_CLASS_ANY] = {.order = 48},
    [JR_TUNED_SEGMENTED_STEPS][JR_CLASS_ANY] = {.order = 49},
    [JR_TUNED_SEGMENTED_AXES][JR_CLASS_ANY] = {.order = 50},
    [JR_TUNED_SEGMENTED_FLOW][JR_CLASS_ANY] =
        {.order = 51,
         .block = 128,
         .measured = "h100/reduce.csv:23 464.320, h100/reduce.csv:28 415.964 (segments of "
                     "16 and 64); no file, an H100, sum f32, 2^28 by offsets of about 4, "
                     "16, 64, 256 and 4096: 720, 468, 417, 401 and 383 us, by "
                     "segmented_walk 789, 529, 494 (in other runs 460), 579 and 427; 2^24 "
                     "of 16, 64 and 256 41.4, 38.2 and 37.0 (41.4, 38.8 and 50.7); 2^20 "
                     "of 16 12.0 (15.7)"},
    [JR_TUNED_SEGMENTED_WALK][JR_CLASS_ANY] = {.order = 52,
                                               .block = 128,
                                               .measured = "no file, an H200: of 128, 256 and 512 threads the fastest "
                                                           "with short segments"},
    [JR_TUNED_SEGMENTED_RUNS_RING][JR_CLASS_ANY] = {.order = 53,
                                                    .block = 416,
                                                    .unroll = 9,
                                                    .measured =
                                                        "h100/reduce.csv:11 1204.075, h100/reduce.csv:17 744.704 (2^28 "
                                                        "f32 by keys of i32, runs of 1.5 and of 64); no file, 448 "
                                                        "threads 1217 and 754, 480 1257 and 765, 416 with 7 loads 1253 "
                                                        "and 762; two squads that put tiles together in turn, of 608 "
                                                        "threads, 1204 and 745; a copy of the bytes 1187 and 728"},
    [JR_TUNED_SEGMENTED_RUNS][JR_CLASS_ANY] = {.order = 54, .splits = JR_SPLITS_SCAN, .measured = "no file"},
    [JR_TUNED_SEGMENTED_TREE][JR_CLASS_ANY] = {.order = 55},
    [JR_TUNED_SEGMENTED_TREE_AXES][JR_CLASS_ANY] = {.order = 56}};

const jr_tuned_algorithm *jr_tuned_algorithm_of(const jr_device_info *device, jr_tuned_row row) {
    jr_device_class class = jr_tuned_class_of(device);
    while (class != JR_CLASS_ANY && algorithms[row][class].order == 0) class = jr_tuned_class_like(class);
    return &algorithms[row][class];
}
