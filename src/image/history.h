/* The history: what a program was compiled from the last times, kept in the cache folder, so that a compile can say why
 * the cache had no entry.
 *
 * Small sealed text files, '<key>.jrh': one of the program's name and entry, with its source, constants, headers and
 * options; the same one of each operator of a built-in program; one of the key of its text, with architecture, NVRTC
 * and the files of its include folders. They are read and written when something is compiled, never on a hit. A failure
 * costs the reason, nothing else; the error record of the calling thread stays as it was. */
#ifndef JR_IMAGE_HISTORY_H
#define JR_IMAGE_HISTORY_H

#include "headers/headers.h"
#include "program/key.h"

typedef struct jr_history_of {
    const char *folder; /* the cache's */
    const jr_program_text *text;
    const jr_key *text_key;
    const jr_key_surroundings *surroundings;
    const jr_headers *headers; /* NULL: no include folders */
} jr_history_of;

#define JR_HISTORY_SUFFIX ".jrh"

/* Writes why the cache has no entry: "first compile of this program in this cache", "header a.h changed since its last
 * compile", "unroll factor changed from 4 to 2, ... since its last compile". */
void jr_history_reason(const jr_history_of *of, char reason[JR_COMPILED_BECAUSE_BYTES]);

/* Notes a compile whose image was stored. */
void jr_history_note(const jr_history_of *of);

#endif
