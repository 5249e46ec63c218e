/* Guesses what a word that is no number was meant for: a missing value, digits in groups, an amount with its unit, a
 * date, several columns. */
#include "word_advice.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/cli_error.h"
#include "base/utf8.h"

typedef struct text_word {
    const char *begin, *end;
} text_word;

static bool is_binary(const char *begin, const char *end) {
    for (; begin < end; begin++)
        if ((unsigned char)*begin < 0x20 && *begin != '\t' && *begin != '\r') return true;
    return false;
}

static bool is_number(const cli_table_form *form, const char *begin, const char *end) {
    char room[CLI_TOKEN_BYTES];
    double number;
    const char *stop = cli_text_number(form, &begin, end, room);
    return stop != NULL && cli_number_parse(JR_F64, begin, stop, &number) == CLI_NUMBER_OK;
}

/* The options under which the word is a number: the decimal comma, what parts groups of digits, or both. */
static const char *advise_form(const text_word *word) {
    static const struct {
        bool decimal_comma;
        char thousands;
        const char *advice;
    } forms[] = {
        {false, '\0', "; it is one with a decimal point, without --decimal and --thousands"},
        {true, '\0', "; --decimal , reads it"},
        {false, ',', "; --thousands , reads it"},
        {true, '.', "; --decimal , --thousands . reads it"},
        {false, '\'', "; --thousands \"'\" reads it"},
        {false, '_', "; --thousands _ reads it"},
        {false, ' ', "; --thousands space reads it"},
        {true, '\'', "; --decimal , --thousands \"'\" reads it"},
        {true, ' ', "; --decimal , --thousands space reads it"},
    };
    const cli_table_form groups = {.thousands = ','}, comma = {.decimal_comma = true};
    if (is_number(&comma, word->begin, word->end) && is_number(&groups, word->begin, word->end))
        return "; --thousands , reads it with groups of digits, --decimal , with a decimal comma";
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const cli_table_form form = {.decimal_comma = forms[i].decimal_comma, .thousands = forms[i].thousands};
        if (is_number(&form, word->begin, word->end)) return forms[i].advice;
    }
    return NULL;
}

static size_t count_digits(const char *at, const char *end) {
    const char *begin = at;
    while (at < end && cli_is_digit(*at)) at++;
    return (size_t)(at - begin);
}

/* 2024-01-31 and what follows it, 31.1.24, 1/31/2024, 12:30, 12:30:15. */
static bool is_date(const text_word *word) {
    const char *at = word->begin;
    const size_t first = count_digits(at, word->end);
    at += first;
    if (first == 0 || first == 3 || first > 4 || at == word->end || strchr("-./:", *at) == NULL) return false;
    const char sign = *at++;
    const size_t second = count_digits(at, word->end);
    at += second;
    if (second == 0 || second > 2) return false;
    if (sign == ':') return second == 2;
    return at < word->end && *at == sign && count_digits(at + 1, word->end) > 1;
}

static bool is_sign(const text_word *unit) {
    static const char *const signs[] = {"%", "$", "\xe2\x82\xac", "\xc2\xa3", "\xc2\xa5", "\xc2\xb0"};
    const size_t length = (size_t)(unit->end - unit->begin);
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strlen(signs[i]) == length && memcmp(signs[i], unit->begin, length) == 0) return true;
    return false;
}

/* A sign, or a few letters; before a number only those of a currency: v2 is a name. */
static bool is_unit(const text_word *unit, bool before) {
    enum { LETTERS = 4, CURRENCY = 3 };
    const size_t length = (size_t)(unit->end - unit->begin);
    if (is_sign(unit)) return true;
    if (length == 0 || length > LETTERS || (before && length != CURRENCY)) return false;
    if (length == 1 && strchr("eE", *unit->begin) != NULL) return false; /* half an exponent */
    for (const char *c = unit->begin; c < unit->end; c++)
        if (before ? !isupper((unsigned char)*c) : !isalpha((unsigned char)*c)) return false;
    return true;
}

/* Finds the unit before or after a number; false: the word has no unit. */
static bool find_unit(const cli_table_form *form, const text_word *word, text_word *unit) {
    const char *first = word->begin, *last = word->end;
    while (first < word->end && !cli_is_digit(*first) && *first != '+' && *first != '-') first++;
    while (last > first && !cli_is_digit(last[-1])) last--;
    if (first == last) return false;
    *unit = first > word->begin ? (text_word){word->begin, first} : (text_word){last, word->end};
    if (first > word->begin && last < word->end) return false;
    while (unit->begin < unit->end && *unit->begin == ' ') unit->begin++;
    while (unit->begin < unit->end && unit->end[-1] == ' ') unit->end--;
    if (!is_unit(unit, first > word->begin)) return false;
    const text_word number = {first, last};
    return is_number(form, first, last) || advise_form(&number) != NULL;
}

static bool begins_with_number(const cli_table_form *form, const text_word *word, char sign) {
    const char *stop = memchr(word->begin, sign, (size_t)(word->end - word->begin));
    return stop != NULL && is_number(form, word->begin, stop);
}

/* Several numbers of a line in one word, as no delimiter was known. */
static bool advise_delimiter(const cli_table_form *form, const text_word *word, char *advice) {
    const bool table = form->column_count > 0;
    for (const char *sign = ";|:"; *sign != '\0'; sign++) {
        if (!begins_with_number(form, word, *sign)) continue;
        snprintf(advice, CLI_ADVICE_BYTES, "; if '%c' stands between columns, give %s--delimiter '%c'", *sign,
                 table ? "" : "--column 1 and ", *sign);
        return true;
    }
    return false;
}

/* Characters beyond ASCII that stand in numbers of other programs, and what they stand for; "": for nothing. */
static const struct {
    const char *bytes, *code, *name, *ascii;
} marks[] = {
    {"\xe2\x88\x92", "2212", "a minus sign", "-"},     {"\xe2\x80\x90", "2010", "a hyphen", "-"},
    {"\xe2\x80\x91", "2011", "a hyphen", "-"},         {"\xe2\x80\x93", "2013", "a dash", "-"},
    {"\xe2\x80\x94", "2014", "a dash", "-"},           {"\xef\xbc\x8d", "FF0D", "a wide minus sign", "-"},
    {"\xc2\xa0", "00A0", "a no-break space", ""},      {"\xe2\x80\xaf", "202F", "a narrow no-break space", ""},
    {"\xe2\x80\x89", "2009", "a thin space", ""},      {"\xe2\x80\x8b", "200B", "a space without width", ""},
    {"\xef\xbb\xbf", "FEFF", "a byte order mark", ""}, {"\xe2\x80\x99", "2019", "an apostrophe", ""},
};
enum { MARKS = sizeof marks / sizeof *marks };

/* The index of the mark that begins at `at`; MARKS: no mark does. */
static size_t find_mark(const char *at, const char *end) {
    size_t mark = 0;
    while (mark < MARKS && ((size_t)(end - at) < strlen(marks[mark].bytes) ||
                            memcmp(at, marks[mark].bytes, strlen(marks[mark].bytes)) != 0))
        mark++;
    return mark;
}

/* A number, but for characters that look like those of numbers. */
static bool advise_marks(const cli_table_form *form, const text_word *word, char *advice) {
    char plain[CLI_TOKEN_BYTES], bytes[16] = "";
    size_t used = 0, first = MARKS, place = 0;
    if (word->end - word->begin >= CLI_TOKEN_BYTES) return false;
    for (const char *at = word->begin; at < word->end;) {
        const size_t mark = find_mark(at, word->end);
        if (mark == MARKS) {
            plain[used++] = *at++;
            continue;
        }
        if (first == MARKS) place = (size_t)(at - word->begin);
        if (first == MARKS) first = mark;
        if (*marks[mark].ascii != '\0') plain[used++] = *marks[mark].ascii;
        at += strlen(marks[mark].bytes);
    }
    const text_word left = {plain, plain + used};
    if (first == MARKS || (used > 0 && !is_number(form, plain, plain + used) && advise_form(&left) == NULL))
        return false;
    for (const char *c = marks[first].bytes; *c != '\0'; c++)
        snprintf(bytes + strlen(bytes), sizeof bytes - strlen(bytes), "\\x%02x", (unsigned)(unsigned char)*c);
    snprintf(advice, CLI_ADVICE_BYTES, "; its byte %zu is U+%s, %s: sed $'s/%s/%s/g' %s", place + 1, marks[first].code,
             marks[first].name, bytes, marks[first].ascii, *marks[first].ascii != '\0' ? "makes it '-'" : "removes it");
    return true;
}

static const char *advise_other(const cli_table_form *form, const text_word *word, char *advice) {
    text_word unit;
    char quoted[64];
    if (is_date(word))
        return "; a date or a time is a key (--group-by, --keys), or a number where it is written in seconds (date "
               "+%s)";
    if (advise_marks(form, word, advice) || advise_delimiter(form, word, advice)) return advice;
    if (form->column_count == 0 && word->end - word->begin > 4 && strncasecmp(word->begin, "sep=", 4) == 0)
        return "; this line names the delimiter of a table, which --column reads";
    if (find_unit(form, word, &unit)) {
        snprintf(advice, CLI_ADVICE_BYTES, "; numbers are read without a unit: remove '%s'",
                 cli_quote(unit.begin, unit.end, quoted));
        return advice;
    }
    if (cli_is_word(word->begin, word->end, "true") || cli_is_word(word->begin, word->end, "false"))
        return "; --type bool reads true and false";
    if (word->end - word->begin > 2 && word->begin[0] == '0' && tolower((unsigned char)word->begin[1]) == 'x')
        return "; hexadecimal numbers are not read: printf '%d' 0x1f writes 31";
    if (form->column_count == 0 && word->end > word->begin + 1 && *word->begin == '"' && word->end[-1] == '"')
        return "; --column 1 reads what is quoted";
    if (form->column_count == 0 && word->begin < word->end && strchr("[{", *word->begin) != NULL)
        return "; JSON is not read: jq '.[]' writes the numbers of an array, one a line";
    return "";
}

const char *cli_word_advice(const cli_table_form *form, const char *begin, const char *end, cli_number_status reason,
                            char advice[CLI_ADVICE_BYTES]) {
    const text_word word = {begin, end};
    char quoted[64];
    if (end - begin > 6 && memcmp(begin, "\x93NUMPY", 6) == 0)
        return "; these are the bytes of an .npy file, which is read without --format text";
    if (is_binary(begin, end)) return "; for binary data give --format raw and --type";
    if (!cli_is_utf8(begin, end)) return CLI_LATIN_ADVICE;
    if (reason != CLI_NUMBER_NONE) return "";
    if (cli_looks_missing(begin, end)) {
        snprintf(advice, CLI_ADVICE_BYTES,
                 "; if it stands for a missing value, give --na '%s' to read it as NaN, or with --missing skip to "
                 "leave %s out",
                 cli_quote(begin, end, quoted), form->column_count > 0 ? "its line" : "it");
        return advice;
    }
    const char *known = end - begin < CLI_TOKEN_BYTES ? advise_form(&word) : NULL;
    return known != NULL ? known : advise_other(form, &word, advice);
}
