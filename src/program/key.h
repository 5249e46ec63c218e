/* The key: a digest of everything that decides what a program compiles to. */
#ifndef JR_PROGRAM_KEY_H
#define JR_PROGRAM_KEY_H

#include "base/digest.h"
#include "program.h"

/* The surroundings of a compile: all strings, so that this stage knows nothing of NVRTC's types. */
typedef struct jr_key_surroundings {
    const char *architecture; /* "sm_90" */
    int nvrtc_major, nvrtc_minor;
    const char *nvrtc_build; /* "13.0.88", or the ELF build id */
    const uint8_t *headers;  /* the digest of what was found in include folders; NULL: there are no such folders */
} jr_key_surroundings;

typedef struct jr_key {
    uint8_t bytes[JR_DIGEST_BYTES];
} jr_key;

/* The key of the text alone: of what the program compiles to, whoever compiles it, for whatever device. */
void jr_key_of_text(const jr_program_text *text, jr_key *key);

/* text_key: that of this text. */
void jr_key_of(const jr_program_text *text, const jr_key *text_key, const jr_key_surroundings *surroundings,
               jr_key *key);

#endif
