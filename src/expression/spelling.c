/* Finds out by a token's neighbours what was meant by it. Source of the characters: Unicode 15, UTF-8. */
#include "spelling.h"

#include <string.h>

#include "refused.h"

static bool is_digit(char character) {
    return character >= '0' && character <= '9';
}

static char before(const char *text, jr_token token) {
    return token.text > text ? token.text[-1] : '\0';
}

static jr_token next_of(jr_token token) {
    return jr_token_next(token.text + token.length);
}

bool jr_spelling_begins_operand(jr_token token) {
    return token.kind != JR_TOKEN_END && (token.kind != JR_TOKEN_SIGN || jr_token_is_one_of(token, "( + - ! ~ * & &&"));
}

/* ---- tokens ---- */

/* Characters that look like operators, or that word processors put in place of them. */
static const struct {
    const char *character, *advice;
} characters[] = {
    {"\xe2\x89\xa5", "it is no sign of C: write >="},
    {"\xe2\x89\xa4", "it is no sign of C: write <="},
    {"\xe2\x89\xa0", "it is no sign of C: write !="},
    {"\xe2\x88\x92", "it is no sign of C: write -, the minus of the keyboard"},
    {"\xe2\x80\x93", "it is no sign of C: write -, the minus of the keyboard"},
    {"\xc3\x97", "it is no sign of C: write *"},
    {"\xc2\xb7", "it is no sign of C: write *"},
    {"\xe2\x8b\x85", "it is no sign of C: write *"},
    {"\xc3\xb7", "it is no sign of C: write /"},
    {"\xc2\xb2", "C has no powers: write x*x or pow(x, 2)"},
    {"\xc2\xb3", "C has no powers: write x*x*x or pow(x, 3)"},
    {"\xe2\x88\x9a", "it is no sign of C: write sqrt(x)"},
    {"\xe2\x88\x9e", "it is no sign of C: write INFINITY"},
    {"\xcf\x80", "it is no name of C: write 3.141592653589793"},
    {"\xe2\x88\xa7", "it is no sign of C: write &&"},
    {"\xe2\x88\xa8", "it is no sign of C: write ||"},
    {"\xc2\xac", "it is no sign of C: write !"},
    {"\xe2\x86\x92", "an arrow is no sign of C: write the value alone, as x * x"},
    {"\xe2\x87\x92", "an arrow is no sign of C: write the value alone, as x * x"},
    {"\xc2\xa0", "it is a blank that does not break: write one of the keyboard"},
};

static const char *advise_byte(jr_token token) {
    for (size_t i = 0; i < sizeof characters / sizeof *characters; i++)
        if (strncmp(token.text, characters[i].character, strlen(characters[i].character)) == 0)
            return characters[i].advice;
    return "write printable ASCII characters on one line";
}

/* 2024-01-31 without blanks: the tokens of two differences. */
static bool begins_date(jr_token token) {
    static const char form[] = "dddd-dd-dd";
    size_t at = 0;
    while (form[at] != '\0' && (form[at] == 'd' ? is_digit(token.text[at]) : token.text[at] == form[at])) at++;
    return token.length == 4 && form[at] == '\0' && !is_digit(token.text[at]);
}

static const char *advise_number(jr_token token) {
    if (begins_date(token))
        return "a date is no number, and 2024-12-31 is 2024 minus 12 minus 31: compare numbers as 20241231, or the "
               "seconds "
               "since 1970";
    const bool octal = token.length > 1 && token.text[0] == '0' && is_digit(token.text[1]);
    if (memchr(token.text, '_', token.length) != NULL) return "a number is written without _";
    for (size_t i = 0; i < token.length; i++)
        if (strchr(".eE", token.text[i]) != NULL) return NULL;
    return octal ? "a leading 0 makes it an octal number in C, and 010 is 8: write it without the 0" : NULL;
}

static const char *advise_assignment(const char *text, jr_token sign) {
    const char next = sign.text[1], last = before(text, sign);
    if (last == '=' && sign.text - text > 1 && sign.text[-2] == '!') return "C has no operator !==: write !=";
    if (last == '=') return "C has no operator ===: write ==";
    if (next == '>') return "C has no operator =>: write >=";
    if (next == '<') return "C has no operator =<: write <=";
    return next == '!' ? "C has no operator =!: write !=" : NULL;
}

const char *jr_spelling_token(const char *text, jr_token token) {
    switch (token.kind) {
    case JR_TOKEN_BYTE: return advise_byte(token);
    case JR_TOKEN_NUMBER:
    case JR_TOKEN_WRONG_NUMBER: {
        const char *advice = advise_number(token);
        return advice == NULL && token.kind == JR_TOKEN_WRONG_NUMBER ? "it is not a number; a product is 2 * x"
                                                                     : advice;
    }
    case JR_TOKEN_SIGN: return jr_token_is_one_of(token, "=") ? advise_assignment(text, token) : NULL;
    default: return NULL;
    }
}

/* ---- signs ---- */

/* Where an operand is due. */
static const char *advise_first(const char *text, jr_token sign) {
    const char last = before(text, sign);
    if (*sign.text == '*' && last == '*') return "C has no operator **: write x*x or pow(x, 2)";
    if (*sign.text == '>' && last == '<') return "C has no operator <>: write !=";
    if (*sign.text == '|') return "C has no sign for it: |x| is fabs(x)";
    return jr_spelling_begins_operand(sign) ? NULL : "an operand is missing before it";
}

const char *jr_spelling_sign(const char *text, jr_token sign, bool operand_due) {
    const jr_token next = next_of(sign);
    const char *reason = operand_due ? advise_first(text, sign) : NULL;
    if (reason != NULL || jr_token_is_one_of(sign, "* & &&")) return reason; /* these have reasons of their own */
    const bool percent = *sign.text == '%' && jr_token_is_one_of(next, "* & &&");
    const bool follows = jr_spelling_begins_operand(next) || jr_token_is_one_of(next, "|") ||
                         (*sign.text == '<' && *next.text == '>') || jr_refused_reason(next) != NULL;
    if (follows && !percent) return NULL;
    return *sign.text == '%' ? "it is the remainder, and no operand follows it: 20 percent of x is 0.2 * x"
                             : "no operand follows it";
}

const char *jr_spelling_comma(const char *text, jr_token comma) {
    if (is_digit(before(text, comma)) && is_digit(comma.text[1]))
        return "a number has no comma: the decimal point is '.', and 1,000 is 1000";
    return "a comma only separates the arguments of a call: for two conditions write a && b";
}
