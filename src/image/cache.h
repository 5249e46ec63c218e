/* The disk cache: one folder, one file for each key.
 *
 * It can only ever save time: a folder that cannot be used makes a cache that is off, a damaged entry is a miss and is
 * removed, a failed write is counted and logged. No function here touches the error record of the calling thread,
 * except jr_cache_open when it fails. All of them may be called by many threads and processes at once. */
#ifndef JR_IMAGE_CACHE_H
#define JR_IMAGE_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/place.h"
#include "image.h"

typedef struct jr_cache jr_cache;

/* Chooses the folder, touching nothing. explicit_folder: from options; NULL: search; "": off. */
void jr_cache_place_of(const char *explicit_folder, jr_place *place);

/* Opens the cache; makes its folder. explicit_folder: as above. cap_bytes: 0: the setting, else 256 MiB.
 * Errors: JR_ERROR_OUT_OF_MEMORY only. */
jr_status jr_cache_open(const char *explicit_folder, uint64_t cap_bytes, jr_cache **cache);
void jr_cache_close(jr_cache *cache); /* NULL is fine */

/* Finds the image of a key: true and *image (to be freed with jr_image_free) on a hit, false and *image NULL on a miss.
 * A hit makes the entry the most recently used one. */
bool jr_cache_read(jr_cache *cache, const uint8_t key[JR_DIGEST_BYTES], jr_image **image);

/* True if the cache has a file for a key, whatever is in it. */
bool jr_cache_has(const jr_cache *cache, const uint8_t key[JR_DIGEST_BYTES]);

/* Stores an image under its key, then removes the least recently used entries beyond the cap. The status is for
 * information only (JR_ERROR_CACHE; JR_OK if the cache is off): a failure is already counted and logged. */
jr_status jr_cache_write(jr_cache *cache, const jr_image *image);

/* Removes the entry of a key, if there is one: the driver would not load it. */
void jr_cache_drop(jr_cache *cache, const uint8_t key[JR_DIGEST_BYTES]);

const char *jr_cache_folder(const jr_cache *cache);    /* "" when off */
const jr_place *jr_cache_place(const jr_cache *cache); /* with the reason why it is off */
uint64_t jr_cache_failures(const jr_cache *cache);     /* damaged entries, failed reads and writes */

#endif
