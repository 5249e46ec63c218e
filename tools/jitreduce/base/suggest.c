/* Finds the nearest word by counting slips: a letter too many, missing, wrong, or two swapped (optimal string
 * alignment). Capitals do not count. */
#include "suggest.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { LONG_WORD = 7, WHOLE_PREFIX = 3 };

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

static bool is_same(char a, char b) {
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Slips between two words shorter than CLI_SUGGEST_BYTES. */
static size_t count_slips(const char *a, size_t a_length, const char *b, size_t b_length) {
    size_t rows[3][CLI_SUGGEST_BYTES];
    size_t *older = rows[0], *old = rows[1], *now = rows[2];
    for (size_t j = 0; j <= b_length; j++) now[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t *free_row = older;
        older = old;
        old = now;
        now = free_row;
        now[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            now[j] = least(least(old[j] + 1, now[j - 1] + 1), old[j - 1] + !is_same(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && is_same(a[i - 1], b[j - 2]) && is_same(a[i - 2], b[j - 1]))
                now[j] = least(now[j], older[j - 2] + 1);
        }
    }
    return now[b_length];
}

void cli_nearest_offer(cli_nearest *nearest, const char *word, size_t length) {
    const size_t typed = strlen(nearest->typed), common = least(typed, length);
    if (typed >= CLI_SUGGEST_BYTES || length >= CLI_SUGGEST_BYTES) return;
    size_t distance = count_slips(nearest->typed, typed, word, length);
    const size_t most = typed < LONG_WORD ? 1 : 2;
    const bool begins = common >= WHOLE_PREFIX && strncasecmp(nearest->typed, word, common) == 0;
    if ((distance > most || distance >= typed) && !begins) return;
    if (distance > most) distance = most + 1;
    if (nearest->word[0] != '\0' && nearest->distance <= distance) return;
    nearest->distance = distance;
    memcpy(nearest->word, word, length);
    nearest->word[length] = '\0';
}

const char *cli_nearest_hint(const cli_nearest *nearest, const char *before, char *hint) {
    if (nearest->word[0] == '\0') return SEE_HELP;
    snprintf(hint, CLI_HINT_BYTES, "; did you mean '%s%s'?", before, nearest->word);
    return hint;
}

const char *cli_hint(const char *typed, const char *words, char *hint) {
    cli_nearest nearest = {.typed = typed};
    for (const char *word = words + strspn(words, " "); *word != '\0';) {
        const size_t length = strcspn(word, " ");
        cli_nearest_offer(&nearest, word, length);
        word += length + strspn(word + length, " ");
    }
    return cli_nearest_hint(&nearest, "", hint);
}
