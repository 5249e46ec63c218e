/* Reads raw binary files: the bytes are the elements. */
#include "readers.h"

cli_exit cli_raw_check_size(const char *name, uint64_t present, jr_type type, size_t element_bytes, cli_error *error) {
    const uint64_t rest = present % element_bytes;
    if (rest == 0) return CLI_OK;
    return cli_fail(error, CLI_FAILURE, "%s: byte %llu: the file ends inside an element: %llu bytes, %s takes %zu",
                    name, (unsigned long long)(present - rest), (unsigned long long)present, cli_type_name(type),
                    element_bytes);
}

cli_exit cli_read_raw(const cli_bytes *bytes, jr_type type, size_t element_bytes, cli_data *data, cli_error *error) {
    const uint64_t present = bytes->size / element_bytes;
    const bool enough = bytes->wanted > 0 && bytes->wanted <= present; /* what follows is not looked at */
    const cli_exit fits = enough ? CLI_OK : cli_raw_check_size(bytes->name, bytes->size, type, element_bytes, error);
    if (fits != CLI_OK) return fits;
    const cli_data found = {.type = type, .count = enough ? bytes->wanted : present, .elements = bytes->data};
    cli_exit code = cli_data_check_bools(&found, 0, bytes->name, error);
    if (code == CLI_OK) *data = found;
    return code;
}
