/* What the tests of the disk cache share: a folder for each test, a kept log, and sample entries. */
#ifndef TESTS_SUPPORT_CACHE_CASE_H
#define TESTS_SUPPORT_CACHE_CASE_H

#include <stdbool.h>

#include "image/cache.h"
#include "support/sample_image.h"
#include "support/scratch.h"

extern char cache_top[SCRATCH_BYTES];        /* the test's folder */
extern char cache_folder[2 * SCRATCH_BYTES]; /* the cache's, below it; not made yet */
extern char cache_log[8192];                 /* what was logged, a line each */

/* Setup and teardown. The teardown asserts that the error record is as it was: no cache function may change it. */
int cache_case_begin(void **state);
int cache_case_end(void **state);

jr_cache *cache_open(const char *path, uint64_t cap_bytes);

/* Stores the sample image of a number under its key, about 200 bytes more than its cubin. */
jr_status cache_store(jr_cache *cache, int number, size_t cubin_bytes);

/* Reads an entry; asserts that a hit is the sample image. */
bool cache_hits(jr_cache *cache, int number);

/* The path of the entry of a number, as scratch_path. */
const char *cache_entry_path(int number);

void cache_assert_logged(const char *text);

#endif
