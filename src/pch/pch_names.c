/* Finds words. All parts of the names are kept by their hash, and each text is read once, whatever the number of names:
 * headers have megabytes. */
#include "pch_names.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES_MAX = 128, PARTS_MAX = 1 << 16 };

/* A part of a name. */
typedef struct part {
    const char *at;
    size_t length; /* 0: the place is free */
    bool found;    /* some text has it as a word */
} part;

/* What a byte of a text is. */
enum { BETWEEN_WORDS = 0, OF_OTHER_WORDS = 1, OF_A_NAME = 2 };

typedef struct parts {
    part *places;
    size_t mask;    /* of a hash */
    size_t longest; /* name */
    uint8_t kinds[256];
} parts;

static const uint32_t hash_begin = 2166136261u;

/* FNV-1a. */
static uint32_t hash_add(uint32_t hash, char byte) {
    return (hash ^ (unsigned char)byte) * 16777619u;
}

/* The place of a part, or a free one. */
static part *place_of(const parts *all, const char *at, size_t length, uint32_t hash) {
    size_t i = hash & all->mask;
    while (all->places[i].length != 0 &&
           (all->places[i].length != length || memcmp(all->places[i].at, at, length) != 0))
        i = (i + 1) & all->mask;
    return &all->places[i];
}

/* ---- the names ---- */

static bool is_of_word(char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') || byte == '_';
}

static void add_name(parts *all, const char *name, size_t length) {
    for (size_t from = 0; from < length; from++) {
        uint32_t hash = hash_begin;
        all->kinds[(unsigned char)name[from]] = OF_A_NAME;
        for (size_t to = from; to < length; to++) {
            hash = hash_add(hash, name[to]);
            *place_of(all, name + from, to + 1 - from, hash) = (part){name + from, to + 1 - from, false};
        }
    }
}

/* False: there are too many parts, or there is no memory. */
static bool open_parts(const jr_program *program, parts *all) {
    size_t count = 0, places = 16;
    for (size_t i = 0; i < program->constant_count; i++) {
        const size_t length = strlen(program->constants[i].name);
        if (length > NAME_BYTES_MAX) return false;
        if (length > all->longest) all->longest = length;
        count += length * (length + 1) / 2;
    }
    if (count > PARTS_MAX) return false;
    while (places < 2 * count) places *= 2;
    for (int byte = 0; byte < 256; byte++) all->kinds[byte] = is_of_word((char)byte) ? OF_OTHER_WORDS : BETWEEN_WORDS;
    all->mask = places - 1;
    all->places = calloc(places, sizeof *all->places);
    for (size_t i = 0; all->places != NULL && i < program->constant_count; i++)
        add_name(all, program->constants[i].name, strlen(program->constants[i].name));
    return all->places != NULL;
}

/* Can WORDS_MAX words that were found be joined to the name? CUB's headers have each letter as a word, so that of more
 * words every name can be made, and no header makes one so. */
static bool can_be_made(const parts *all, const char *name) {
    enum { WORDS_MAX = 3 };
    const size_t length = strlen(name);
    uint8_t words[NAME_BYTES_MAX + 1]; /* of how many words the first bytes can be made */
    memset(words, UINT8_MAX, sizeof words);
    words[0] = 0;
    for (size_t from = 0; from < length; from++) {
        uint32_t hash = hash_begin;
        for (size_t to = from; words[from] < WORDS_MAX && to < length; to++) {
            hash = hash_add(hash, name[to]);
            const bool found = place_of(all, name + from, to + 1 - from, hash)->found;
            if (found && words[from] + 1 < words[to + 1]) words[to + 1] = (uint8_t)(words[from] + 1);
        }
    }
    return words[length] <= WORDS_MAX;
}

/* ---- the texts ---- */

/* Past ends of lines that a backslash precedes: a word continues after them. */
static const char *past_splices(const char *at, const char *end) {
    for (size_t bytes; at < end && *at == '\\'; at += bytes) {
        bytes = end - at > 1 && at[1] == '\n' ? 2 : end - at > 2 && at[1] == '\r' && at[2] == '\n' ? 3 : 0;
        if (bytes == 0) break;
    }
    return at;
}

static void find_words(parts *all, const char *text, size_t bytes) {
    const char *const end = text + bytes;
    const uint8_t *const kinds = all->kinds;
    char word[NAME_BYTES_MAX];
    for (const char *at = text;;) {
        while (at < end && kinds[(unsigned char)*at] == BETWEEN_WORDS) at++;
        if (at == end) return;
        size_t length = 0;
        uint32_t hash = hash_begin;
        for (; at < end && kinds[(unsigned char)*at] == OF_A_NAME && length < all->longest; at++) {
            word[length++] = *at;
            hash = hash_add(hash, *at);
            if (at + 1 < end && at[1] == '\\') at = past_splices(at + 1, end) - 1;
        }
        const bool whole = at == end || kinds[(unsigned char)*at] == BETWEEN_WORDS;
        while (at < end && kinds[(unsigned char)*at] != BETWEEN_WORDS) at++;
        part *place = whole && length > 0 ? place_of(all, word, length, hash) : NULL;
        if (place != NULL && place->length != 0) place->found = true;
    }
}

bool jr_pch_names_used(const jr_program *program, const jr_headers *headers, const char *prefix, size_t prefix_bytes) {
    parts all = {0};
    if (program->constant_count == 0) return false;
    bool used = !open_parts(program, &all);
    if (!used) {
        find_words(&all, prefix, prefix_bytes);
        for (size_t i = 0; i < headers->count; i++) find_words(&all, headers->texts[i], strlen(headers->texts[i]));
        for (size_t i = 0; i < program->constant_count; i++)
            used = used || can_be_made(&all, program->constants[i].name);
    }
    free(all.places);
    return used;
}
