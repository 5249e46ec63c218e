/* The table of functions. */
#include "functions.h"

#include <string.h>

static const struct {
    const char *name;
    unsigned short weight, single;
} rows[] = {
#define FUNCTION_ROW(name, weight, single) {#name, weight, single},
    JR_FUNCTIONS(FUNCTION_ROW)
#undef FUNCTION_ROW
};

/* make_float2, ...: a struct may have such members. */
static bool is_vector_maker(jr_token word) {
    static const char *const types[] = {"char", "uchar", "short",    "ushort",    "int",   "uint",
                                        "long", "ulong", "longlong", "ulonglong", "float", "double"};
    const size_t around = strlen("make_") + 1;
    if (word.length <= around || memcmp(word.text, "make_", around - 1) != 0) return false;
    const char digit = word.text[word.length - 1];
    const jr_token type = {JR_TOKEN_WORD, word.text + around - 1, word.length - around};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (jr_token_is_one_of(type, types[i])) return digit >= '1' && digit <= '4';
    return false;
}

size_t jr_functions_weight(jr_token word) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const size_t length = strlen(rows[i].name);
        if (length > word.length || memcmp(rows[i].name, word.text, length) != 0) continue;
        if (length == word.length) return rows[i].weight;
        if (length + 1 == word.length && word.text[length] == 'f' && rows[i].single > 0) return rows[i].single;
    }
    return is_vector_maker(word) ? 1 : 0;
}
