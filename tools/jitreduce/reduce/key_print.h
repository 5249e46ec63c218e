/* Keys of results: numbers or texts of one or several columns, and the forms in which they are printed. */
#ifndef CLI_KEY_PRINT_H
#define CLI_KEY_PRINT_H

#include "io/data.h"
#include "options/cli_options.h"
#include "text/key_text.h"

/* The keys of one column, one for each result. */
typedef struct cli_keys {
    cli_data numbers;    /* of type JR_TYPE_NONE: they are texts */
    cli_key_text *texts; /* count of them; their bytes are borrowed */
} cli_keys;

/* A key that is a number. */
jr_value cli_keys_number(const cli_keys *keys, uint64_t index);

/* The type of numbers; JR_TYPE_NONE: they are texts. */
jr_type cli_keys_type(const cli_keys *keys);

/* Prints the keys of a result, one of each column: "New York",3. */
void cli_keys_print(FILE *out, const cli_keys *keys, int count, uint64_t index, char separator);

/* Prints them for JSON: "New York", or ["New York", 3] of several columns. */
void cli_keys_json(FILE *out, const cli_keys *keys, int count, uint64_t index);

/* Prints the names of the columns for CSV: their own, or "key", or of several "key1", "key2". */
void cli_keys_print_names(FILE *out, const cli_options *options, char separator);

/* Prints the names as a member of a JSON object, before another one: "key_name" of a column that was given by its name,
 * "key_names" of several columns. */
void cli_keys_json_names(FILE *out, const cli_options *options);

/* Prints the types of the columns' keys as a member of a JSON object: "key_type", or "key_types" of several. */
void cli_keys_json_types(FILE *out, const jr_type *types, int count);

#endif
