/* Prints keys as fields of a line and as members of a JSON object. */
#include "key_print.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "io/report.h"

jr_value cli_keys_number(const cli_keys *keys, uint64_t index) {
    const size_t bytes = jr_type_size(keys->numbers.type);
    jr_value key = {.type = keys->numbers.type};
    memcpy(key.as.bytes, (const char *)keys->numbers.elements + index * bytes, bytes);
    return key;
}

jr_type cli_keys_type(const cli_keys *keys) {
    return keys->texts != NULL ? JR_TYPE_NONE : keys->numbers.type;
}

void cli_keys_print(FILE *out, const cli_keys *keys, int count, uint64_t index, char separator) {
    char text[CLI_VALUE_BYTES];
    for (int i = 0; i < count; i++) {
        if (i > 0) putc(separator, out);
        if (keys[i].texts != NULL) {
            cli_key_text_print(out, &keys[i].texts[index], separator);
            continue;
        }
        const jr_value key = cli_keys_number(&keys[i], index);
        fputs(cli_value_text(&key, NULL, text), out);
    }
}

void cli_keys_json(FILE *out, const cli_keys *keys, int count, uint64_t index) {
    if (count > 1) putc('[', out);
    for (int i = 0; i < count; i++) {
        if (i > 0) fputs(", ", out);
        if (keys[i].texts != NULL) {
            cli_key_text_json(out, &keys[i].texts[index]);
            continue;
        }
        const jr_value key = cli_keys_number(&keys[i], index);
        cli_json_value(out, &key, NULL);
    }
    if (count > 1) putc(']', out);
}

/* ---- names ---- */

static bool has_own_name(const cli_options *options, int column) {
    const cli_column_name *key = &options->table.keys[column];
    return column < options->table.key_count && key->number == 0 && key->length <= CLI_TOKEN_BYTES;
}

/* The name of a column, whose quotes stand once: its own, or "key", or of several "key1". */
static cli_key_text name_of(const cli_options *options, int column, char room[CLI_TOKEN_BYTES]) {
    const cli_column_name *key = &options->table.keys[column];
    size_t used = 0;
    if (!has_own_name(options, column)) {
        used = (size_t)(options->table.key_count > 1 ? snprintf(room, CLI_TOKEN_BYTES, "key%d", column + 1)
                                                     : snprintf(room, CLI_TOKEN_BYTES, "key"));
        return (cli_key_text){.begin = room, .length = used};
    }
    for (size_t i = 0; i < key->length; i++) {
        room[used++] = key->name[i];
        if (key->doubled && key->name[i] == '"') i++;
    }
    return (cli_key_text){.begin = room, .length = used};
}

void cli_keys_print_names(FILE *out, const cli_options *options, char separator) {
    char room[CLI_TOKEN_BYTES];
    const int count = options->table.key_count > 1 ? options->table.key_count : 1;
    for (int i = 0; i < count; i++) {
        const cli_key_text name = name_of(options, i, room);
        if (i > 0) putc(separator, out);
        cli_key_text_print(out, &name, separator);
    }
}

void cli_keys_json_names(FILE *out, const cli_options *options) {
    char room[CLI_TOKEN_BYTES];
    const int count = options->table.key_count;
    if (count < 2 && !has_own_name(options, 0)) return;
    fputs(count > 1 ? "\"key_names\": [" : "\"key_name\": ", out);
    for (int i = 0; i < count; i++) {
        const cli_key_text name = name_of(options, i, room);
        if (i > 0) fputs(", ", out);
        cli_key_text_json(out, &name);
    }
    fputs(count > 1 ? "], " : ", ", out);
}

void cli_keys_json_types(FILE *out, const jr_type *types, int count) {
    fputs(count > 1 ? "\"key_types\": [" : "\"key_type\": ", out);
    for (int i = 0; i < count; i++)
        fprintf(out, "%s\"%s\"", i > 0 ? ", " : "", types[i] != JR_TYPE_NONE ? cli_type_name(types[i]) : "text");
    if (count > 1) putc(']', out);
}
