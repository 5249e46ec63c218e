/* Joins the parts of a key and finds them again. */
#include "key_parts.h"

#include <stdlib.h>
#include <string.h>

static bool make_room(cli_key_column *column, size_t bytes) {
    if (column->joined_room >= bytes) return true;
    char *larger = realloc(column->joined, 2 * bytes);
    if (larger == NULL) return false;
    column->joined = larger;
    column->joined_room = 2 * bytes;
    return true;
}

/* Copies a part, its quotes once; returns its length. */
static size_t copy_part(const cli_key_part *part, char *to) {
    size_t length = 0;
    if (!part->doubled) {
        memcpy(to, part->begin, (size_t)(part->end - part->begin));
        return (size_t)(part->end - part->begin);
    }
    for (const char *c = part->begin; c < part->end; c++) {
        to[length++] = *c;
        c += *c == '"' && c + 1 < part->end && c[1] == '"';
    }
    return length;
}

bool cli_key_parts_append(cli_key_column *column, const cli_key_part *parts, int count) {
    size_t bytes = 0;
    for (int i = 0; i < count; i++) bytes += sizeof(size_t) + (size_t)(parts[i].end - parts[i].begin);
    if (!make_room(column, bytes)) return false;
    char *at = column->joined;
    for (int i = 0; i < count; i++) {
        const size_t length = copy_part(&parts[i], at + sizeof length);
        memcpy(at, &length, sizeof length);
        at += sizeof length + length;
    }
    return cli_key_column_append(column, column->joined, at, false);
}

cli_key_text cli_key_parts_find(const cli_key_text *text, int index) {
    const char *at = text->begin;
    size_t length = 0;
    for (int i = 0; i <= index; i++) {
        at += length;
        memcpy(&length, at, sizeof length);
        at += sizeof length;
    }
    return (cli_key_text){.begin = at, .length = length};
}
