/* Characters in UTF-8. */
#ifndef CLI_UTF8_H
#define CLI_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* What to do with a text that is not UTF-8. */
#define CLI_LATIN_ADVICE "; the text is not UTF-8: iconv -f LATIN1 -t UTF-8 makes one that is"

/* Whether a text is UTF-8. */
bool cli_is_utf8(const char *at, const char *end);

/* How many bytes the character at `at` has in UTF-8 (RFC 3629, section 4); 0: it is no character. */
size_t cli_utf8_bytes(const unsigned char *at, size_t left);

#endif
