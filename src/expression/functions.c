/* The table of functions. */
#include "functions.h"

#include <string.h>

static const struct {
    const char *name;
    unsigned short weight, single;
    jr_function_gives gives;
} rows[] = {
#define FUNCTION_ROW(name, weight, single, gives) {#name, weight, single, JR_GIVES_##gives},
    JR_FUNCTIONS(FUNCTION_ROW)
#undef FUNCTION_ROW
};

/* How many arguments a function of a row takes. */
static unsigned char count_arguments(const char *name) {
    static const char two[] =
        "atan2 copysign fdim fmax fmin fmod hypot nextafter pow remainder rhypot max min umin umax "
        "llmin llmax ullmin ullmax fdividef ldexp scalbn scalbln";
    const jr_token word = {JR_TOKEN_WORD, name, strlen(name)};
    if (jr_token_is_one_of(word, "norm4d rnorm4d")) return 4;
    if (jr_token_is_one_of(word, "fma norm3d rnorm3d")) return 3;
    return jr_token_is_one_of(word, two) ? 2 : 1;
}

/* make_float2, ...: a struct may have such members. */
static bool find_vector_maker(jr_token word, jr_function *function) {
    static const char integers[] = "char uchar short ushort int uint long ulong longlong ulonglong";
    const size_t around = strlen("make_") + 1;
    if (word.length <= around || memcmp(word.text, "make_", around - 1) != 0) return false;
    const char digit = word.text[word.length - 1];
    const jr_token type = {JR_TOKEN_WORD, word.text + around - 1, word.length - around};
    const bool whole = jr_token_is_one_of(type, integers), single = jr_token_is_one_of(type, "float");
    if (digit < '1' || digit > '4' || !(whole || single || jr_token_is_one_of(type, "double"))) return false;
    *function = (jr_function){1,
                              whole    ? JR_GIVES_INTEGER
                              : single ? JR_GIVES_FLOAT
                                       : JR_GIVES_DOUBLE,
                              (unsigned char)(digit - '0')};
    return true;
}

bool jr_functions_find(jr_token word, jr_function *function) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const size_t length = strlen(rows[i].name);
        if (length > word.length || memcmp(rows[i].name, word.text, length) != 0) continue;
        if (length == word.length) {
            *function = (jr_function){rows[i].weight, rows[i].gives, count_arguments(rows[i].name)};
            return true;
        }
        if (length + 1 == word.length && word.text[length] == 'f' && rows[i].single > 0) {
            const bool whole = rows[i].gives == JR_GIVES_INTEGER;
            *function =
                (jr_function){rows[i].single, whole ? JR_GIVES_INTEGER : JR_GIVES_FLOAT, count_arguments(rows[i].name)};
            return true;
        }
    }
    return find_vector_maker(word, function);
}
