/* The recorder writes launches of a context to files, if JITREDUCE_CAPTURE asks for it (replay.h). A failure here is
 * logged, and never makes a call fail. */
#ifndef JR_KERNEL_RECORDER_H
#define JR_KERNEL_RECORDER_H

#include "recorder_inside.h"

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
