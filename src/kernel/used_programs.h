/* The programs whose kernels a context used, kept for the pack that JITREDUCE_PACK_RECORD asks for. A failure here is
 * logged, and never makes a call fail. */
#ifndef JR_KERNEL_USED_PROGRAMS_H
#define JR_KERNEL_USED_PROGRAMS_H

#include <pthread.h>

#include "base/files.h"
#include "image/architecture.h"
#include "image/pack_form.h"
#include "jitreduce/kernel.h"

typedef struct jr_used_program {
    struct jr_used_program *next;
    jr_program *program; /* a copy, which has an entry */
    jr_key text_key;
    char architecture[JR_ARCHITECTURE_BYTES]; /* of the image that was loaded */
} jr_used_program;

typedef struct jr_used_programs {
    char path[JR_PATH_BYTES];   /* of the pack; free of links up to its name, which begins at `name` */
    char folder[JR_PATH_BYTES]; /* the folder in which it lies */
    const char *name;
    char architectures[JR_PACK_SECTIONS_MAX][JR_PACK_NAME_BYTES]; /* those asked for; none: each image's own */
    uint32_t architecture_count;
    pthread_mutex_t lock; /* guards the rest */
    jr_used_program *list;
} jr_used_programs;

/* NULL: nothing is asked for, or it cannot be done. */
jr_used_programs *jr_used_programs_open(void);
void jr_used_programs_close(jr_used_programs *used); /* NULL is fine */

/* Notes a program whose kernel was loaded from an image for an architecture. used: NULL: nothing is done. Any thread.
 */
void jr_used_programs_note(jr_used_programs *used, const jr_program *program, const jr_key *text_key,
                           const char *architecture);

#endif
