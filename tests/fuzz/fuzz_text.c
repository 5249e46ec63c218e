/* Numbers as text, a column of a CSV file, counts of the command line, structs. The first byte of the input chooses
 * the type and the column. */
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/structure.h"
#include "fuzz.h"
#include "support/every/every_row.h"
#include "text/cli_text.h"

/* Reads a text in two blocks, the first one of `cut` bytes or fewer. */
static void read_cut(jr_type type, const cli_table_form *form, const char *bytes, size_t size, size_t cut) {
    static cli_error error;
    cli_column columns[JR_INPUTS_MAX];
    const int count = cli_table_columns(form);
    size_t taken = 0;
    for (int i = 0; i < count; i++) columns[i] = cli_column_of(i == 0 ? type : JR_TYPE_NONE);
    cli_text text = cli_text_of("input", form, columns);
    cli_exit code = cli_text_take(&text, bytes, cut < size ? cut : size, false, &taken, &error);
    fuzz_demand(taken <= size);
    if (code == CLI_OK) code = cli_text_take(&text, bytes + taken, size - taken, true, &taken, &error);
    for (int i = 0; i < count; i++) {
        const cli_vector *vector = &columns[i].vector;
        fuzz_demand(vector->used % vector->size == 0);
        if (code == CLI_OK) fuzz_demand(vector->used / vector->size == columns[0].vector.used / columns[0].vector.size);
        cli_column_free(&columns[i]);
    }
}

/* chosen: a byte of the input. */
static void read_as(jr_type type, unsigned chosen, const char *bytes, size_t size) {
    const cli_table_form forms[] = {{.column_count = 0},
                                    {.column_count = 0, .missing = "NA,-,", .skips_missing = chosen & 1},
                                    {.columns = {{.number = chosen % 3 + 1}}, .column_count = 1},
                                    {.columns = {{.number = 2}, {.name = "a", .length = 1}},
                                     .column_count = 2,
                                     .missing = ",x",
                                     .decimal_comma = chosen & 1,
                                     .skips_missing = chosen & 2}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        read_cut(chosen & 4 ? type : JR_TYPE_NONE, &forms[i], bytes, size, chosen);
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
    uint64_t count;
    if (size == 0) return 0;
    char *text = fuzz_text(data + 1, size - 1);
    const jr_type type = every_type[data[0] % EVERY_TYPES];
    read_as(type, data[0], text, size - 1);
    read_again(type, text);
    (void)cli_count_parse(text, &count);
    (void)cli_structure_of(text);
    free(text);
    return 0;
}
