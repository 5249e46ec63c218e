/* Numbers from texts that come in blocks: every number, or columns of a table. */
#ifndef CLI_TEXT_H
#define CLI_TEXT_H

#include "column.h"
#include "key_parts.h"
#include "number_form.h"
#include "table_fields.h"

/* The lines of a text that was read as words. */
typedef struct cli_line_counts {
    uint64_t all, filled; /* filled: those with a word */
    bool ended;           /* the text was read to its end */
} cli_line_counts;

/* Findings about a text that was read: numbers that a column without a type could only take as inf, or whole numbers
 * only as f64; lines or words whose key is missing; missing values that were read as NaN; lines or words that were
 * skipped for these; blank lines of a table of one column; words that may mean something else. */
typedef struct cli_beyond {
    uint64_t infinite, keyless, missing, left_out, blank;
    cli_line_counts lines; /* of words */
    char note[256];        /* place and text of the first: "data.txt:3:7: ..."; empty: no finding */
    char doubt[256];       /* the same for doubts */
} cli_beyond;

/* One text while it is read. */
typedef struct cli_text {
    const cli_table_form *form;
    cli_place place;     /* of a line, or of the block where that begins inside a line */
    cli_column *columns; /* one, or as many as the form names; may have numbers of other texts */
    int column_count;
    bool begun;      /* everything that may precede the first line has been read */
    bool first_word; /* it failed because a word of the first line is no number, for which no other advice is given */
    bool wider;      /* it failed because a column that has folded elements needs a wider type, which it has now */

    uint64_t most_elements; /* of each column, folded ones among them: what follows is not looked at */
    size_t most_used;       /* bytes that this leaves the first one until the block ends */

    uint64_t skipped;   /* lines of form->skip_lines */
    cli_beyond *beyond; /* collects the findings; borrowed; may be NULL */

    bool empty, in_comment; /* of every number: none since the last comma or the begin of the line; inside a comment */

    char separator;   /* of a table; '\0': no line has been seen */
    bool looks_named; /* its first line is one of names, by comparison with the second */
    bool single;      /* it has one column, in which a blank line may stand for a missing value */
    uint64_t blanks;  /* such lines since the last line that was taken */
    uint64_t names;   /* fields of its line of names; 0: it has none */
    int field_count;  /* column_count, and those of the keys */
    uint64_t numbers[CLI_MANY_MAX + CLI_KEYS_MAX], most;
    cli_field fields[CLI_MANY_MAX + CLI_KEYS_MAX];
    int order[CLI_MANY_MAX + CLI_KEYS_MAX]; /* of the fields, as they stand in a line */
    cli_key_column *keys;                   /* of a keyed table, or of words; borrowed */
    bool words;                             /* every word is a key, and the columns stay empty */
    bool line_filled;                       /* of words: the line has one already */
} cli_text;

/* A text that has not been read. form, columns: borrowed. Of a keyed table the caller sets its keys. */
cli_text cli_text_of(const char *name, const cli_table_form *form, cli_column *columns);

/* Reads the whole numbers, or lines, of a block that follows the text read so far; last: no block follows. *taken: how
 * many bytes were read; the next block must begin with the rest. */
cli_exit cli_text_take(cli_text *text, const char *block, size_t bytes, bool last, size_t *taken, cli_error *error);

/* Whether the columns have all elements that are wanted. */
static inline bool cli_text_full(const cli_text *text) {
    const cli_column *column = &text->columns[0];
    if (text->words) return text->keys->row_count >= text->most_elements;
    return column->folded + column->vector.used / column->vector.size >= text->most_elements;
}

/* For cli_text_take: takes lines. Writes where it stopped. */
cli_exit cli_take_lines(cli_text *text, const char *end, bool last, const char **stopped, cli_error *error);

/* Takes a word as a key. */
cli_number_status cli_text_append_key(cli_text *text, const char *begin, const char *end);

/* Appends [begin, end) to a column: a number as the form writes it, or a missing one. CLI_NUMBER_OK also for a number
 * that the column could not hold exactly; text->beyond records it. */
cli_number_status cli_text_append(cli_text *text, cli_column *column, const char *begin, const char *end);

/* What to do about lines of a table that begin with '#', where this is one: "; ...", else "". */
const char *cli_comment_advice(const cli_text *text);

/* Fails for a word that is no element of the type: "data.txt:3:7: 'abc' is not a number". what: of the column, or "".
 */
cli_exit cli_fail_word(cli_text *text, const char *what, const char *const word[2], jr_type type,
                       cli_number_status reason, cli_error *error);

/* A block has been taken; another code than CLI_OK ends the reading. */
typedef cli_exit (*cli_block_taken)(void *user, cli_error *error);

#endif
