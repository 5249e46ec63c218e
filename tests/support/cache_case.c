/* What the tests of the disk cache share. */
#include "support/cache_case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"

char cache_top[SCRATCH_BYTES];        /* the test's folder */
char cache_folder[2 * SCRATCH_BYTES]; /* the cache's, below it; not made yet */
char cache_log[8192];

static void log_keep(void *user, jr_log_level level, const char *line) {
    (void)user, (void)level;
    size_t length = strlen(cache_log);
    snprintf(cache_log + length, sizeof cache_log - length, "%s\n", line);
}

int cache_case_begin(void **state) {
    (void)state;
    scratch_make(cache_top);
    snprintf(cache_folder, sizeof cache_folder, "%s/cache", cache_top);
    *cache_log = '\0';
    jr_log_set(log_keep, NULL);
    jr_fail(JR_OK, "untouched"); /* no cache function may change it */
    return 0;
}

int cache_case_end(void **state) {
    (void)state;
    jr_log_set(NULL, NULL);
    assert_string_equal(jr_last_error()->message, "untouched");
    scratch_remove(cache_top);
    return 0;
}

jr_cache *cache_open(const char *path, uint64_t cap_bytes) {
    jr_cache *cache = NULL;
    assert_int_equal(jr_cache_open(path, cap_bytes, &cache), JR_OK);
    assert_non_null(cache);
    return cache;
}

jr_status cache_store(jr_cache *cache, int number, size_t cubin_bytes) {
    jr_image *image = sample_image(number, cubin_bytes);
    jr_status status = jr_cache_write(cache, image);
    jr_image_free(image);
    return status;
}

/* Reads an entry; a hit must be the sample image. */
bool cache_hits(jr_cache *cache, int number) {
    uint8_t key[JR_DIGEST_BYTES];
    jr_image *image = (jr_image *)&image;
    sample_key(key, number);
    bool hit = jr_cache_read(cache, key, &image);
    assert_int_equal(hit, image != NULL);
    if (!hit || !image) return false;
    assert_string_equal(image->entry, "reduce_f32");
    assert_memory_equal(image->key, key, sizeof key);
    jr_image_free(image);
    return true;
}

const char *cache_entry_path(int number) {
    uint8_t key[JR_DIGEST_BYTES];
    char hex[JR_DIGEST_HEX_BYTES], name[JR_DIGEST_HEX_BYTES + 8];
    sample_key(key, number);
    jr_digest_hex(key, hex);
    snprintf(name, sizeof name, "%s.jri", hex);
    return scratch_path(cache_folder, name);
}

void cache_assert_logged(const char *text) {
    if (!strstr(cache_log, text)) fail_msg("the log lacks '%s':\n%s", text, cache_log);
}
