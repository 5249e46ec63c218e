/* The recorder as it is inside: only its own files look at members. */
#ifndef JR_KERNEL_RECORDER_INSIDE_H
#define JR_KERNEL_RECORDER_INSIDE_H

#include <pthread.h>
#include <stdatomic.h>

#include "device/capture.h"
#include "launch_file.h"

/* A program that was compiled or found, by the key of its image. */
typedef struct jr_recorder_note_entry {
    struct jr_recorder_note_entry *next;
    uint8_t key[JR_DIGEST_BYTES];
    jr_text program; /* as jr_launch_file_put_program makes it */
    bool chosen;     /* its names fit the pattern */
} jr_recorder_note_entry;

typedef struct jr_recorder {
    const jr_device *device;
    jr_captures *captures;
    char folder[JR_PATH_BYTES];
    const char *pattern; /* points into the folder's text, after the folder; "*": all kernels */
    char wish[JR_PATH_BYTES];
    uint64_t bytes_most, count_most;
    atomic_bool full;     /* no more files */
    pthread_mutex_t lock; /* guards the notes, and the numbers of files within the process */
    jr_recorder_note_entry *notes;
} jr_recorder;

enum { JR_RECORDED_ARGUMENTS_MAX = 4096 }; /* bytes of parameters, and so their number */

/* What a kernel needs to be recorded. */
typedef struct jr_recorded {
    jr_recorder *recorder;
    jr_image *image;
    jr_kernel_parameter *parameters;
    size_t parameter_count;
} jr_recorded;

#endif
