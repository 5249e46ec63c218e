/* The recorder writes launches of a context to files, if JITREDUCE_CAPTURE asks for it (replay.h). A failure here is
 * logged, and never makes a call fail. */
#ifndef JR_KERNEL_RECORDER_H
#define JR_KERNEL_RECORDER_H

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

/* NULL: nothing is asked for, or it cannot be done. device, captures: must outlive it. */
jr_recorder *jr_recorder_open(const jr_device *device, jr_captures *captures);
void jr_recorder_close(jr_recorder *recorder); /* NULL is fine */

/* Notes the program that an image was made of. recorder: NULL: nothing is done. Any thread. */
void jr_recorder_note(jr_recorder *recorder, const uint8_t key[JR_DIGEST_BYTES], const jr_program *program);

/* Is a kernel of this image to be recorded? NULL: not, or recorder is NULL. Any thread. */
jr_recorded *jr_recorder_take(jr_recorder *recorder, const jr_image *image);
void jr_recorded_free(jr_recorded *recorded); /* NULL is fine */

/* Launches, and records that if it can. The context is current. Errors: those of jr_launch_run. */
jr_status jr_recorded_launch(const jr_recorded *recorded, jr_cu_function function, const jr_launch *launch,
                             void **args);

/* Writes a captured launch into the folder, under the next free number, unless that is full. */
jr_status jr_recorder_store(jr_recorder *recorder, const jr_replay *launch);

#endif
