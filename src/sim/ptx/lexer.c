/* Characters and words of PTX text. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ptx_source.h"

static bool starts(const jrs_parser *parser, const char *text) {
    size_t length = strlen(text);
    return (size_t)(parser->end - parser->at) >= length && memcmp(parser->at, text, length) == 0;
}

static void skip_comment(jrs_parser *parser) {
    parser->at += 2;
    while (parser->at < parser->end && !starts(parser, "*/")) parser->line += *parser->at++ == '\n';
    if (parser->at == parser->end) jrs_parse_fail(parser, "a comment without an end");
    parser->at += 2;
}

static void skip_line(jrs_parser *parser) {
    while (parser->at < parser->end && *parser->at != '\n') parser->at++;
}

void jrs_lex_skip(jrs_parser *parser) {
    while (parser->at < parser->end) {
        if (*parser->at == '\n') parser->line++;
        if (isspace((unsigned char)*parser->at) || *parser->at == 0)
            parser->at++;
        else if (starts(parser, "//"))
            skip_line(parser);
        else if (starts(parser, "/*"))
            skip_comment(parser);
        else
            return;
    }
}

char jrs_lex_peek(jrs_parser *parser) {
    jrs_lex_skip(parser);
    return parser->at < parser->end ? *parser->at : '\0';
}

bool jrs_lex_accept(jrs_parser *parser, char c) {
    if (jrs_lex_peek(parser) != c) return false;
    parser->at++;
    return true;
}

void jrs_lex_expect(jrs_parser *parser, char c) {
    char found = jrs_lex_peek(parser);
    if (found == c)
        parser->at++;
    else if (found)
        jrs_parse_fail(parser, "'%c' expected, '%c' found", c, found);
    else
        jrs_parse_fail(parser, "'%c' expected, but the text ends", c);
}

static bool name_start(char c) {
    return isalpha((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

static bool name_part(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* ".x" of %tid.x, and not of a longer word. */
static bool at_component(const jrs_parser *parser) {
    const char *at = parser->at;
    ptrdiff_t left = parser->end - at;
    return left >= 2 && at[0] == '.' && at[1] >= 'w' && at[1] <= 'z' && (left == 2 || !name_part(at[2]));
}

const char *jrs_lex_name(jrs_parser *parser) {
    if (!name_start(jrs_lex_peek(parser))) return NULL;
    const char *start = parser->at++;
    while (parser->at < parser->end && name_part(*parser->at)) parser->at++;
    if (*start == '%' && at_component(parser)) parser->at += 2;
    return jrs_parse_string(parser, start, (size_t)(parser->at - start));
}

const char *jrs_lex_expect_name(jrs_parser *parser, const char *what) {
    const char *name = jrs_lex_name(parser);
    if (!name) jrs_parse_fail(parser, "%s expected", what);
    return name;
}

const char *jrs_lex_directive(jrs_parser *parser) {
    jrs_lex_expect(parser, '.');
    const char *start = parser->at;
    while (parser->at < parser->end && name_part(*parser->at)) parser->at++;
    if (parser->at == start) jrs_parse_fail(parser, "a directive or type expected after '.'");
    return jrs_parse_string(parser, start, (size_t)(parser->at - start));
}

/* Skips one character, or a whole string. */
static void skip_one(jrs_parser *parser) {
    if (*parser->at == '"') {
        do parser->line += *parser->at++ == '\n';
        while (parser->at < parser->end && *parser->at != '"');
    }
    if (parser->at < parser->end) parser->at++;
}

void jrs_lex_until(jrs_parser *parser, char c) {
    while (jrs_lex_peek(parser) && *parser->at != c) skip_one(parser);
    jrs_lex_expect(parser, c);
}

/* The rest of { ... }. */
static void skip_braces(jrs_parser *parser) {
    for (uint64_t depth = 1; depth; skip_one(parser)) {
        char c = jrs_lex_peek(parser);
        if (!c) jrs_parse_fail(parser, "'}' expected, but the text ends");
        depth += c == '{';
        depth -= c == '}';
    }
}

bool jrs_lex_pass(jrs_parser *parser) {
    char c;
    while ((c = jrs_lex_peek(parser)) != ';' && c != '{' && c) parser->at++;
    if (c) parser->at++;
    if (c == '{') skip_braces(parser);
    return c == '{';
}

bool jrs_lex_aside(jrs_parser *parser, const char *directive) {
    if (strcmp(directive, "file") == 0) {
        jrs_source_file(parser);
        skip_line(parser);
    } else if (strcmp(directive, "loc") == 0) {
        jrs_source_loc(parser);
        skip_line(parser);
    } else if (strcmp(directive, "pragma") == 0) {
        jrs_lex_until(parser, ';');
    } else if (strcmp(directive, "section") == 0) {
        jrs_lex_until(parser, '{');
        skip_braces(parser);
    } else {
        return false;
    }
    return true;
}

const char *jrs_lex_label(jrs_parser *parser) {
    if (!name_start(jrs_lex_peek(parser))) return NULL;
    const char *start = parser->at, *end = start;
    const uint32_t line = parser->line;
    while (end < parser->end && name_part(*end)) end++;
    parser->at = end;
    if (jrs_lex_accept(parser, ':') && (parser->at == parser->end || *parser->at != ':'))
        return jrs_parse_string(parser, start, (size_t)(end - start));
    parser->at = start;
    parser->line = line;
    return NULL;
}

static bool bits_literal(jrs_parser *parser, jrs_operand *operand) {
    char letter = parser->end - parser->at > 2 && *parser->at == '0' ? (char)tolower((unsigned char)parser->at[1]) : 0;
    int digits = letter == 'f' ? 8 : letter == 'd' ? 16 : 0;
    if (!digits || parser->end - parser->at < digits + 2) return false;
    operand->kind = digits == 8 ? JRS_OPERAND_FLOAT32 : JRS_OPERAND_FLOAT64;
    operand->bits = 0;
    parser->at += 2;
    for (int i = 0; i < digits; i++) {
        char c = *parser->at++;
        if (!isxdigit((unsigned char)c)) jrs_parse_fail(parser, "a float literal needs %d hexadecimal digits", digits);
        operand->bits = operand->bits << 4 | (uint64_t)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
    }
    return true;
}

static void decimal_literal(jrs_parser *parser, jrs_operand *operand, const char *start, size_t length) {
    char digits[64] = "";
    if (length >= sizeof digits) jrs_parse_fail(parser, "a number of %zu digits", length);
    memcpy(digits, start, length);
    char *rest;
    if (strpbrk(digits, ".eE") && digits[1] != 'x' && digits[1] != 'X') {
        double value = strtod(digits, &rest);
        operand->kind = JRS_OPERAND_FLOAT64;
        memcpy(&operand->bits, &value, sizeof value);
    } else {
        const bool binary = digits[0] == '0' && (digits[1] == 'b' || digits[1] == 'B');
        operand->kind = JRS_OPERAND_INTEGER;
        errno = 0;
        operand->bits = strtoull(binary ? digits + 2 : digits, &rest, binary ? 2 : 0);
        if (errno == ERANGE) jrs_parse_fail(parser, "'%s' has more than 64 bits", digits);
    }
    if (*rest == 'U' || *rest == 'u') rest++;
    if (*rest) jrs_parse_fail(parser, "'%s' is not a number", digits);
}

bool jrs_lex_number(jrs_parser *parser, jrs_operand *operand) {
    if (!isdigit((unsigned char)jrs_lex_peek(parser))) return false;
    if (bits_literal(parser, operand)) return true;
    const char *start = parser->at;
    bool hex = parser->end - start > 1 && (start[1] | 32) == 'x';
    while (parser->at < parser->end) {
        bool exponent_sign = !hex && (*parser->at == '+' || *parser->at == '-') && (parser->at[-1] | 32) == 'e';
        if (!isalnum((unsigned char)*parser->at) && *parser->at != '.' && !exponent_sign) break;
        parser->at++;
    }
    decimal_literal(parser, operand, start, (size_t)(parser->at - start));
    return true;
}

int64_t jrs_lex_integer(jrs_parser *parser) {
    jrs_operand number = {0};
    bool negative = jrs_lex_accept(parser, '-');
    if (!negative) jrs_lex_accept(parser, '+');
    if (!jrs_lex_number(parser, &number) || number.kind != JRS_OPERAND_INTEGER)
        jrs_parse_fail(parser, "an integer expected");
    return (int64_t)(negative ? -number.bits : number.bits);
}

uint32_t jrs_lex_count(jrs_parser *parser, uint32_t least, uint32_t most, const char *what) {
    const int64_t count = jrs_lex_integer(parser);
    if (count < least || count > most)
        jrs_parse_fail(parser, "%lld %s: %u to %u are possible", (long long)count, what, least, most);
    return (uint32_t)count;
}
