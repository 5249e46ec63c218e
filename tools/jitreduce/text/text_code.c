/* Finds the place of a field among texts by halving. */
#include "text_code.h"

#include <string.h>

/* Compares a field whose quotes stand twice, which count once. */
static int compare_doubled(const cli_field *field, const cli_literal *text) {
    size_t i = 0;
    for (const char *c = field->begin; c < field->end; c++, i++) {
        const unsigned char of_text = i < text->length ? (unsigned char)text->begin[i] : 0,
                            of_field = (unsigned char)*c;
        if (i == text->length || of_field != of_text) return i == text->length || of_field > of_text ? 1 : -1;
        c += *c == '"' && c + 1 < field->end && c[1] == '"';
    }
    return i < text->length ? -1 : 0;
}

static int compare(const cli_field *field, const cli_literal *text) {
    const size_t length = (size_t)(field->end - field->begin), least = length < text->length ? length : text->length;
    if (field->doubled) return compare_doubled(field, text);
    const int order = least > 0 ? memcmp(field->begin, text->begin, least) : 0;
    return order != 0 ? order : (length > text->length) - (length < text->length);
}

uint64_t cli_text_code(const cli_literals *texts, const cli_field *field) {
    int low = 0, high = texts->count;
    while (low < high) {
        const int middle = low + (high - low) / 2, order = compare(field, &texts->texts[middle]);
        if (order == 0) return 2 * (uint64_t)middle + 1;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return 2 * (uint64_t)low;
}
