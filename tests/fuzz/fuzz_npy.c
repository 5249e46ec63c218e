/* .npy files: the header, and the elements after it; .npz files. */
#include <string.h>

#include "fuzz.h"
#include "input/early.h"
#include "input/readers.h"
#include "npy/npy_header.h"
#include "npy/npz.h"

/* What a member unpacks to; one of more than 16 MiB is not unpacked. */
static void read_packed(const cli_packed_member *packed) {
    static const cli_options npy = {.format = CLI_FORMAT_NPY};
    static cli_error error;
    cli_source source;
    cli_bytes member;
    cli_data elements;
    if (packed->bytes > 1 << 24 || cli_source_open_member(packed, &source, &error) != CLI_OK) return;
    if (cli_bytes_read(&source, cli_early_check, &npy, &member, &error) == CLI_OK) {
        fuzz_demand(member.size == packed->bytes);
        if (cli_read_npy(&member, JR_TYPE_NONE, &elements, &error) == CLI_OK) cli_data_free(&elements);
        cli_bytes_free(&member);
    }
    cli_source_close(&source);
}

/* A zip archive, and what it holds. */
static void read_archive(const cli_bytes *bytes) {
    static cli_error error;
    cli_npz_member found;
    cli_data elements;
    if (!cli_npz_recognise(bytes) || cli_npz_find(bytes, NULL, &found, &error) != CLI_OK) return;
    if (found.deflated)
        read_packed(&found.packed);
    else if (cli_read_npy(&found.bytes, JR_TYPE_NONE, &elements, &error) == CLI_OK)
        cli_data_free(&elements);
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
