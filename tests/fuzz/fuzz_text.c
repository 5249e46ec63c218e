/* Numbers as text, a column of a CSV file, counts of the command line, structs. The first byte of the input chooses
 * the type and the column. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "number.h"
#include "readers.h"
#include "structure.h"

static void read_as(jr_type type, uint64_t column, const cli_bytes *bytes) {
    static cli_error error;
    cli_number_status reason;
    cli_vector vector = {.type = type, .size = jr_type_size(type)};
    if (cli_read_text(bytes, &vector, &reason, &error) == CLI_OK) fuzz_demand(vector.used % vector.size == 0);
    free(vector.bytes);
    vector = (cli_vector){.type = type, .size = jr_type_size(type)};
    if (cli_read_csv(bytes, column, &vector, &reason, &error) == CLI_OK) fuzz_demand(vector.used % vector.size == 0);
    free(vector.bytes);
}

/* What is printed of an element is read as the same element; a NaN as some NaN. */
static void read_again(jr_type type, const char *text) {
    jr_value value = {.type = type}, again = {.type = type};
    char printed[64];
    if (cli_number_parse(type, text, text + strlen(text), value.as.bytes) != CLI_NUMBER_OK) return;
    fuzz_demand(jr_value_print(&value, printed, sizeof printed) == JR_OK);
    fuzz_demand(cli_number_parse(type, printed, printed + strlen(printed), again.as.bytes) == CLI_NUMBER_OK);
    if (strstr(printed, "nan") == NULL) fuzz_demand(memcmp(value.as.bytes, again.as.bytes, jr_type_size(type)) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const jr_type types[] = {
#define FUZZ_TYPE(name, number, text) JR_##name,
        JR_TYPES(FUZZ_TYPE)
#undef FUZZ_TYPE
    };
    uint64_t count;
    if (size == 0) return 0;
    char *text = fuzz_text(data + 1, size - 1);
    const cli_bytes bytes = {.name = "input", .data = text, .size = size - 1};
    const jr_type type = types[data[0] % (sizeof types / sizeof types[0])];
    read_as(type, data[0] % 3 + 1, &bytes);
    read_again(type, text);
    (void)cli_count_parse(text, &count);
    (void)cli_structure_of(text);
    free(text);
    return 0;
}
