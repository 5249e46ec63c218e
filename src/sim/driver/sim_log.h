/* The log: the simulator reports there what is allowed but suspicious, and what a traced kernel does. */
#ifndef JRS_DRIVER_LOG_H
#define JRS_DRIVER_LOG_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { JRS_LOG_NOTES = 256 };

typedef struct jrs_log {
    pthread_mutex_t lock;
    FILE *file;                    /* NULL: standard error */
    uint64_t notes[JRS_LOG_NOTES]; /* hashes of the notes that were logged */
    unsigned note_count;
} jrs_log;

/* Opens the file that the setting JRSIM_LOG names, for the process's life. False when that cannot be: then why, which
 * has JRS_WHY_BYTES, says so. */
bool jrs_log_open(jrs_log *log, char *why);

/* Likewise, the file that JRSIM_ROUNDS names; log->file stays NULL where none is named. */
bool jrs_rounds_open(jrs_log *log, char *why);
/* The callback of a launch's rounds, with that log as user. Any thread. */
void jrs_rounds_line(void *user, const char *text);

/* Both are callbacks of a launch, with the log as user. A note on an instruction is written once in a process, as long
 * as there are no more than JRS_LOG_NOTES; a line is written as it is. Any thread. */
void jrs_log_note(void *user, const char *text);
void jrs_log_line(void *user, const char *text);

#endif
