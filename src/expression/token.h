/* Tokens: the words, numbers and operators of an expression, as the CUDA compiler would cut it. */
#ifndef JR_EXPRESSION_TOKEN_H
#define JR_EXPRESSION_TOKEN_H

#include <stdbool.h>
#include <stddef.h>

typedef enum jr_token_kind {
    JR_TOKEN_END,
    JR_TOKEN_WORD,         /* a name or a keyword */
    JR_TOKEN_NUMBER,       /* 3, 1e-3f, 0x1p3, .5, 10ull */
    JR_TOKEN_WRONG_NUMBER, /* begins like a number but is not one: 1e, 1.0.0, 3x */
    JR_TOKEN_SIGN,         /* an operator, a bracket, or any other printable character */
    JR_TOKEN_BYTE          /* a control character, or a byte beyond ASCII */
} jr_token_kind;

typedef struct jr_token {
    jr_token_kind kind;
    const char *text; /* into the expression, length bytes */
    size_t length;
} jr_token;

/* The first token at or after a place; its end is the place for the next call. Only blanks separate tokens. */
jr_token jr_token_next(const char *at);

/* Whether a token is one of the words of a list that blanks separate. */
bool jr_token_is_one_of(jr_token token, const char *spellings);

/* True if a text is a C identifier of at most so many characters; false for NULL. */
bool jr_token_is_identifier(const char *text, size_t most);

#endif
