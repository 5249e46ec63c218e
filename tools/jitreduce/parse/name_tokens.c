/* Cuts expressions into tokens, as far as the names of columns need it: the library checks the rest. */
#include "name_tokens.h"

#include <ctype.h>
#include <string.h>

static const char word_characters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

/* The length with the closing quote; 0: it is not closed. In a text a backslash makes a character of the next quote. */
static size_t quoted_length(const char *at) {
    const char quote = *at;
    for (size_t i = 1; at[i] != '\0'; i++) {
        if (at[i] == quote) return i + 1;
        i += quote != '`' && at[i] == '\\' && at[i + 1] != '\0';
    }
    return 0;
}

static size_t sign_length(const char *at) {
    static const char *const signs[] = {"==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "->", "::"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strncmp(at, signs[i], 2) == 0) return 2;
    return 1;
}

cli_token cli_token_next(const char *at) {
    at += strspn(at, " ");
    const char c = *at;
    const size_t word = strspn(at, word_characters);
    if (c == '\0') return (cli_token){CLI_TOKEN_END, at, 0};
    if (c == '`' || c == '"' || c == '\'') {
        const size_t length = quoted_length(at);
        const cli_token_kind kind = length == 0 ? CLI_TOKEN_OPEN : c == '`' ? CLI_TOKEN_NAME : CLI_TOKEN_TEXT;
        return (cli_token){kind, at, length > 0 ? length : strlen(at)};
    }
    const bool number = isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)at[1]));
    if (number) return (cli_token){CLI_TOKEN_OTHER, at, 1 + strspn(at + 1, "0123456789abcdefABCDEFxXpPuUlL.")};
    if (word > 0) return (cli_token){CLI_TOKEN_WORD, at, word};
    if ((unsigned char)c >= 0x80) return (cli_token){CLI_TOKEN_OTHER, at, 1};
    return (cli_token){CLI_TOKEN_SIGN, at, sign_length(at)};
}

bool cli_token_is_sign(const cli_token *token, const char *signs) {
    if (token->kind != CLI_TOKEN_SIGN) return false;
    for (const char *at = signs; *at != '\0'; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");
        if (length == token->length && strncmp(at, token->begin, length) == 0) return true;
        at += length;
    }
    return false;
}
