/* Writes packs: images of programs, sorted, compressed with a dictionary for each architecture, and sealed. */
#ifndef JR_IMAGE_PACK_WRITE_H
#define JR_IMAGE_PACK_WRITE_H

#include <stdbool.h>

#include "image.h"
#include "pack_form.h"

typedef struct jr_pack_item {
    jr_key text_key;
    uint32_t section; /* index of its architecture */
    jr_image *image;  /* under the key that jr_pack_key gives */
} jr_pack_item;

/* What becomes a pack. */
typedef struct jr_pack_content {
    const char *const *architectures; /* in the order of strcmp, each shorter than JR_PACK_NAME_BYTES */
    uint32_t architecture_count;      /* 1 to JR_PACK_SECTIONS_MAX */
    jr_pack_item *items;              /* sorted by this; none twice */
    uint32_t item_count;              /* up to JR_PACK_ROWS_MAX */
    const char *compiler;
    bool plain; /* not compressed, so that no zstd is needed, here or where it is read */
} jr_pack_content;

/* Writes folder/name whole or not at all; *bytes: its size. Errors: JR_ERROR_FILE, JR_ERROR_PACK (an image or all of
 * them are too large), JR_ERROR_MISSING_FUNCTION (no zstd), JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_pack_content_write(const jr_pack_content *content, const char *folder, const char *name, uint64_t *bytes);

#endif
