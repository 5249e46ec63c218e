/* Characters in UTF-8. */
#ifndef CLI_UTF8_H
#define CLI_UTF8_H

#include <stddef.h>

/* How many bytes the character at `at` has in UTF-8 (RFC 3629, section 4); 0: it is no character. */
size_t cli_utf8_bytes(const unsigned char *at, size_t left);

#endif
