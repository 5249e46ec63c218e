/* Numbers the texts of a column by a hash table with linear probing that is half full at most. */
#include "key_column.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE_BYTES = 1 << 16, FIRST_ROOM = 1 << 10 };

/* FNV-1a (Fowler, Noll, Vo), its high bits mixed into the low ones that choose a slot. */
static uint64_t hash_of(const char *begin, size_t length) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)begin[i]) * 0x100000001b3u;
    return hash ^ hash >> 32;
}

/* The slot that holds a text, or the free one in which it belongs. */
static uint64_t *slot_of(const cli_key_column *column, const char *begin, size_t length) {
    const uint64_t mask = 2 * column->room - 1;
    for (uint64_t at = hash_of(begin, length) & mask;; at = (at + 1) & mask) {
        uint64_t *slot = &column->slots[at];
        if (*slot == 0) return slot;
        const cli_key_text *text = &column->texts[*slot - 1];
        if (text->length == length && memcmp(text->begin, begin, length) == 0) return slot;
    }
}

/* Doubles the room for keys. */
static bool grow_keys(cli_key_column *column) {
    const uint64_t room = column->room > 0 ? 2 * column->room : FIRST_ROOM;
    cli_key_text *texts = realloc(column->texts, room * sizeof *texts);
    if (texts == NULL) return false;
    column->texts = texts;
    uint64_t *slots = calloc(2 * room, sizeof *slots);
    if (slots == NULL) return false;
    free(column->slots);
    column->slots = slots;
    column->room = room;
    for (uint64_t i = 0; i < column->count; i++) *slot_of(column, texts[i].begin, texts[i].length) = i + 1;
    return true;
}

/* Memory for a text of so many bytes; NULL: out of memory. A stored text does not move. */
static char *place_for(cli_key_column *column, size_t length) {
    if (column->page_room - column->page_used < length || column->page_count == 0) {
        const size_t room = length > PAGE_BYTES ? length : PAGE_BYTES;
        char **pages = realloc(column->pages, (column->page_count + 1) * sizeof *pages);
        if (pages == NULL) return NULL;
        column->pages = pages;
        pages[column->page_count] = malloc(room);
        if (pages[column->page_count] == NULL) return NULL;
        column->page_count++;
        column->page_room = room;
        column->page_used = 0;
    }
    return column->pages[column->page_count - 1] + column->page_used;
}

/* Writes the number of a key, which is added where it is new. */
static bool number_of(cli_key_column *column, const char *begin, size_t length, uint64_t *number) {
    if (column->count == column->room && !grow_keys(column)) return false;
    uint64_t *slot = slot_of(column, begin, length);
    if (*slot == 0) {
        char *place = place_for(column, length);
        if (place == NULL) return false;
        memcpy(place, begin, length);
        column->page_used += length;
        column->texts[column->count++] = (cli_key_text){.begin = place, .length = length};
        *slot = column->count;
    }
    *number = *slot - 1;
    return true;
}

/* The same for a text whose quotes stand twice. */
static bool number_of_doubled(cli_key_column *column, const char *begin, const char *end, uint64_t *number) {
    char *single = malloc((size_t)(end - begin) + 1);
    size_t length = 0;
    if (single == NULL) return false;
    for (const char *c = begin; c < end; c++) {
        single[length++] = *c;
        c += *c == '"' && c + 1 < end && c[1] == '"';
    }
    const bool done = number_of(column, single, length, number);
    free(single);
    return done;
}

static bool grow_rows(cli_key_column *column) {
    if (column->row_count < column->row_room) return true;
    const uint64_t room = column->row_room > 0 ? 2 * column->row_room : FIRST_ROOM;
    uint64_t *rows = realloc(column->rows, room * sizeof *rows);
    if (rows == NULL) return false;
    column->rows = rows;
    column->row_room = room;
    return true;
}

bool cli_key_column_append_missing(cli_key_column *column) {
    if (!grow_rows(column)) return false;
    column->rows[column->row_count++] = CLI_KEY_MISSING;
    return true;
}

bool cli_key_column_append(cli_key_column *column, const char *begin, const char *end, bool doubled) {
    uint64_t number;
    if (!grow_rows(column)) return false;
    if (doubled ? !number_of_doubled(column, begin, end, &number)
                : !number_of(column, begin, (size_t)(end - begin), &number))
        return false;
    column->rows[column->row_count++] = number;
    return true;
}

void cli_key_column_free(cli_key_column *column) {
    if (column->lent) *column = (cli_key_column){.count = 0};
    for (uint64_t i = 0; i < column->page_count; i++) free(column->pages[i]);
    free(column->pages);
    free(column->rows);
    free(column->texts);
    free(column->slots);
    free(column->joined);
    *column = (cli_key_column){.count = 0};
}
