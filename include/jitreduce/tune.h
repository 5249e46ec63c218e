/* Tuning: measures what suits a device best, and stores it (wisdom) for the plans that follow.
 *
 * Where nothing is stored the estimate chooses, without measuring. Stored tunings are for one operator, type and count
 * each; a plan whose spec has a capacity takes the nearest one (up to four times as many or as few elements), of this
 * machine, else of another device of the same compute capability. Driver, NVRTC and library must be the very same. */
#ifndef JITREDUCE_TUNE_H
#define JITREDUCE_TUNE_H

#include "plan.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { JR_WISDOM_PATH_BYTES = 4096, JR_REASON_BYTES = 512 };

/* Where a context's stored tunings come from. */
typedef struct jr_wisdom_info {
    char path[JR_WISDOM_PATH_BYTES]; /* "": there is no file to look for */
    const char *origin;              /* "option", "setting JITREDUCE_WISDOM", "XDG_DATA_HOME", "HOME", "none" */
    int found;                       /* 1: the file is there */
    char refused[JR_REASON_BYTES]; /* why nothing of it is used: not ours, damaged, made with another driver; else "" */
    uint64_t own_count;            /* tunings of this machine */
    uint64_t usable_count;         /* of other devices of its compute capability */
    uint64_t other_count;          /* of no use here */
} jr_wisdom_info;

/* Writes where the context's stored tunings come from, reading the file if that has not been done.
 * info: written on success only. Owns: nothing; origin is static. Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_OUT_OF_MEMORY; a file that cannot be used is no error. Since: 0.1. */
JR_API jr_status jr_wisdom_info_get(jr_context *context, jr_wisdom_info *info);

#ifdef __cplusplus
}
#endif
#endif
