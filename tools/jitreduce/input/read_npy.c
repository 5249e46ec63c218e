/* Reads .npy files: in place where order and alignment allow, else through a copy. */
#include <stdlib.h>
#include <string.h>

#include "npy/npy_header.h"
#include "npy/npy_type.h"
#include "readers.h"

void cli_npy_swap(char *elements, uint64_t count, size_t size) {
    for (uint64_t i = 0; i < count; i++, elements += size)
        for (size_t low = 0, high = size - 1; low < high; low++, high--) {
            const char kept = elements[low];
            elements[low] = elements[high];
            elements[high] = kept;
        }
}

/* How far apart two items are that follow each other along each dimension. */
static void find_strides(const cli_npy_header *header, uint64_t strides[JR_DIMENSIONS_MAX]) {
    const cli_shape *shape = &header->shape;
    uint64_t step = header->item_bytes;
    for (int i = 0; i < shape->dimensions; i++) {
        const int along = header->fortran_order ? i : shape->dimensions - 1 - i;
        strides[along] = step;
        step *= shape->sizes[along];
    }
}

/* Copies elements into C order, each from its place in its item. */
static void gather(const cli_npy_header *header, const char *items, char *to, size_t size) {
    const cli_shape *shape = &header->shape;
    uint64_t strides[JR_DIMENSIONS_MAX], index[JR_DIMENSIONS_MAX] = {0};
    const char *from = items + header->field_offset;
    find_strides(header, strides);
    for (uint64_t i = 0; i < header->count; i++, to += size) {
        memcpy(to, from, size);
        for (int d = shape->dimensions - 1; d >= 0; d--) {
            from += strides[d];
            if (++index[d] < shape->sizes[d]) break;
            from -= strides[d] * shape->sizes[d];
            index[d] = 0;
        }
    }
}

static cli_exit fail_dimensions(const cli_npy_header *header, const char *name, cli_error *error) {
    return cli_fail(error, CLI_FAILURE, "%s: has %d dimensions; fields and Fortran order are read up to %d dimensions",
                    name, header->shape.dimensions, JR_DIMENSIONS_MAX);
}

cli_exit cli_npy_reorder(const cli_npy_header *header, cli_vector *vector, const char *name, cli_error *error) {
    cli_npy_header plain = *header;
    cli_data ordered;
    if (header->shape.dimensions > JR_DIMENSIONS_MAX) return fail_dimensions(header, name, error);
    const cli_exit code = cli_data_create(&ordered, vector->type, vector->size, header->count, name, error);
    if (code != CLI_OK) return code;
    plain.item_bytes = vector->size;
    plain.field_offset = 0;
    gather(&plain, vector->bytes, ordered.owned, vector->size);
    free(vector->bytes);
    vector->bytes = ordered.owned;
    vector->capacity = vector->used;
    return CLI_OK;
}

/* If only the first elements of an array are wanted, and present, the rest of the file does not matter. */
static void shorten(const cli_bytes *bytes, cli_npy_header *header, uint64_t *present) {
    if (bytes->wanted == 0 || bytes->wanted >= header->count || header->fortran_order) return;
    if (*present / header->item_bytes < bytes->wanted) return;
    header->count = bytes->wanted;
    *present = header->count * header->item_bytes;
}

cli_exit cli_npy_check_size(const char *name, uint64_t present, const cli_npy_header *header, cli_error *error) {
    const uint64_t promised = header->count * header->item_bytes; /* cannot overflow: the header parser checked */
    const unsigned long long end = header->offset + promised, rest = present - promised;
    if (promised > present)
        return cli_fail(
            error, CLI_FAILURE,
            "%s: byte %llu: the file ends early: the header promises %llu elements of %s (%llu bytes) from byte "
            "%llu on, but only %llu bytes follow",
            name, (unsigned long long)(header->offset + present), (unsigned long long)header->count,
            jr_type_name(header->type), (unsigned long long)promised, (unsigned long long)header->offset,
            (unsigned long long)present);
    if (promised < present)
        return cli_fail(error, CLI_FAILURE, "%s: byte %llu: %llu byte%s after the last element", name, end, rest,
                        rest == 1 ? "" : "s");
    return CLI_OK;
}

bool cli_npy_stands_for(const cli_npy_header *header, jr_type type) {
    if (!header->unnamed) return type == header->type;
    return jr_type_class_of(type) == JR_CLASS_FLOAT && cli_npy_kind(type) == '\0' &&
           jr_type_size(type) == jr_type_size(header->type);
}

const char *cli_npy_word(const cli_npy_header *header) {
    return jr_type_size(header->type) == 2 ? "V2" : header->type == JR_E5M2 ? "f1" : "V1";
}

cli_exit cli_npy_fail_unnamed(const char *name, const cli_npy_header *header, cli_error *error) {
    const bool two = jr_type_size(header->type) == 2;
    return cli_fail(error, CLI_FAILURE,
                    "%s: elements of type '%s' (%s), which is not a NumPy type: give their type as -t %s", name,
                    cli_npy_word(header), two ? "2 bytes" : "1 byte", two ? "bf16" : "e4m3 or -t e5m2");
}

cli_exit cli_npy_fail_type(const char *name, const cli_npy_header *header, jr_type type, cli_error *error) {
    if (header->unnamed)
        cli_error_set(error, "%s: has elements of type '%s', which can be %s, but the type must be %s", name,
                      cli_npy_word(header), jr_type_size(header->type) == 2 ? "bf16" : "e4m3 or e5m2",
                      jr_type_name(type));
    else
        cli_error_set(error, "%s: has %s, but the type must be %s", name, jr_type_name(header->type),
                      jr_type_name(type));
    error->of_type = true;
    return CLI_FAILURE;
}

cli_exit cli_read_npy(const cli_bytes *bytes, jr_type type, cli_data *data, cli_error *error) {
    cli_npy_header header;
    cli_exit code = cli_npy_header_parse(bytes, &header, error);
    if (code != CLI_OK) return code;
    uint64_t present = bytes->size - header.offset;
    shorten(bytes, &header, &present);
    code = cli_npy_check_size(bytes->name, present, &header, error);
    if (code != CLI_OK) return code;
    const bool apart = header.item_bytes != jr_type_size(header.type); /* one field of several */
    if ((header.fortran_order || apart) && header.shape.dimensions > JR_DIMENSIONS_MAX)
        return fail_dimensions(&header, bytes->name, error);
    if (type == JR_TYPE_NONE && header.unnamed) return cli_npy_fail_unnamed(bytes->name, &header, error);
    if (type != JR_TYPE_NONE && !cli_npy_stands_for(&header, type))
        return cli_npy_fail_type(bytes->name, &header, type, error);
    if (header.unnamed) header.type = type;
    size_t size = jr_type_size(header.type);
    const char *elements = bytes->data + header.offset;
    bool aligned = (uintptr_t)elements % size == 0;
    if (!header.swapped && aligned && !apart && !header.fortran_order) {
        const cli_data found = {
            .type = header.type, .count = header.count, .elements = elements, .shape = header.shape};
        code = cli_data_check_bools(&found, header.offset, bytes->name, error);
        if (code == CLI_OK) *data = found;
        return code;
    }
    code = cli_data_create(data, header.type, size, header.count, bytes->name, error);
    if (code != CLI_OK) return code;
    data->shape = header.shape;
    if (header.fortran_order || apart)
        gather(&header, elements, data->owned, size);
    else
        memcpy(data->owned, elements, header.count * size);
    if (header.swapped) cli_npy_swap(data->owned, header.count, size);
    code = cli_data_check_bools(data, header.offset, bytes->name, error);
    if (code != CLI_OK) cli_data_free(data);
    return code;
}
