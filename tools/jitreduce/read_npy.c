/* Reads .npy files: in place where order and alignment allow, else through a copy. */
#include <stdlib.h>
#include <string.h>

#include "npy_header.h"
#include "readers.h"

static void swap_copy(char *to, const char *from, uint64_t count, size_t size) {
    for (uint64_t i = 0; i < count; i++, to += size, from += size)
        for (size_t byte = 0; byte < size; byte++) to[byte] = from[size - 1 - byte];
}

static cli_exit check_size(const cli_bytes *bytes, const cli_npy_header *header, cli_error *error) {
    uint64_t promised = header->count * jr_type_size(header->type); /* cannot overflow: the header parser checked */
    uint64_t present = bytes->size - header->offset;
    unsigned long long end = header->offset + promised, rest = present - promised;
    if (promised > present)
        return cli_fail(error, CLI_FAILURE,
                        "%s: byte %zu: the file ends early: the header says %llu elements of %s (%llu bytes) from byte "
                        "%llu on, and %llu bytes are there",
                        bytes->name, bytes->size, (unsigned long long)header->count, jr_type_name(header->type),
                        (unsigned long long)promised, (unsigned long long)header->offset, (unsigned long long)present);
    if (promised < present)
        return cli_fail(error, CLI_FAILURE, "%s: byte %llu: %llu byte%s after the last element", bytes->name, end, rest,
                        rest == 1 ? "" : "s");
    return CLI_OK;
}

cli_exit cli_read_npy(const cli_bytes *bytes, jr_type type, cli_data *data, cli_error *error) {
    cli_npy_header header;
    cli_exit code = cli_npy_header_parse(bytes, &header, error);
    if (code == CLI_OK) code = check_size(bytes, &header, error);
    if (code != CLI_OK) return code;
    if (header.fortran_order)
        return cli_fail(error, CLI_FAILURE,
                        "%s: Fortran order is read for one dimension only; save numpy.ascontiguousarray(array)",
                        bytes->name);
    if (type != JR_TYPE_NONE && type != header.type)
        return cli_fail(error, CLI_FAILURE, "%s: holds %s, but %s is wanted", bytes->name, jr_type_name(header.type),
                        jr_type_name(type));
    size_t size = jr_type_size(header.type);
    const char *elements = bytes->data + header.offset;
    bool aligned = (uintptr_t)elements % size == 0;
    if (!header.swapped && aligned) {
        const cli_data found = {
            .type = header.type, .count = header.count, .elements = elements, .shape = header.shape};
        code = cli_data_check_bools(&found, header.offset, bytes->name, error);
        if (code == CLI_OK) *data = found;
        return code;
    }
    code = cli_data_create(data, header.type, size, header.count, bytes->name, error);
    if (code != CLI_OK) return code;
    data->shape = header.shape;
    if (header.swapped)
        swap_copy(data->owned, elements, header.count, size);
    else
        memcpy(data->owned, elements, header.count * size);
    return CLI_OK;
}
