/* Reads raw binary files: the bytes are the elements. */
#include "readers.h"

cli_exit cli_read_raw(const cli_bytes *bytes, jr_type type, cli_data *data, cli_error *error) {
    size_t size = jr_type_size(type);
    size_t rest = bytes->size % size;
    if (rest != 0)
        return cli_fail(error, CLI_FAILURE, "%s: byte %zu: the file ends inside an element: %zu bytes, %s takes %zu",
                        bytes->name, bytes->size - rest, bytes->size, jr_type_name(type), size);
    *data = (cli_data){.type = type, .count = bytes->size / size, .elements = bytes->data};
    return CLI_OK;
}
