/* Writes .npy files of format 1 in C order (numpy/lib/format.py), whole or not at all. */
#include "npy_write.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "io/new_file.h"
#include "npy_type.h"

/* Magic, version and length take 10 bytes; the elements begin at a multiple of 64, as NumPy has them. Eight dimensions
 * of 20 digits leave room. */
enum { PREAMBLE_BYTES = 10, HEADER_BYTES = CLI_NPY_HEADER_BYTES };

cli_exit cli_npy_check_type(jr_type type, cli_error *error) {
    if (type == JR_STRUCT)
        return cli_fail(error, CLI_USAGE, "--output: an .npy file cannot hold structs; .csv, .tsv, .json and .txt can");
    if (cli_npy_kind(type) == '\0')
        return cli_fail(error, CLI_USAGE, "--output: NumPy has no %s; give --result f32", jr_type_name(type));
    return CLI_OK;
}

size_t cli_npy_header_write(const cli_data *data, unsigned char header[HEADER_BYTES]) {
    static const unsigned char magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0};
    const size_t size = jr_type_size(data->type);
    char text[HEADER_BYTES];
    int used = snprintf(text, sizeof text, "{'descr': '%c%c%zu', 'fortran_order': False, 'shape': (",
                        size == 1             ? '|'
                        : cli_little_endian() ? '<'
                                              : '>',
                        cli_npy_kind(data->type), size);
    for (int i = 0; i < data->shape.dimensions; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%s%llu", i > 0 ? ", " : "",
                         (unsigned long long)data->shape.sizes[i]);
    used += snprintf(text + used, sizeof text - (size_t)used, "%s), }", data->shape.dimensions == 1 ? "," : "");
    const size_t end = (PREAMBLE_BYTES + (size_t)used + 1 + 63) / 64 * 64, length = end - PREAMBLE_BYTES;
    memset(header, ' ', end);
    memcpy(header, magic, sizeof magic);
    header[8] = (unsigned char)(length & 0xff);
    header[9] = (unsigned char)(length >> 8);
    memcpy(header + PREAMBLE_BYTES, text, (size_t)used);
    header[end - 1] = '\n';
    return end;
}

/* The errno of the failure, or 0. */
cli_exit cli_npy_write(const char *option, const char *path, const cli_data *data, cli_error *error) {
    unsigned char header[HEADER_BYTES];
    cli_new_file made;
    const cli_exit code = cli_new_file_create(option, path, &made, error);
    if (code != CLI_OK) return code;
    int failure = cli_new_file_write(&made, header, cli_npy_header_write(data, header));
    if (failure == 0) failure = cli_new_file_write(&made, data->elements, data->count * jr_type_size(data->type));
    return cli_new_file_finish(&made, failure, error);
}
