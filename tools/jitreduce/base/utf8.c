/* Recognises characters of UTF-8. */
#include "utf8.h"

bool cli_is_utf8(const char *at, const char *end) {
    size_t bytes = 1;
    for (; at < end && bytes > 0; at += bytes) bytes = cli_utf8_bytes((const unsigned char *)at, (size_t)(end - at));
    return bytes > 0;
}

size_t cli_utf8_bytes(const unsigned char *at, size_t left) {
    const unsigned char first = at[0];
    const size_t bytes = first < 0x80   ? 1
                         : first < 0xc2 ? 0
                         : first < 0xe0 ? 2
                         : first < 0xf0 ? 3
                         : first < 0xf5 ? 4
                                        : 0;
    if (bytes == 0 || bytes > left) return 0;
    for (size_t i = 1; i < bytes; i++)
        if ((at[i] & 0xc0) != 0x80) return 0;
    if ((first == 0xe0 && at[1] < 0xa0) || (first == 0xed && at[1] > 0x9f)) return 0; /* overlong; a surrogate */
    if ((first == 0xf0 && at[1] < 0x90) || (first == 0xf4 && at[1] > 0x8f)) return 0; /* overlong; beyond the last */
    return bytes;
}
