/* Precompiled headers: what NVRTC (from 12.8 on) makes of a program's includes is kept in the disk cache, and programs
 * with the same includes begin with it. It can only save time: the image is the same, and wherever something is not as
 * it must be, the compile does without.
 *
 * NVRTC maps such a file where it was made: in its own heap, at an address that differs between processes, with
 * pointers into the library itself. So the compiler record of a cache folder has a place, chosen at random once. Each
 * process that opens NVRTC for that folder has the library mapped there, and its heap next to it when it is first
 * needed. */
#ifndef JR_PCH_PCH_H
#define JR_PCH_PCH_H

#include "base/key_lock.h"
#include "headers/headers.h"
#include "loader/nvrtc.h"
#include "pch_text.h"

typedef struct jr_pch jr_pch;

typedef enum jr_pch_part {
    JR_PCH_NONE, /* the compile is one without precompiled headers */
    JR_PCH_MAKE, /* it writes a file on its way */
    JR_PCH_USE   /* it begins with one */
} jr_pch_part;

/* What decides whether one program's compile can share a file with another's, besides the text. */
typedef struct jr_pch_request {
    const jr_nvrtc *nvrtc;
    const jr_program_text *text;
    const jr_headers *headers; /* NULL: the program has none */
    const char *architecture;
} jr_pch_request;

/* One compile's part. */
typedef struct jr_pch_turn {
    jr_pch *pch;
    jr_pch_part part;
    jr_pch_text text; /* NVRTC is given this one, unless the part is JR_PCH_NONE */
    uint8_t key[JR_DIGEST_BYTES];
    jr_key_lock claim; /* of the making of the key's file */
    char path[JR_PATH_BYTES];
    char option[JR_PATH_BYTES + 16];
} jr_pch_turn;

/* Given with the option: NVRTC's warnings about precompiled headers, which would be errors under --Werror. */
#define JR_PCH_QUIET_OPTION "--diag-suppress=629,630,20282,20283"

/* cache_folder: the disk cache's, "": it is off. *pch stays NULL where there are to be no precompiled headers.
 * Errors: JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_pch_open(const char *cache_folder, jr_pch **pch);
void jr_pch_close(jr_pch *pch); /* NULL is fine */

/* Decides what part a compile has. Waits while another thread makes a file: NVRTC reads one program at a time. pch:
 * NULL is fine. */
void jr_pch_begin(jr_pch *pch, const jr_pch_request *request, jr_pch_turn *turn);

/* Ends a compile's part. worked: the file was written, or begun with. compiled: the program was compiled. */
void jr_pch_end(jr_pch_turn *turn, bool worked, bool compiled);

#endif
