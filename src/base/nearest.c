/* Counts slips between words. */
#include "nearest.h"

#include <ctype.h>
#include <stdbool.h>

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static bool is_spelled_alike(const char *a, const char *b, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (tolower((unsigned char)a[i]) != tolower((unsigned char)b[i])) return false;
    return true;
}

size_t jr_nearest_slips(const char *a, size_t a_length, const char *b, size_t b_length) {
    size_t rows[3][JR_NEAREST_BYTES];
    size_t *older = rows[0], *old = rows[1], *now = rows[2];
    if (a_length >= JR_NEAREST_BYTES || b_length >= JR_NEAREST_BYTES) return JR_NEAREST_BYTES;
    if (a_length == b_length && is_spelled_alike(a, b, a_length)) return 0;
    for (size_t j = 0; j <= b_length; j++) now[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t *free_row = older;
        older = old;
        old = now;
        now = free_row;
        now[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            now[j] = least(least(old[j] + 1, now[j - 1] + 1), old[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], older[j - 2] + 1);
        }
    }
    return now[b_length];
}

size_t jr_nearest_most(size_t length) {
    enum { LONG_WORD = 7 };
    return length < LONG_WORD ? length > 1 : 2;
}
