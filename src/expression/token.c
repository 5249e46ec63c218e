/* Cuts an expression into tokens. */
#include "token.h"

#include <string.h>

#define DIGITS     "0123456789"
#define HEX_DIGITS DIGITS "abcdefABCDEF"
#define LETTERS    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"

/* Signs of more than one character; a longer one stands before those it begins with, as the longest match counts.
 * Source: C++17 standard, [lex.operators], [lex.digraph], [lex.trigraph] of C++14, [lex.comment]; "<<<" is CUDA's. */
static const char *const long_signs[] = {
    "%:%:", "<<<", "<<=", ">>=", "<=>", "->*", "?\?=", "?\?/", "?\?'", "?\?(", "?\?)", "?\?!", "?\?<", "?\?>", "?\?-",
    "<<",   ">>",  "<=",  ">=",  "==",  "!=",  "&&",   "||",   "++",   "--",   "->",   ".*",   "::",   "+=",   "-=",
    "*=",   "/=",  "%=",  "&=",  "|=",  "^=",  "//",   "/*",   "*/",   "%:",   "%>",   "<%",   "<:",   ":>",
};

/* The length of a C or C++ number at a place, 0 when none stands there. It ends where its grammar does: C's wider
 * "preprocessing number" would hide the name in 0x1e+name, which compilers cut in different ways. */
static size_t number_length(const char *text) {
    const bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const bool binary = text[0] == '0' && (text[1] == 'b' || text[1] == 'B');
    const char *const digits = hex ? HEX_DIGITS : DIGITS;
    const char *at = text + (hex || binary ? 2 : 0);
    size_t count = strspn(at, digits);
    at += count;
    if (*at == '.' && !binary) {
        const size_t fraction = strspn(++at, digits);
        at += fraction;
        count += fraction;
    }
    if (count == 0) return 0;
    if (*at != '\0' && strchr(hex ? "pP" : "eE", *at) != NULL) {
        const char *exponent = at + 1 + (at[1] == '+' || at[1] == '-');
        const size_t length = strspn(exponent, DIGITS);
        if (length > 0) at = exponent + length;
    }
    return (size_t)(at + strspn(at, "uUlLfF") - text);
}

static jr_token number(const char *at) {
    const size_t length = number_length(at);
    const size_t rest = strspn(at + length, LETTERS DIGITS ".");
    return (jr_token){rest == 0 ? JR_TOKEN_NUMBER : JR_TOKEN_WRONG_NUMBER, at, length + rest};
}

static jr_token sign(const char *at) {
    for (size_t i = 0; i < sizeof long_signs / sizeof long_signs[0]; i++)
        if (strncmp(at, long_signs[i], strlen(long_signs[i])) == 0)
            return (jr_token){JR_TOKEN_SIGN, at, strlen(long_signs[i])};
    return (jr_token){JR_TOKEN_SIGN, at, 1};
}

jr_token jr_token_next(const char *at) {
    at += strspn(at, " ");
    if (*at == '\0') return (jr_token){JR_TOKEN_END, at, 0};
    if (*at < ' ' || *at > '~') return (jr_token){JR_TOKEN_BYTE, at, 1};
    if (strchr(LETTERS, *at) != NULL) return (jr_token){JR_TOKEN_WORD, at, strspn(at, LETTERS DIGITS)};
    if (strchr(DIGITS, *at) != NULL || (*at == '.' && at[1] != '\0' && strchr(DIGITS, at[1]) != NULL))
        return number(at);
    return sign(at);
}

bool jr_token_is_one_of(jr_token token, const char *spellings) {
    for (size_t length; *spellings != '\0'; spellings += length + (spellings[length] == ' ')) {
        length = strcspn(spellings, " ");
        if (length == token.length && memcmp(spellings, token.text, length) == 0) return true;
    }
    return false;
}

bool jr_token_is_identifier(const char *text, size_t most) {
    if (text == NULL || text[0] == '\0' || strchr(DIGITS, text[0]) != NULL) return false;
    const size_t length = strspn(text, LETTERS DIGITS);
    return length <= most && text[length] == '\0';
}
