/* Finds groups: gives each key a code whose order is the key's, and sorts the elements by these. */
#include "groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- sorting by codes ---- */

enum { CODE_BYTES = 8 };

static bool is_sorted(const cli_coded_row *rows, uint64_t count) {
    for (uint64_t i = 1; i < count; i++)
        if (rows[i - 1].code > rows[i].code) return false;
    return true;
}

/* Whether rows, which ascend, leave no element out but at the end. */
static bool leaves_none_out(const cli_coded_row *rows, uint64_t count) {
    return count == 0 || rows[count - 1].row == count - 1;
}

/* Sorts by one byte of the codes; counts: how many codes have each of its values. */
static void sort_by_byte(const cli_coded_row *from, uint64_t count, int shift, const uint64_t counts[256],
                         cli_coded_row *to) {
    uint64_t begins[256], begin = 0;
    for (int i = 0; i < 256; i++) {
        begins[i] = begin;
        begin += counts[i];
    }
    for (uint64_t i = 0; i < count; i++) to[begins[from[i].code >> shift & 0xff]++] = from[i];
}

/* Sorts 1 or more rows, with as many rows of scratch memory; returns which of the two holds what is sorted. */
static cli_coded_row *sort(cli_coded_row *rows, cli_coded_row *beside, uint64_t count) {
    uint64_t counts[CODE_BYTES][256];
    memset(counts, 0, sizeof counts);
    for (uint64_t i = 0; i < count; i++)
        for (int byte = 0; byte < CODE_BYTES; byte++) counts[byte][rows[i].code >> 8 * byte & 0xff]++;
    for (int byte = 0; byte < CODE_BYTES; byte++) {
        if (counts[byte][rows[0].code >> 8 * byte & 0xff] == count) continue;
        sort_by_byte(rows, count, 8 * byte, counts[byte], beside);
        cli_coded_row *sorted = beside;
        beside = rows;
        rows = sorted;
    }
    return rows;
}

/* The element at which each code begins, and the end. */
static bool find_offsets(const cli_coded_row *rows, uint64_t count, cli_groups *groups) {
    uint64_t changes = 0;
    for (uint64_t i = 0; i < count; i++) changes += i == 0 || rows[i].code != rows[i - 1].code;
    uint64_t *offsets = malloc((changes + 1) * sizeof *offsets);
    if (offsets == NULL) return false;
    groups->offsets = offsets;
    groups->count = changes;
    for (uint64_t i = 0; i < count; i++)
        if (i == 0 || rows[i].code != rows[i - 1].code) *offsets++ = i;
    *offsets = count;
    return true;
}

static cli_exit fail_sort(uint64_t count, cli_error *error) {
    return cli_fail(error, CLI_FAILURE, "--group-by: out of memory for %llu elements", (unsigned long long)count);
}

cli_exit cli_group_sort(cli_coded_row *rows, uint64_t count, cli_groups *groups, cli_error *error) {
    cli_groups made = {.count = 0};
    cli_coded_row *beside = NULL, *sorted = rows;
    if (!is_sorted(rows, count) || !leaves_none_out(rows, count)) {
        beside = malloc(count * sizeof *beside);
        made.rows = malloc(count * sizeof *made.rows);
        if (beside == NULL || made.rows == NULL) {
            free(beside);
            free(made.rows);
            return fail_sort(count, error);
        }
        sorted = sort(rows, beside, count);
        for (uint64_t i = 0; i < count; i++) made.rows[i] = sorted[i].row;
    }
    const bool found = find_offsets(sorted, count, &made);
    free(beside);
    if (!found) {
        free(made.rows);
        return fail_sort(count, error);
    }
    *groups = made;
    return CLI_OK;
}

/* ---- groups ---- */

static cli_exit fail_memory(uint64_t count, cli_error *error) {
    return cli_fail(error, CLI_FAILURE, "--group-by: out of memory for %llu keys", (unsigned long long)count);
}

static cli_exit make_rows(uint64_t count, cli_coded_row **rows, cli_error *error) {
    *rows = count <= SIZE_MAX / sizeof **rows ? malloc((count > 0 ? count : 1) * sizeof **rows) : NULL;
    return *rows != NULL ? CLI_OK : fail_memory(count, error);
}

/* The number of the element with which a group begins. */
static uint64_t first_row(const cli_groups *groups, uint64_t group) {
    const uint64_t offset = groups->offsets[group];
    return groups->rows != NULL ? groups->rows[offset] : offset;
}

/* The key of each group: that of its first element. */
static cli_exit take_numbers(const cli_input *keys, cli_groups *groups, cli_error *error) {
    const size_t bytes = jr_type_size(keys->type);
    cli_data *numbers = &groups->keys[0].numbers;
    const cli_exit code = cli_data_create(numbers, keys->type, bytes, groups->count, "keys", error);
    char *to = numbers->owned;
    groups->key_count = 1;
    for (uint64_t i = 0; code == CLI_OK && i < groups->count; i++, to += bytes)
        memcpy(to, (const char *)keys->elements + first_row(groups, i) * bytes, bytes);
    return code;
}

/* Groups by numbers, a key for each element: -0 is 0, and a NaN is an error, or (nan_keys) the last key. name: of the
 * file, for messages. Memory: 32 bytes an element while it sorts, then 8. Writes *groups on success only; the caller
 * frees it. */
static cli_exit groups_of_numbers(const cli_input *keys, const char *name, bool nan_keys, cli_groups *groups,
                                  cli_error *error) {
    const jr_type type = keys->type != JR_TYPE_NONE ? keys->type : JR_I64; /* of no text: any */
    const size_t bytes = jr_type_size(type);
    cli_groups made = {.count = 0};
    cli_coded_row *rows;
    cli_exit code = make_rows(keys->count, &rows, error);
    if (code != CLI_OK) return code;
    for (uint64_t i = 0; code == CLI_OK && i < keys->count; i++) {
        rows[i].row = i;
        if (cli_key_code(type, (const char *)keys->elements + i * bytes, &rows[i].code)) continue;
        rows[i].code = CLI_KEY_CODE_NAN;
        if (!nan_keys)
            code = cli_fail(error, CLI_FAILURE,
                            "%s: key %llu is nan, which equals no key: remove its element, or give --nan-keys", name,
                            (unsigned long long)i);
    }
    if (code == CLI_OK) code = cli_group_sort(rows, keys->count, &made, error);
    free(rows);
    cli_input typed = *keys;
    typed.type = type;
    if (code == CLI_OK) code = take_numbers(&typed, &made, error);
    if (code == CLI_OK)
        *groups = made;
    else
        cli_groups_free(&made);
    return code;
}

/* The keys of groups of lines: words of their first ones. */
static cli_exit take_words(const cli_group_keys *keys, cli_groups *groups, cli_error *error) {
    const cli_group_lines *lines = keys->lines;
    uint64_t *words = calloc(groups->count + 1, sizeof *words);
    bool taken = words != NULL;
    for (uint64_t i = 0; taken && i < groups->count; i++)
        words[i] = lines->column->rows[lines->first + first_row(groups, i)];
    for (int k = 0; taken && k < keys->count; k++)
        taken = cli_group_keys_take(keys, k, words, groups->count, &groups->keys[k]);
    groups->key_count = keys->count;
    free(words);
    return taken ? CLI_OK : fail_memory(groups->count, error);
}

/* Whether a word is a NaN that belongs to no group. */
static bool is_apart(const cli_group_keys *keys, uint64_t word) {
    return keys->count == 1 && !keys->lines->nan_keys && keys->words[0].type != JR_TYPE_NONE &&
           keys->codes[word] == CLI_KEY_CODE_NAN && jr_type_class_of(keys->words[0].type) == JR_CLASS_FLOAT;
}

/* Groups by columns of a text, or by its words; a line of which a key is missing belongs to no group. The texts' bytes
 * stay the column's.
 * Memory and *groups: as groups_of_numbers. */
static cli_exit groups_of_lines(const cli_group_lines *lines, cli_groups *groups, cli_error *error) {
    cli_groups made = {.count = 0};
    cli_group_keys keys;
    cli_coded_row *rows = NULL;
    uint64_t count = 0; /* of keys that are not missing */
    cli_exit code = cli_group_keys_make(lines, &keys, error);
    if (code != CLI_OK) return code;
    code = make_rows(lines->count, &rows, error);
    for (uint64_t i = 0; code == CLI_OK && i < lines->count; i++) {
        const uint64_t word = lines->column->rows[lines->first + i];
        if (word == CLI_KEY_MISSING || is_apart(&keys, word)) continue;
        rows[count++] = (cli_coded_row){.code = keys.codes[word], .row = i};
    }
    if (code == CLI_OK) code = cli_group_sort(rows, count, &made, error);
    free(rows);
    if (code == CLI_OK) code = take_words(&keys, &made, error);
    cli_group_keys_free(&keys);
    if (code == CLI_OK)
        *groups = made;
    else
        cli_groups_free(&made);
    return code;
}

cli_exit cli_groups_of_column(const cli_options *options, const cli_input *x, cli_groups *groups, cli_error *error) {
    const cli_group_lines lines = {.column = &x->keys,
                                   .key_count = options->table.key_count,
                                   .form = &options->table,
                                   .first = x->first,
                                   .count = x->count,
                                   .type = options->key_type,
                                   .option = options->group_by != NULL ? "group-by" : "keys",
                                   .as_text = options->text_keys,
                                   .nan_keys = options->nan_keys};
    return groups_of_lines(&lines, groups, error);
}

cli_exit cli_groups_of_file(const cli_options *options, const cli_input *segment_file, cli_groups *groups,
                            cli_error *error) {
    static const cli_table_form plain = {.column_count = 0};
    const bool grouped = options->group_by != NULL;
    const cli_group_lines lines = {.column = &segment_file->keys,
                                   .form = &plain,
                                   .first = segment_file->first,
                                   .count = segment_file->count,
                                   .type = options->key_type,
                                   .option = grouped ? "group-by" : "keys",
                                   .file = grouped ? options->group_by : options->keys,
                                   .as_text = options->text_keys,
                                   .nan_keys = options->nan_keys,
                                   .nan_apart = !grouped};
    if (segment_file->keys.row_count > 0) return groups_of_lines(&lines, groups, error);
    return groups_of_numbers(segment_file, lines.file, options->nan_keys, groups, error);
}

void cli_groups_free(cli_groups *groups) {
    free(groups->rows);
    free(groups->offsets);
    for (int k = 0; k < CLI_KEYS_MAX; k++) {
        free(groups->keys[k].texts);
        cli_data_free(&groups->keys[k].numbers);
    }
    *groups = (cli_groups){.count = 0};
}
