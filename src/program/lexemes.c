/* Steps over lexemes. What is said here of NVRTC was tried with NVRTC 13.0: it cuts skipped groups (#if 0) by the same
 * rules as live ones, but for digit separators, which it takes there for the beginning of a character. */
#include "lexemes.h"

#include <string.h>

jr_lexing jr_lexing_of(int standard) {
    return (jr_lexing){.raw_strings = standard >= 11, .separators = standard >= 14, .trigraphs = standard < 17};
}

const char *jr_lexeme_past_mark(const char *text) {
    return strncmp(text, "\xef\xbb\xbf", 3) == 0 ? text + 3 : text;
}

/* The length of a backslash; 0: none stands here. */
static size_t backslash(const jr_lexing *lexing, const char *at) {
    if (*at == '\\') return 1;
    return lexing->trigraphs && strncmp(at, "?\?/", 3) == 0 ? 3 : 0;
}

size_t jr_lexeme_splice(const jr_lexing *lexing, const char *at) {
    const size_t length = backslash(lexing, at);
    if (length == 0) return 0;
    if (at[length] == '\n') return length + 1;
    return at[length] == '\r' && at[length + 1] == '\n' ? length + 2 : 0;
}

static const char *past_splices(const jr_lexing *lexing, const char *at) {
    for (size_t splice; (splice = jr_lexeme_splice(lexing, at)) > 0;) at += splice;
    return at;
}

/* The end of the line that a directive stands on, splices within; or of a comment that begins here. */
static const char *line_end(const jr_lexing *lexing, const char *at) {
    for (;;) {
        at += strcspn(at, "\n\\?");
        if (*at == '\0' || *at == '\n') return at;
        const size_t splice = jr_lexeme_splice(lexing, at);
        at += splice > 0 ? splice : 1;
    }
}

const char *jr_lexeme_past_comment(const jr_lexing *lexing, const char *at) {
    if (*at != '/') return at;
    const char *sign = past_splices(lexing, at + 1);
    if (*sign == '/') return line_end(lexing, sign);
    if (*sign != '*') return at;
    for (const char *end = sign + 1; (end = strchr(end, '*')) != NULL;) {
        end = past_splices(lexing, end + 1);
        if (*end == '/') return end + 1;
    }
    return at + strlen(at);
}

const char *jr_lexeme_past_blanks(const jr_lexing *lexing, const char *at) {
    for (;;) {
        const char *next = at + strspn(at, " \t\v\f\r");
        next = past_splices(lexing, next);
        next = jr_lexeme_past_comment(lexing, next);
        if (next == at) return at;
        at = next;
    }
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_word_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '$' ||
           (unsigned char)c >= 0x80;
}

bool jr_lexeme_word(const jr_lexing *lexing, const char *at, char word[JR_LEXEME_WORD_BYTES], const char **end) {
    size_t length = 0;
    if (!is_word_character(*at) || is_digit(*at)) return false;
    while (is_word_character(*at)) {
        if (length + 1 < JR_LEXEME_WORD_BYTES) word[length++] = *at;
        at++;
        const char *next = past_splices(lexing, at);
        if (is_word_character(*next)) at = next;
    }
    word[length] = '\0';
    *end = at;
    return true;
}

/* Past a number as the preprocessor has it, [lex.ppnumber]. */
static const char *number_end(const jr_lexing *lexing, const char *at) {
    for (char last = ' ';; last = *at++) {
        at = past_splices(lexing, at);
        const char *next = past_splices(lexing, at + (*at != '\0'));
        const bool sign = (*at == '+' || *at == '-') && strchr(lexing->trigraphs ? "eE" : "eEpP", last) != NULL;
        const bool separator = lexing->separators && *at == '\'' && is_word_character(*next);
        if (!is_word_character(*at) && *at != '.' && !sign && !separator) return at;
    }
}

/* Past the suffix of a literal, which is no prefix of another one: "a"R"(b)" is "a"R and "(b)". */
static const char *past_suffix(const jr_lexing *lexing, const char *at) {
    char word[JR_LEXEME_WORD_BYTES];
    const char *end = at;
    if (lexing->raw_strings) jr_lexeme_word(lexing, past_splices(lexing, at), word, &end);
    return end;
}

/* Past a literal in quotes; at its first one. */
static const char *literal_end(const jr_lexing *lexing, const char *at) {
    const char quote = *at++;
    for (;;) {
        at = past_splices(lexing, at);
        if (*at == '\0' || *at == '\n') return at;
        if (*at == quote) return past_suffix(lexing, at + 1);
        const size_t escape = backslash(lexing, at);
        if (escape > 0) at = past_splices(lexing, at + escape);
        if (*at != '\0' && *at != '\n') at++;
    }
}

/* The end of a raw string that begins at this quote; NULL: it is not a raw string. Lines are not spliced within one. */
static const char *raw_end(const jr_lexing *lexing, const char *at) {
    enum { DELIMITER_MAX = 16 };
    char close[DELIMITER_MAX + 3] = ")";
    size_t length = 1;
    for (at = past_splices(lexing, at + 1); *at != '('; at = past_splices(lexing, at + 1)) {
        if (*at == '\0' || strchr(" )\\\t\v\f\n\"", *at) != NULL || length > DELIMITER_MAX) return NULL;
        close[length++] = *at;
    }
    close[length] = '"';
    const char *end = strstr(at, close);
    return end != NULL ? past_suffix(lexing, end + length + 1) : at + strlen(at);
}

static bool is_raw_prefix(const char *word) {
    static const char *const prefixes[] = {"R", "u8R", "uR", "UR", "LR"};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (strcmp(word, prefixes[i]) == 0) return true;
    return false;
}

const char *jr_lexeme_end(const jr_lexing *lexing, const char *at) {
    char word[JR_LEXEME_WORD_BYTES];
    const char *end = at, *raw = NULL;
    if (jr_lexeme_word(lexing, at, word, &end)) {
        const char *quote = past_splices(lexing, end);
        if (lexing->raw_strings && *quote == '"' && is_raw_prefix(word)) raw = raw_end(lexing, quote);
        return raw != NULL ? raw : end;
    }
    if (*at == '"' || *at == '\'') return literal_end(lexing, at);
    if (is_digit(*at) || (*at == '.' && is_digit(*past_splices(lexing, at + 1)))) return number_end(lexing, at);
    return at + (*at != '\0');
}
