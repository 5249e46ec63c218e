/* What was meant by a mistyped word. */
#ifndef CLI_SUGGEST_H
#define CLI_SUGGEST_H

#include <stddef.h>

#define SEE_HELP "; see 'jitreduce --help'"

enum { CLI_SUGGEST_BYTES = 64, CLI_HINT_BYTES = 128 };

/* The nearest of the words that were offered so far. */
typedef struct cli_nearest {
    const char *typed;
    char word[CLI_SUGGEST_BYTES]; /* "": none is near */
    size_t distance;
} cli_nearest;

/* Keeps a word when it is nearer than those before: at most one slip away, two where the typed word is long; or one of
 * the two begins the other. */
void cli_nearest_offer(cli_nearest *nearest, const char *word, size_t length);

/* Writes "; did you mean 'BEFOREword'?", or, where nothing is near, "; see 'jitreduce --help'", into CLI_HINT_BYTES.
 * Returns hint. */
const char *cli_nearest_hint(const cli_nearest *nearest, const char *before, char *hint);

/* The hint of the nearest of several words, parted by blanks. */
const char *cli_hint(const char *typed, const char *words, char *hint);

#endif
