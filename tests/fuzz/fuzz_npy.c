/* .npy files: the header, and the elements behind it; .npz files. */
#include <string.h>

#include "fuzz.h"
#include "npy_header.h"
#include "npz.h"
#include "readers.h"

/* A zip archive, and what it holds. */
static void read_archive(const cli_bytes *bytes) {
    static cli_error error;
    cli_bytes member;
    cli_data elements;
    if (!cli_npz_recognise(bytes) || cli_npz_find(bytes, NULL, &member, &error) != CLI_OK) return;
    if (cli_read_npy(&member, JR_TYPE_NONE, &elements, &error) == CLI_OK) cli_data_free(&elements);
    cli_bytes_free(&member);
}

/* The field of a structured type. */
static void read_field(cli_bytes bytes) {
    static cli_error error;
    cli_data elements;
    bytes.field = "a.b";
    if (cli_read_npy(&bytes, JR_TYPE_NONE, &elements, &error) == CLI_OK) cli_data_free(&elements);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static cli_error error;
    cli_npy_header header;
    cli_data elements = {0};
    const cli_bytes bytes = {.name = "input", .data = (const char *)data, .size = size};
    (void)cli_npy_recognise(&bytes);
    read_archive(&bytes);
    read_field(bytes);
    error.message[0] = '\0';
    if (cli_npy_header_parse(&bytes, &header, &error) == CLI_OK)
        fuzz_demand(header.offset <= size && jr_type_size(header.type) > 0);
    else
        fuzz_demand(error.message[0] != '\0');
    if (cli_read_npy(&bytes, JR_TYPE_NONE, &elements, &error) == CLI_OK) {
        unsigned char last[16];
        const size_t each = jr_type_size(elements.type);
        if (elements.count > 0) memcpy(last, (const char *)elements.elements + (elements.count - 1) * each, each);
        cli_data_free(&elements);
    }
    return 0;
}
