/* Tunable kernels: a kernel of the caller's with parameters whose best values are found by measuring, and stored.
 *
 * A parameter is a constant of the program, `#define BLOCK 256` before its source, that may have one of several values.
 * Grid, block, shared memory and restrictions are formulas (jr_formula_compute) that know, the later before the earlier
 * where two have one name: the device's WARP, MULTIPROCESSORS, CAPABILITY (90 of 9.0), THREADS_MAX (of a block),
 * SHARED_MAX (bytes that a block can ask for) and L2_BYTES; the program's constants; the problem's sizes; the
 * parameters.
 *
 * What was found is stored in the context's file of tunings (tune.h, "wisdom"), for a device, a tunable and a problem's
 * sizes. Source of the idea: S. Heldens, B. van Werkhoven, "Kernel Launcher: C++ Library for Optimal-Performance
 * Portable CUDA Applications" (2023). */
#ifndef JITREDUCE_TUNABLE_H
#define JITREDUCE_TUNABLE_H

#include "kernel.h"
#include "tune.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Computes a formula: + - * / %, < <= > >= == != (1 or 0), ! && || with C's precedence, parentheses, ceil(x),
 * min(x, ...), max(x, ...), numbers (decimal or 0x, C's suffixes allowed) and names, whose texts are formulas; of names
 * that stand twice the last one counts. Division drops the fraction as C does, but not within ceil(), which is exact.
 * text: not NULL. names: name_count of them; NULL for none. value: written on success only.
 * Owns: nothing. Threads: any. Errors: JR_ERROR_INVALID_ARGUMENT: what is no formula, an unknown name, a division by 0,
 * a number that does not fit into 64 bits, formulas nested deeper than 64; the message has the formula. Since: 0.2. */
JR_API jr_status jr_formula_compute(const char *text, const jr_named_text *names, size_t name_count, int64_t *value);

enum {
    JR_TUNABLE_PARAMETERS_MAX = 16,
    JR_TUNABLE_SIZES_MAX = 8,
    JR_SETTING_BYTES = 512,
    JR_TUNABLE_SETTINGS_MOST = 16384
};

/* A kernel with parameters. JR_INIT(jr_tunable), then set program, parameters, grid and block. Nothing is kept of it
 * after a call: another one with the same texts is the same tunable. */
typedef struct jr_tunable {
    size_t size;                     /* sizeof(jr_tunable) */
    const jr_program *program;       /* its name is that of the tunable; parameters become further constants */
    const jr_named_text *parameters; /* 1 to JR_TUNABLE_PARAMETERS_MAX: a name and its values, "1,2,4,8", "1..16",
                                      * "32..1024*2" (32, 64, ... up to 1024), "0..64+16", or several of these with
                                      * commas between; whole numbers, each at most once */
    size_t parameter_count;
    const char *const *restrictions; /* formulas, "BLOCK * UF <= 4096": a setting is possible where none is 0 */
    size_t restriction_count;
    const char *const *sizes; /* names of the problem's sizes, "N"; JR_TUNABLE_SIZES_MAX at most; may be none */
    size_t size_count;
    const char *grid;      /* "X[,Y[,Z]]" of formulas: "ceil(N / (BLOCK * UF))" */
    const char *block;     /* likewise: "BLOCK", "TILE,TILE" */
    const char *shared;    /* dynamic shared bytes of a block, a formula; NULL: 0 */
    const char *preferred; /* a setting, "BLOCK=256,UF=4": what is used where nothing was found, and what others are
                            * compared with; NULL: the first possible one, of values in their order, the last
                            * parameter's going round first */
} jr_tunable;

/* One value for each parameter. Keeps its size in all versions. */
typedef struct jr_tunable_setting {
    int64_t values[JR_TUNABLE_PARAMETERS_MAX]; /* in the order of the parameters */
    char text[JR_SETTING_BYTES];               /* "BLOCK=256,UF=4" */
    double us;                                 /* of a run: the median; 0: not measured */
    double gain;                               /* the preferred one's median in the same rounds over this one's */
    char failure[JR_REASON_BYTES]; /* why it is out: it does not compile, does not fit the device, or its output is
                                    * wrong; else "" */
    uint64_t reserved[8];          /* 0 */
} jr_tunable_setting;

/* Device memory that the kernel writes. Keeps its layout in all versions. */
typedef struct jr_tunable_output {
    void *address; /* of device memory */
    uint64_t bytes;
    const void *expected;      /* host memory: what a run leaves there; NULL: what the preferred setting leaves */
    jr_type type;              /* of its elements where they may differ: f32 or f64; 0: every byte is the same */
    double absolute, relative; /* then: |got - expected| <= absolute + relative * |expected|, or both are NaN */
} jr_tunable_output;

/* What is run while tuning. JR_INIT(jr_tunable_problem). */
typedef struct jr_tunable_problem {
    size_t size;          /* sizeof(jr_tunable_problem) */
    const int64_t *sizes; /* one for each name, 1 or more each */
    void **args;          /* pointers to the arguments, as jr_kernel_launch takes them, for every setting the same */
    const jr_tunable_output *outputs;
    size_t output_count; /* 0: nothing is verified but that the kernel ends */
} jr_tunable_problem;

/* How far a search is. */
typedef struct jr_tunable_progress {
    size_t size;            /* as large as the library that is running knows it */
    uint64_t done, planned; /* settings, and about how many there will be */
    int begins;             /* 1: setting will be tried now; 0: it was */
    const jr_tunable_setting *setting;
    const jr_tunable_setting *best; /* so far; NULL: none is better than the preferred one */
} jr_tunable_progress;

/* How to search. JR_INIT(jr_tunable_options), then set what matters. */
typedef struct jr_tunable_options {
    size_t size;                        /* sizeof(jr_tunable_options) */
    double limit_ms;                    /* as in jr_tune_options */
    uint64_t settings_most;             /* how many are tried, up to JR_TUNABLE_SETTINGS_MOST; 0: 1024 */
    const jr_tunable_setting *excluded; /* whose values are not tried, and count as failed with their failure */
    size_t excluded_count;
    int (*progress)(void *user, const jr_tunable_progress *progress); /* as in jr_tune_options, before and after each;
                                                                       * the best ones begin twice */
    void *user;                                                       /* passed through */
} jr_tunable_options;

/* What was found for one problem. */
typedef struct jr_tunable_found {
    size_t size;                  /* sizeof(jr_tunable_found) */
    jr_tunable_setting preferred; /* us is its median in the last measurement */
    jr_tunable_setting best;      /* the preferred one, unless better: the one that won, measured beside it */
    int better;                   /* 1: best is faster by 1 % or more, and their quartiles are apart */
    int complete;                 /* 1: all that was planned was tried; 0: the time was over, or it was stopped */
    uint64_t measured, failed;    /* settings */
    uint64_t possible; /* settings that meet all restrictions, as far as they were counted (2^16 are looked at) */
} jr_tunable_found;

/* Finds the best setting for a problem: each one is compiled, run once on the outputs as they are when the call begins,
 * held against what is expected, and measured beside the preferred one. First come settings in an order of chance, then
 * the neighbours of the best. While times are taken the kernel runs on what it wrote before; when the call ends the
 * outputs are as they were. Stored settings are neither read nor written.
 * options: NULL for all defaults. found: written on success only. Owns: nothing. Threads: any; what runs at the same
 * time disturbs. Errors: JR_ERROR_INVALID_ARGUMENT (what is wrong with a text; no setting meets the restrictions; the
 * preferred one's output is not what is expected), those of jr_kernel_get and jr_kernel_launch for the preferred
 * setting, JR_ERROR_OUT_OF_MEMORY. A setting that fails is no error, unless it was a fault of the device, which ends
 * the context: then the message begins with the setting; go on with a new context, and the setting among
 * options.excluded. Since: 0.2. */
JR_API jr_status jr_tunable_tune(jr_context *context, const jr_tunable *tunable, const jr_tunable_problem *problem,
                                 const jr_tunable_options *options, jr_tunable_found *found);

/* Stores what was found, as jr_tuned_store does. sizes: those of the problem. A file with settings is of format 3,
 * which earlier versions leave alone. Owns: nothing. Threads: any. Errors: as jr_tuned_store. Since: 0.2. */
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

/* Gets the kernel of the setting that was stored for the sizes that are nearest (the sum of the distances of their
 * logarithms), on this machine, else on another device of the same compute capability; where there is none, or it is
 * not possible for these sizes, of the preferred setting. choice: written on success only. Owns: the kernel is the
 * context's. Threads: any. Errors: JR_ERROR_INVALID_ARGUMENT (as of jr_tunable_tune), those of jr_kernel_get,
 * JR_ERROR_OUT_OF_MEMORY. Since: 0.2. */
JR_API jr_status jr_tunable_get(jr_context *context, const jr_tunable *tunable, const int64_t *sizes,
                                jr_tunable_choice *choice);

#ifdef __cplusplus
}
#endif
#endif
