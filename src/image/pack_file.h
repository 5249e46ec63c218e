/* A pack file that is open for reading: its head in memory, its images read one at a time when they are asked for.
 *
 * Nothing in it is believed before it was checked: the head when the file is opened, a dictionary and an image when
 * they are read. The file is read, not mapped: one that is cut short meanwhile is an error, and no signal. */
#ifndef JR_IMAGE_PACK_FILE_H
#define JR_IMAGE_PACK_FILE_H

#include <pthread.h>
#include <stdbool.h>

#include "image.h"
#include "loader/zstd.h"
#include "pack_form.h"

typedef struct jr_pack_section {
    const char *architecture; /* "sm_90" */
    int number;               /* 90 */
    uint32_t first, count;    /* rows */
    uint64_t dictionary_at, dictionary_bytes;
    const uint8_t *dictionary_digest;
    uint8_t *dictionary;    /* NULL: not read yet; guarded by the file's lock */
    void *_Atomic prepared; /* the same, as zstd wants it for many; NULL: not yet */
} jr_pack_section;

typedef struct jr_pack_file {
    char path[JR_PATH_BYTES];
    int file;
    uint64_t bytes;
    uint8_t *head;
    const uint8_t *rows;
    const char *library, *compiler; /* the version that made it; NVRTC's */
    bool compressed;
    jr_zstd zstd; /* open where it is compressed */
    uint32_t section_count, row_count;
    jr_pack_section sections[JR_PACK_SECTIONS_MAX];
    pthread_mutex_t lock; /* guards the rest */
    void *unpacker;       /* zstd's, that nobody is using; NULL: none */
} jr_pack_file;

/* Opens a pack and verifies its head. The file must belong to this user or to root, and no other user may have write
 * permission. Errors: JR_ERROR_FILE (the file cannot be read, or others could have written it), JR_ERROR_PACK (it is
 * not a pack, is damaged or truncated, or was made by another version), JR_ERROR_MISSING_FUNCTION (it is compressed,
 * and no zstd is found), JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_pack_file_open(const char *path, jr_pack_file **pack);
void jr_pack_file_close(jr_pack_file *pack); /* NULL is fine */

/* Finds the row of a program's text in a section; JR_PACK_ROWS_MAX: it has none. */
uint32_t jr_pack_file_find(const jr_pack_file *pack, const jr_pack_section *section, const jr_key *text_key);

/* Reads and verifies the image of a row of a section; the caller frees it.
 * Errors: JR_ERROR_PACK, JR_ERROR_FILE, JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_pack_file_read(jr_pack_file *pack, jr_pack_section *section, uint32_t row, jr_image **image);

/* Reads and verifies every image. Errors: as jr_pack_file_read. */
jr_status jr_pack_file_verify(jr_pack_file *pack);

/* Bytes of a row's image, unpacked. */
uint64_t jr_pack_file_image_bytes(const jr_pack_file *pack, uint32_t row);

#endif
