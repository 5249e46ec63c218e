/* The tokens of an expression that may name columns: `unit price` * qty > 3 && city == "Berlin". */
#ifndef CLI_NAME_TOKENS_H
#define CLI_NAME_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum cli_token_kind {
    CLI_TOKEN_END,
    CLI_TOKEN_WORD, /* an identifier of C */
    CLI_TOKEN_NAME, /* a name between backticks */
    CLI_TOKEN_TEXT, /* a text between quotes, single or double */
    CLI_TOKEN_SIGN,
    CLI_TOKEN_OPEN, /* a quote that is not closed */
    CLI_TOKEN_OTHER /* numbers, bytes beyond ASCII */
} cli_token_kind;

/* begin, length: with the quotes. */
typedef struct cli_token {
    cli_token_kind kind;
    const char *begin;
    size_t length;
} cli_token;

/* The first token at or after a place; its end is the place for the next call. */
cli_token cli_token_next(const char *at);

/* Whether a token is one of these signs, which blanks separate. */
bool cli_token_is_sign(const cli_token *token, const char *signs);

#endif
