/* Tunable kernels: a kernel of the caller's with parameters whose best values are found by measuring, and stored.
 * Manual: tunable.md.
 *
 * A parameter is a constant of the program (`#define BLOCK 256` before its source) with several possible values. Grid,
 * block, shared memory and restrictions are formulas (jr_formula_compute). A formula can use the following names; if
 * two are equal, the later kind counts: the device's WARP, MULTIPROCESSORS, CAPABILITY (90 for 9.0), THREADS_MAX (per
 * block), SHARED_MAX (bytes that a block can request) and L2_BYTES; the program's constants; the problem's sizes; the
 * parameters.
 *
 * The result is stored in the context's file of tunings (jitreduce/tune.h, "wisdom"), for a device, a tunable and a
 * problem's sizes. Source of the idea: S. Heldens, B. van Werkhoven, "Kernel Launcher: C++ Library for
 * Optimal-Performance Portable CUDA Applications" (2023). */
#ifndef JITREDUCE_TUNABLE_H
#define JITREDUCE_TUNABLE_H

#include "kernel.h"
#include "tune.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Computes a formula: + - * / %, < <= > >= == != (1 or 0), ! && || with C's precedence, parentheses, ceil(x), min(x,
 * ...), max(x, ...), numbers (decimal or 0x, with C's suffixes) and names, whose texts are formulas. Division drops the
 * fraction as C does, except within ceil(), which is exact.
 *
 * text: the formula.
 * names: `name_count` names with their formulas; if a name occurs twice, the last one counts; may be NULL if
 *   `name_count` is 0.
 * name_count: how many names.
 * value: where the value is written, on success only.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT (not a formula, an unknown name, a division by 0, a number that does not fit into
 *   64 bits, formulas nested deeper than 64; the message has the formula).
 * Since: 0.2. */
JR_API jr_status jr_formula_compute(const char *text, const jr_named_text *names, size_t name_count, int64_t *value);

enum {
    JR_TUNABLE_PARAMETERS_MAX = 16,
    JR_TUNABLE_SIZES_MAX = 8,
    JR_SETTING_BYTES = 512,
    JR_TUNABLE_SETTINGS_MOST = 16384
};

/* A kernel with parameters. JR_INIT(jr_tunable), then set program, parameters, grid and block. No call keeps a pointer
 * to it: two with the same texts are the same tunable. */
typedef struct jr_tunable {
    size_t size;                     /* sizeof(jr_tunable) */
    const jr_program *program;       /* its name is the tunable's name; parameters become additional constants */
    const jr_named_text *parameters; /* 1 to JR_TUNABLE_PARAMETERS_MAX: a name and its values, "1,2,4,8", "1..16",
                                      * "32..1024*2" (32, 64, ... up to 1024), "0..64+16", or several of these,
                                      * separated by commas; whole numbers, each at most once */
    size_t parameter_count;
    const char *const *restrictions; /* formulas, "BLOCK * UF <= 4096"; a setting is possible if all are not 0 */
    size_t restriction_count;
    const char *const *sizes; /* names of the problem's sizes, "N"; at most JR_TUNABLE_SIZES_MAX; NULL if size_count is
                               * 0 */
    size_t size_count;
    const char *grid;      /* formulas "X[,Y[,Z]]": "ceil(N / (BLOCK * UF))" */
    const char *block;     /* formulas "X[,Y[,Z]]": "BLOCK", "TILE,TILE" */
    const char *shared;    /* dynamic shared bytes per block, a formula; NULL: 0 */
    const char *preferred; /* a setting, "BLOCK=256,UF=4", that is used if no result is stored, and with which others
                            * are compared; NULL: the first possible setting, with values in their order, the last
                            * parameter varying fastest */
} jr_tunable;

/* One value for each parameter. Keeps its size in all versions. */
typedef struct jr_tunable_setting {
    int64_t values[JR_TUNABLE_PARAMETERS_MAX]; /* in the order of the parameters */
    char text[JR_SETTING_BYTES];               /* "BLOCK=256,UF=4" */
    double us;                                 /* median time of a run, in microseconds; 0: not measured */
    double gain;                   /* the preferred setting's median in the same rounds, divided by this one's */
    char failure[JR_REASON_BYTES]; /* why it was rejected: it does not compile, does not fit the device, or its output
                                    * is wrong; else "" */
    uint64_t reserved[8];          /* 0 */
} jr_tunable_setting;

/* Device memory that the kernel writes. Keeps its layout in all versions. */
typedef struct jr_tunable_output {
    void *address; /* device memory */
    uint64_t bytes;
    const void *expected;      /* host memory: the expected bytes after a run; NULL: those of the preferred setting */
    jr_type type;              /* f32 or f64: elements are compared with a tolerance; 0: all bytes must be equal */
    double absolute, relative; /* the tolerance: |got - expected| <= absolute + relative * |expected|, or both NaN */
} jr_tunable_output;

/* The problem that is run while tuning. JR_INIT(jr_tunable_problem), then set its members. */
typedef struct jr_tunable_problem {
    size_t size;          /* sizeof(jr_tunable_problem) */
    const int64_t *sizes; /* one per name in jr_tunable.sizes, 1 or more each */
    void **args;          /* pointers to the arguments, as jr_kernel_launch takes them, the same for every setting */
    const jr_tunable_output *outputs;
    size_t output_count; /* 0: only that the kernel ends is verified */
} jr_tunable_problem;

/* Progress of a search. */
typedef struct jr_tunable_progress {
    size_t size;            /* the size in the library that runs; members beyond it must not be read */
    uint64_t done, planned; /* settings tried, and about how many there will be */
    int begins;             /* 1: `setting` will be tried now; 0: it was tried */
    const jr_tunable_setting *setting;
    const jr_tunable_setting *best; /* the best so far; NULL: the preferred one */
} jr_tunable_progress;

/* How to search. JR_INIT(jr_tunable_options), then set what matters. */
typedef struct jr_tunable_options {
    size_t size;                        /* sizeof(jr_tunable_options) */
    double limit_ms;                    /* as in jr_tune_options */
    uint64_t settings_most;             /* how many are tried at most, up to JR_TUNABLE_SETTINGS_MOST; 0: 1024 */
    const jr_tunable_setting *excluded; /* settings that are not tried, and count as failed with their `failure` */
    size_t excluded_count;
    int (*progress)(void *user, const jr_tunable_progress *progress); /* called before and after each setting (the best
                                                                       * ones are tried twice); a result other than 0
                                                                       * stops the search. NULL: no calls */
    void *user;                                                       /* passed to each call of progress */
} jr_tunable_options;

/* The result of a search for one problem. */
typedef struct jr_tunable_found {
    size_t size;                  /* sizeof(jr_tunable_found) */
    jr_tunable_setting preferred; /* us is its median in the last measurement */
    jr_tunable_setting best;      /* the fastest setting if better is 1, otherwise the preferred one */
    int better;                   /* 1: best is faster by 1 % or more, and their quartiles do not overlap */
    int complete; /* 1: all planned settings were tried; 0: the time limit or `progress` ended the search */
    uint64_t measured, failed; /* how many settings */
    uint64_t possible;         /* settings that meet all restrictions, among the first 2^16 */
} jr_tunable_found;

/* Finds the best setting for a problem. Each setting is compiled, run once on the outputs as they are when the call
 * begins, compared with what is expected, and measured in comparison with the preferred one: first settings in random
 * order, then the neighbours of the best. While times are measured, the kernel runs on what it wrote before; when the
 * call ends, the outputs are as they were at its begin. Stored settings are neither read nor written. Other work that
 * runs at the same time disturbs the measurement.
 *
 * A setting that fails is not an error, unless it was a fault of the device, which ends the context: the message then
 * begins with the setting. Continue with a new context, and add the setting to options.excluded.
 *
 * tunable: read before the call returns.
 * problem: read before the call returns; its outputs are device memory of the context.
 * options: NULL: all defaults.
 * found: `size` must be set; the rest is written, on success only.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT (what is wrong with a text; no setting meets the restrictions; the preferred
 *   setting's output is not as expected), JR_ERROR_OUT_OF_MEMORY, those of jr_kernel_get and jr_kernel_launch for the
 *   preferred setting.
 * Since: 0.2. */
JR_API jr_status jr_tunable_tune(jr_context *context, const jr_tunable *tunable, const jr_tunable_problem *problem,
                                 const jr_tunable_options *options, jr_tunable_found *found);

/* Stores the result of a search in the context's file, where jr_tunable_get finds it. The file is written completely or
 * not at all; other tunings in it are kept. A file with settings has format 3, which earlier versions ignore.
 *
 * tunable: the one given to jr_tunable_tune.
 * sizes: those of the problem.
 * found: from jr_tunable_tune.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_WISDOM (no file is configured), JR_ERROR_FILE, JR_ERROR_OUT_OF_MEMORY.
 * Since: 0.2. */
JR_API jr_status jr_tunable_store(jr_context *context, const jr_tunable *tunable, const int64_t *sizes,
                                  const jr_tunable_found *found);

/* A kernel for a problem's sizes, ready to be launched. */
typedef struct jr_tunable_choice {
    size_t size; /* sizeof(jr_tunable_choice) */
    jr_kernel *kernel;
    jr_launch launch; /* set its stream */
    jr_tunable_setting setting;
    char why[JR_REASON_BYTES]; /* "wisdom of N=1024", "wisdom of N=1024 on NVIDIA H100", "preferred" */
} jr_tunable_choice;

/* Gets the kernel with the setting that is stored for the nearest sizes (the least sum of differences of logarithms):
 * of this machine, else of another device of the same compute capability. If no setting is stored, or the stored one is
 * not possible for these sizes, the preferred setting is used.
 *
 * tunable: read before the call returns.
 * sizes: one per name in tunable->sizes, 1 or more each.
 * choice: `size` must be set; the rest is written, on success only.
 *
 * Owns: the context; the kernel is valid until the context is closed, and must not be destroyed.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT (what is wrong with a text; no setting meets the restrictions),
 *   JR_ERROR_OUT_OF_MEMORY, those of jr_kernel_get.
 * Since: 0.2. */
JR_API jr_status jr_tunable_get(jr_context *context, const jr_tunable *tunable, const int64_t *sizes,
                                jr_tunable_choice *choice);

#ifdef __cplusplus
}
#endif
#endif
