/* Reads raw binary files: the bytes are the elements. */
#include "readers.h"

cli_exit cli_read_raw(const cli_bytes *bytes, jr_type type, size_t element_bytes, cli_data *data, cli_error *error) {
    size_t rest = bytes->size % element_bytes;
    if (rest != 0)
        return cli_fail(error, CLI_FAILURE, "%s: byte %zu: the file ends inside an element: %zu bytes, %s takes %zu",
                        bytes->name, bytes->size - rest, bytes->size, cli_type_name(type), element_bytes);
    const cli_data found = {.type = type, .count = bytes->size / element_bytes, .elements = bytes->data};
    cli_exit code = cli_data_check_bools(&found, 0, bytes->name, error);
    if (code == CLI_OK) *data = found;
    return code;
}
