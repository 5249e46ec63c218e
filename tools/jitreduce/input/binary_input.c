/* Reads arrays and raw files in blocks of whole items: bytes after a block's last item go to the beginning of the next
 * block. */
#include "binary_input.h"

#include <stdlib.h>
#include <string.h>

#include "readers.h"

enum { BLOCK_BYTES = 1 << 20 };

static cli_exit fail_memory(const char *name, cli_error *error) {
    return cli_fail(error, CLI_FAILURE, "%s: out of memory for elements", name);
}

/* Consecutive items. */
typedef struct batch {
    const cli_npy_header *header;
    const char *name, *from; /* the file's; the first item */
    uint64_t count, at;      /* items; where they begin in the file */
} batch;

/* Leaves out what is to be skipped, and what follows the last element that is wanted. */
static void narrow(batch *found, cli_binary_reader *reader) {
    const uint64_t skipped = reader->skip < found->count ? reader->skip : found->count;
    reader->elements += found->count;
    reader->skip -= skipped;
    found->from += skipped * found->header->item_bytes;
    found->at += skipped * found->header->item_bytes;
    found->count -= skipped;
    if (found->count > reader->left) found->count = reader->left;
    if (reader->left != UINT64_MAX) reader->left -= found->count;
}

/* Appends the element of each item to the vector. */
static cli_exit append(batch found, cli_binary_reader *reader, cli_error *error) {
    narrow(&found, reader);
    cli_vector *vector = reader->vector;
    const cli_npy_header *header = found.header;
    const size_t size = vector->size;
    const uint64_t count = found.count;
    if (count == 0) return CLI_OK;
    if (!cli_vector_grow_by(vector, count * size)) return fail_memory(found.name, error);
    char *to = vector->bytes + vector->used;
    if (header->item_bytes == size)
        memcpy(to, found.from, count * size);
    else
        for (uint64_t i = 0; i < count; i++)
            memcpy(to + i * size, found.from + i * header->item_bytes + header->field_offset, size);
    if (header->swapped) cli_npy_swap(to, count, size);
    const cli_data added = {.type = vector->type, .count = count, .elements = to};
    vector->used += count * size;
    return cli_data_check_bools(&added, found.at, found.name, error);
}

/* ---- parts that stream ---- */

/* Bytes that the block takes: no more than what is wanted, for which a slow pipe is not waited. */
static size_t block_bytes(const cli_binary_reader *reader, const cli_npy_header *header) {
    uint64_t items, bytes;
    if (__builtin_add_overflow(reader->skip, reader->left, &items)) return BLOCK_BYTES;
    if (__builtin_mul_overflow(items, header->item_bytes, &bytes)) return BLOCK_BYTES;
    return bytes < BLOCK_BYTES ? (size_t)bytes : BLOCK_BYTES;
}

/* Fills the block; of a file that has ended it stays as it is. */
static cli_exit fill(cli_binary_reader *reader, cli_source *source, size_t room, cli_error *error) {
    while (reader->filled < room && !reader->ended) {
        size_t got;
        const cli_exit code =
            cli_source_read(source, reader->block + reader->filled, room - reader->filled, &got, error);
        if (code != CLI_OK) return code;
        reader->filled += got;
        reader->ended = got == 0;
    }
    return CLI_OK;
}

/* Takes the items that the block has whole. */
static cli_exit take(cli_binary_reader *reader, const cli_part *part, cli_error *error) {
    const cli_npy_header *header = &part->header;
    const uint64_t whole = reader->filled / header->item_bytes, left = header->count - reader->taken;
    const uint64_t count = whole < left ? whole : left;
    const size_t bytes = (size_t)(count * header->item_bytes);
    const cli_exit code =
        append((batch){header, part->source.name, reader->block, count, reader->begin}, reader, error);
    reader->filled -= bytes;
    reader->begin += bytes;
    reader->taken += count;
    memmove(reader->block, reader->block + bytes, reader->filled);
    return code;
}

/* Holds what follows the last item against what the header says. */
static cli_exit check_end(const cli_binary_reader *reader, const cli_part *part, cli_error *error) {
    const char *name = part->source.name;
    const cli_npy_header *header = &part->header;
    const uint64_t present = reader->begin + reader->filled - header->offset;
    if (header->count == UINT64_MAX)
        return cli_raw_check_size(name, present, reader->vector->type, header->item_bytes, error);
    if (reader->ended) return cli_npy_check_size(name, present, header, error);
    return cli_fail(error, CLI_FAILURE, "%s: byte %llu: bytes follow the last element", name,
                    (unsigned long long)reader->begin);
}

/* The header was looked at, and is still to be read. */
static cli_exit begin_stream(cli_binary_reader *reader, cli_part *part, cli_error *error) {
    uint64_t bytes = part->header.offset;
    cli_exit code = CLI_OK;
    if (reader->block == NULL) reader->block = malloc(BLOCK_BYTES);
    if (reader->block == NULL) return fail_memory(part->source.name, error);
    for (size_t got; code == CLI_OK && bytes > 0; bytes -= got)
        code = cli_source_read(&part->source, reader->block, bytes < BLOCK_BYTES ? (size_t)bytes : BLOCK_BYTES, &got,
                               error);
    reader->filled = 0;
    reader->begin = part->header.offset;
    reader->taken = 0;
    reader->ended = false;
    return code;
}

/* *more: whether the part has more to come. */
static cli_exit read_stream(cli_binary_reader *reader, cli_part *part, bool *more, cli_error *error) {
    cli_exit code = reader->begun ? CLI_OK : begin_stream(reader, part, error);
    const uint64_t before = reader->taken;
    if (code == CLI_OK) code = fill(reader, &part->source, block_bytes(reader, &part->header), error);
    if (code == CLI_OK) code = take(reader, part, error);
    cli_progress_reading(reader->progress, &part->source);
    *more = reader->taken > before;
    return code == CLI_OK && !*more ? check_end(reader, part, error) : code;
}

/* ---- parts that were mapped ---- */

static cli_exit begin_mapped(cli_binary_reader *reader, cli_part *part, cli_error *error) {
    const cli_bytes *bytes = cli_part_bytes(part);
    const cli_vector *vector = reader->vector;
    reader->taken = 0;
    return part->format == CLI_FORMAT_NPY ? cli_read_npy(bytes, vector->type, &part->data, error)
                                          : cli_read_raw(bytes, vector->type, vector->size, &part->data, error);
}

static cli_exit read_mapped(cli_binary_reader *reader, cli_part *part, bool *more, cli_error *error) {
    const size_t size = reader->vector->size;
    const cli_npy_header plain = {.item_bytes = size};
    const cli_exit code = reader->begun ? CLI_OK : begin_mapped(reader, part, error);
    if (code != CLI_OK) return code;
    const uint64_t at = reader->taken, left = part->data.count - at, most = BLOCK_BYTES / size;
    const uint64_t count = left < most ? left : most;
    const char *from = (const char *)part->data.elements + at * size;
    reader->taken += count;
    *more = reader->taken < part->data.count;
    return append((batch){&plain, cli_part_bytes(part)->name, from, count, at * size}, reader, error);
}

/* ---- all of them ---- */

cli_exit cli_binary_read(cli_binary_reader *reader, bool *more, cli_error *error) {
    *more = reader->at < reader->part_count && reader->left > 0;
    if (!*more) return CLI_OK;
    cli_part *part = &reader->parts[reader->at];
    const cli_exit code = (part->streams ? read_stream : read_mapped)(reader, part, &reader->begun, error);
    if (!reader->begun) reader->at++;
    return code;
}

void cli_binary_close(cli_binary_reader *reader) {
    free(reader->block);
    reader->block = NULL;
}

cli_exit cli_binary_keep(cli_part *part, jr_type type, size_t bytes, uint64_t wanted, cli_error *error) {
    cli_vector vector = {.type = type, .size = bytes};
    cli_binary_reader reader = {.parts = part, .part_count = 1, .vector = &vector, .left = wanted};
    const bool reorder = part->header.fortran_order;
    cli_exit code = CLI_OK;
    part->source.keeps = true;
    if (reorder) reader.left = UINT64_MAX;
    for (bool more = true; code == CLI_OK && more;) code = cli_binary_read(&reader, &more, error);
    cli_binary_close(&reader);
    if (code == CLI_OK && reorder) code = cli_npy_reorder(&part->header, &vector, part->source.name, error);
    if (code == CLI_OK) {
        cli_vector_finish(&vector, &part->data);
        part->data.shape = part->header.shape;
    }
    free(vector.bytes);
    return code;
}
