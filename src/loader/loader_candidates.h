/* Candidates: the places in which a library may lie, in the order of trying, with the reason why each lost. */
#ifndef JR_LOADER_LOADER_CANDIDATES_H
#define JR_LOADER_LOADER_CANDIDATES_H

#include <stdbool.h>
#include <stddef.h>

#include "jitreduce/status.h"

typedef struct jr_candidate {
    char *origin; /* "setting JITREDUCE_NVRTC", "already loaded", "CUDA_HOME", "next to jitreduce", "linker", "toolkit
                   * folder", "wheel" */
    char *path;
    bool chosen;
    char *detail; /* why it lost, or the version; NULL: not looked at yet */
} jr_candidate;

typedef struct jr_candidates {
    jr_candidate *items;
    size_t count, capacity;
    bool failed; /* out of memory while adding; the list is cut short */
} jr_candidates;

void jr_candidates_add(jr_candidates *list, const char *origin, const char *path);
void jr_candidates_explain(jr_candidates *list, size_t index, bool chosen, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* All lost candidates as one text, a line each, for the message of "not found" errors; malloc'd, may be NULL. */
char *jr_candidates_text(const jr_candidates *list);
void jr_candidates_free(jr_candidates *list);

#endif
