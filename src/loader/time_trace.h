/* NVRTC's time trace of one compile, as a file in the folder that the setting JITREDUCE_TIME_TRACE names.
 *
 * NVRTC ends the process when it cannot write the trace. So it writes into memory, by a link that stands in the folder
 * for as long as the compile takes, and the file is written here. A trace that cannot be had is logged, and no failure;
 * the error record of the calling thread stays as it is. */
#ifndef JR_LOADER_TIME_TRACE_H
#define JR_LOADER_TIME_TRACE_H

#include <stdbool.h>

#include "base/files.h"
#include "nvrtc.h"

typedef struct jr_time_trace {
    int memory; /* -1: no trace is made */
    char folder[JR_PATH_BYTES], name[256];
    char link[JR_PATH_BYTES];
    char option[JR_PATH_BYTES + 32]; /* for NVRTC */
} jr_time_trace;

/* Begins a trace, FOLDER/PROGRAM-KEY.json. False: none is asked for, or none can be made. key: of the image, in hex. */
bool jr_time_trace_begin(const jr_nvrtc *nvrtc, const char *program, const char *key, jr_time_trace *trace);

/* Writes the file; a trace that was not begun is fine. */
void jr_time_trace_end(jr_time_trace *trace);

#endif
