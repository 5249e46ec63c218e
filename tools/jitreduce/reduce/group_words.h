/* What the words of a column of keys are: numbers or texts, and their order. */
#ifndef CLI_GROUP_WORDS_H
#define CLI_GROUP_WORDS_H

#include "input/input.h"
#include "text/key_column.h"

/* A column of a text, of which `count` lines from `first` on are grouped. Its keys are numbers of `type`;
 * with JR_TYPE_NONE of i64, u64 or f64 when each of them reads as a number that can stand for its text: none is a NaN
 * (of a file: that is an error), has leading zeros, or more digits than f64 holds; else, and with as_text, texts. form:
 * how numbers are written. */
typedef struct cli_group_lines {
    const cli_key_column *column;
    int key_count; /* columns whose keys its texts join (text/key_parts.h); 0 or 1: it is one */
    const cli_table_form *form;
    uint64_t first, count;
    jr_type type;
    const char *option;     /* that names the column, for messages: "group-by" or "keys" */
    const char *file;       /* the words are those of a file; NULL: of a column */
    bool as_text, nan_keys; /* nan_keys: NaNs are one key, after all others */
    bool nan_apart;         /* a NaN is not an error: its element belongs to no group */
} cli_group_lines;

typedef struct cli_group_words {
    jr_type type;       /* of the numbers; JR_TYPE_NONE: texts */
    cli_vector numbers; /* one for each word */
    uint64_t *codes;    /* of each word: equal for equal keys, ordered as they are */
} cli_group_words;

/* The code of a NaN as a key: greater than those of all floats. */
#define CLI_KEY_CODE_NAN UINT64_MAX

/* Writes a number whose order is that of elements of a type; -0 and 0 have the same. False: the element is a NaN. */
bool cli_key_code(jr_type type, const void *element, uint64_t *code);

/* Finds them, as cli_group_lines says. Writes *words on success only; the caller frees it. */
cli_exit cli_group_words_make(const cli_group_lines *lines, cli_group_words *words, cli_error *error);

/* Frees them. */
void cli_group_words_free(cli_group_words *words);

#endif
