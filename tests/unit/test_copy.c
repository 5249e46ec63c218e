/* Copies past the cache are copies, at every alignment and length, and write nothing else. */
#include <string.h>

#include "base/copy.h"
#include "support/fixtures/check.h"

enum { MOST = 300, GUARD = 0xa5 };

static unsigned char from[MOST + 64], to[MOST + 192];

static void assert_copied(size_t skip, size_t offset, size_t bytes) {
    memset(to, GUARD, sizeof to);
    jr_copy_past_cache(to + offset, from + skip, bytes);
    assert_memory_equal(to + offset, from + skip, bytes);
    for (size_t i = 0; i < sizeof to; i++)
        if ((i < offset || i >= offset + bytes) && to[i] != GUARD)
            fail_msg("byte %zu was written, beside %zu from %zu on", i, bytes, offset);
}

TEST(bytes_are_copied_at_every_alignment_and_length) {
    for (size_t i = 0; i < sizeof from; i++) from[i] = (unsigned char)(i * 7 + i / 256);
    for (size_t bytes = 0; bytes <= MOST; bytes++)
        for (size_t offset = 64; offset < 128; offset += 1 + bytes / 64) assert_copied(bytes % 5, offset, bytes);
}

RUN_TESTS(NULL, NULL)
