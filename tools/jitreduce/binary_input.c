/* Reads arrays and raw files in blocks of whole items: what a block has behind its last one stands at the head of the
 * next. */
#include "binary_input.h"

#include <stdlib.h>
#include <string.h>

#include "readers.h"

enum { BLOCK_BYTES = 1 << 20 };

typedef struct items {
    cli_source *source;
    const cli_npy_header *header;
    char *block;
    size_t filled, room; /* bytes of the block */
    uint64_t begin;      /* where the block begins in the file */
    uint64_t taken;      /* items */
    bool ended;
} items;

static cli_exit fail_memory(const char *name, cli_error *error) {
    return cli_fail(error, CLI_FAILURE, "%s: out of memory for elements", name);
}

/* Items that lie one behind the other. */
typedef struct batch {
    const cli_npy_header *header;
    const char *name, *from; /* the file's; the first item */
    uint64_t count, at;      /* items; where they begin in the file */
} batch;

/* Copies the element of each item behind those of the vector. */
static cli_exit append(const batch *found, cli_vector *vector, cli_error *error) {
    const cli_npy_header *header = found->header;
    const size_t size = vector->size;
    const uint64_t count = found->count;
    if (!cli_vector_grow_by(vector, count * size)) return fail_memory(found->name, error);
    char *to = vector->bytes + vector->used;
    if (header->item_bytes == size)
        memcpy(to, found->from, count * size);
    else
        for (uint64_t i = 0; i < count; i++)
            memcpy(to + i * size, found->from + i * header->item_bytes + header->field_offset, size);
    if (header->swapped) cli_npy_swap(to, count, size);
    const cli_data added = {.type = vector->type, .count = count, .elements = to};
    vector->used += count * size;
    return cli_data_check_bools(&added, found->at, found->name, error);
}

/* Fills the block; of a file that has ended it stays as it is. */
static cli_exit fill(items *it, cli_error *error) {
    while (it->filled < it->room && !it->ended) {
        size_t got;
        const cli_exit code = cli_source_read(it->source, it->block + it->filled, it->room - it->filled, &got, error);
        if (code != CLI_OK) return code;
        it->filled += got;
        it->ended = got == 0;
    }
    return CLI_OK;
}

/* Takes the items that the block has whole. */
static cli_exit take(items *it, const cli_binary_reading *reading, cli_error *error) {
    const cli_npy_header *header = it->header;
    const uint64_t whole = it->filled / header->item_bytes, left = header->count - it->taken;
    const uint64_t count = whole < left ? whole : left;
    const size_t bytes = (size_t)(count * header->item_bytes);
    const batch found = {header, it->source->name, it->block, count, it->begin};
    const cli_exit code = append(&found, reading->vector, error);
    it->filled -= bytes;
    it->begin += bytes;
    it->taken += count;
    memmove(it->block, it->block + bytes, it->filled);
    return code == CLI_OK ? reading->after(reading->user, error) : code;
}

/* Holds what stands behind the last item against what the header says. */
static cli_exit check_end(const items *it, jr_type type, cli_error *error) {
    const char *name = it->source->name;
    const uint64_t present = it->begin + it->filled - it->header->offset;
    if (it->header->count == UINT64_MAX) return cli_raw_check_size(name, present, type, it->header->item_bytes, error);
    if (it->ended) return cli_npy_check_size(name, present, it->header, error);
    return cli_fail(error, CLI_FAILURE, "%s: byte %llu: bytes follow the last element", name,
                    (unsigned long long)it->begin);
}

static cli_exit read_items(items *it, const cli_binary_reading *reading, cli_error *error) {
    cli_exit code = CLI_OK;
    bool more = true;
    while (code == CLI_OK && more) {
        const uint64_t before = it->taken;
        code = fill(it, error);
        if (code == CLI_OK) code = take(it, reading, error);
        cli_progress_reading(reading->progress, it->source);
        more = it->taken > before;
    }
    return code == CLI_OK ? check_end(it, reading->vector->type, error) : code;
}

/* The header was looked at, and is still to be read. */
static cli_exit skip_header(cli_source *source, uint64_t bytes, char *block, cli_error *error) {
    cli_exit code = CLI_OK;
    for (size_t got; code == CLI_OK && bytes > 0; bytes -= got)
        code = cli_source_read(source, block, bytes < BLOCK_BYTES ? (size_t)bytes : BLOCK_BYTES, &got, error);
    return code;
}

static cli_exit read_stream(cli_part *part, const cli_binary_reading *reading, cli_error *error) {
    items it = {.source = &part->source,
                .header = &part->header,
                .block = malloc(BLOCK_BYTES),
                .room = BLOCK_BYTES,
                .begin = part->header.offset};
    if (it.block == NULL) return fail_memory(part->source.name, error);
    cli_exit code = skip_header(it.source, it.header->offset, it.block, error);
    if (code == CLI_OK) code = read_items(&it, reading, error);
    part->data = (cli_data){.type = reading->vector->type, .count = it.taken, .shape = part->header.shape};
    free(it.block);
    return code;
}

/* What was mapped lies there. */
static cli_exit read_mapped(cli_part *part, const cli_binary_reading *reading, cli_error *error) {
    const size_t size = reading->vector->size;
    cli_exit code = part->format == CLI_FORMAT_NPY
                        ? cli_read_npy(&part->bytes, reading->vector->type, &part->data, error)
                        : cli_read_raw(&part->bytes, reading->vector->type, size, &part->data, error);
    const cli_npy_header plain = {.item_bytes = size};
    for (uint64_t at = 0, count; code == CLI_OK && at < part->data.count; at += count) {
        const uint64_t left = part->data.count - at, most = BLOCK_BYTES / size;
        count = left < most ? left : most;
        const batch found = {&plain, part->bytes.name, (const char *)part->data.elements + at * size, count, at * size};
        code = append(&found, reading->vector, error);
        if (code == CLI_OK) code = reading->after(reading->user, error);
    }
    return code;
}

cli_exit cli_binary_read(cli_part *part, const cli_binary_reading *reading, cli_error *error) {
    return (part->streams ? read_stream : read_mapped)(part, reading, error);
}
