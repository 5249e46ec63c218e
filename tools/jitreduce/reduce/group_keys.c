/* Orders keys of several columns: takes the joined words apart, settles what each column's words are, and numbers the
 * words by the codes of their parts. */
#include "group_keys.h"

#include <stdlib.h>
#include <string.h>

#include "text/key_parts.h"

static cli_exit fail_memory(const cli_group_lines *lines, cli_error *error) {
    return cli_fail(error, CLI_FAILURE, "--%s: out of memory for the keys", lines->option);
}

/* One part of each word, as a column of its own. */
static bool split(const cli_key_column *joined, int index, cli_key_column *column) {
    for (uint64_t i = 0; i < joined->count; i++) {
        const cli_key_text part = cli_key_parts_find(&joined->texts[i], index);
        if (!cli_key_column_append(column, part.begin, part.begin + part.length, false)) return false;
    }
    return true;
}

static cli_exit make_column(cli_group_keys *keys, int index, cli_error *error) {
    cli_key_column column = {.count = 0};
    cli_group_lines lines = *keys->lines;
    cli_exit code = split(keys->lines->column, index, &column) ? CLI_OK : fail_memory(&lines, error);
    lines.column = &column;
    lines.key_count = 1;
    if (code == CLI_OK) code = cli_group_words_make(&lines, &keys->words[index], error);
    if (code == CLI_OK) {
        keys->parts[index] = column.rows;
        column.rows = NULL;
    }
    cli_key_column_free(&column);
    return code;
}

/* The codes of a word's parts. */
typedef struct ranked {
    const uint64_t *codes;
    int count;
} ranked;

static int compare(const void *a, const void *b) {
    const ranked *one = a, *other = b;
    for (int i = 0; i < one->count; i++)
        if (one->codes[i] != other->codes[i]) return one->codes[i] < other->codes[i] ? -1 : 1;
    return 0;
}

/* Each word's code is the number of words with lesser codes of parts. */
static void number(ranked *order, uint64_t count, const uint64_t *codes, uint64_t *numbers) {
    uint64_t rank = 0;
    if (count > 0) qsort(order, count, sizeof *order, compare);
    for (uint64_t i = 0; i < count; i++) {
        if (i > 0 && compare(&order[i - 1], &order[i]) != 0) rank = i;
        numbers[(uint64_t)(order[i].codes - codes) / (uint64_t)order[i].count] = rank;
    }
}

static cli_exit code_words(cli_group_keys *keys, cli_error *error) {
    const uint64_t count = keys->lines->column->count, columns = (uint64_t)keys->count;
    ranked *order = calloc(count + 1, sizeof *order);
    uint64_t *codes = calloc(count + 1, columns * sizeof *codes);
    keys->codes = calloc(count + 1, sizeof *keys->codes);
    const bool room = order != NULL && codes != NULL && keys->codes != NULL;
    for (uint64_t i = 0; room && i < count; i++) {
        order[i] = (ranked){&codes[i * columns], keys->count};
        for (uint64_t k = 0; k < columns; k++) codes[i * columns + k] = keys->words[k].codes[keys->parts[k][i]];
    }
    if (room) number(order, count, codes, keys->codes);
    free(order);
    free(codes);
    return room ? CLI_OK : fail_memory(keys->lines, error);
}

/* The words of one column have their codes. */
static cli_exit make_single(cli_group_keys *keys, cli_error *error) {
    const cli_exit code = cli_group_words_make(keys->lines, &keys->words[0], error);
    if (code != CLI_OK) return code;
    keys->codes = keys->words[0].codes;
    keys->words[0].codes = NULL;
    return CLI_OK;
}

cli_exit cli_group_keys_make(const cli_group_lines *lines, cli_group_keys *keys, cli_error *error) {
    cli_group_keys made = {.lines = lines, .count = lines->key_count > 1 ? lines->key_count : 1};
    cli_exit code = made.count == 1 ? make_single(&made, error) : CLI_OK;
    for (int k = 0; code == CLI_OK && made.count > 1 && k < made.count; k++) code = make_column(&made, k, error);
    if (code == CLI_OK && made.count > 1) code = code_words(&made, error);
    if (code == CLI_OK)
        *keys = made;
    else
        cli_group_keys_free(&made);
    return code;
}

static cli_key_text text_of(const cli_group_keys *keys, int column, uint64_t word) {
    const cli_key_text *text = &keys->lines->column->texts[word];
    return keys->count > 1 ? cli_key_parts_find(text, column) : *text;
}

bool cli_group_keys_take(const cli_group_keys *keys, int column, const uint64_t *words, uint64_t count,
                         cli_keys *taken) {
    const cli_group_words *from = &keys->words[column];
    const uint64_t *parts = keys->parts[column];
    if (from->type == JR_TYPE_NONE) {
        taken->texts = calloc(count + 1, sizeof *taken->texts);
        for (uint64_t i = 0; taken->texts != NULL && i < count; i++) taken->texts[i] = text_of(keys, column, words[i]);
        return taken->texts != NULL;
    }
    const size_t bytes = jr_type_size(from->type);
    char *to = calloc(count + 1, bytes);
    for (uint64_t i = 0; to != NULL && i < count; i++)
        memcpy(to + i * bytes, from->numbers.bytes + (parts != NULL ? parts[words[i]] : words[i]) * bytes, bytes);
    taken->numbers = (cli_data){.type = from->type, .count = count, .elements = to, .owned = to};
    return to != NULL;
}

void cli_group_keys_free(cli_group_keys *keys) {
    for (int k = 0; k < keys->count; k++) {
        cli_group_words_free(&keys->words[k]);
        free(keys->parts[k]);
    }
    free(keys->codes);
    *keys = (cli_group_keys){.count = 0};
}
