/* Compiled code in the disk cache: the folder `native` of the cache's, under the rules of that. */
#ifndef JRS_NATIVE_STORE_H
#define JRS_NATIVE_STORE_H

#include <stddef.h>

#include "base/digest.h"

/* Returns the bytes of the library stored under a key, malloc'd; NULL if it is missing, damaged or not ours. */
void *jrs_native_store_read(const uint8_t key[JR_DIGEST_BYTES], size_t *count);

/* A failure costs time only, and is not reported. */
void jrs_native_store_write(const uint8_t key[JR_DIGEST_BYTES], const void *bytes, size_t count);

#endif
