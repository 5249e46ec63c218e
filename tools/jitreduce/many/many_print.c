/* Columns that are reduced each have a line each; calls have a line each or, in CSV, one line together; with keys each
 * key has a line, which all works share. */
#include "many_print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text after one of a sink. */
static const char *next_text(const char *text) {
    return text + strlen(text) + 1;
}

static void print_label(const char *label, char separator) {
    const cli_key_text text = {.begin = label, .length = strlen(label)};
    cli_key_text_print(stdout, &text, separator);
}

/* Each column has a line, below "column,min,max". */
static void print_columns(const cli_options *options, const cli_many *many, char separator) {
    const cli_sink *first = &many->works[0].sink;
    if (options->csv) {
        fputs("column", stdout);
        for (int k = 0; k < first->value_count; k++) printf("%c%s", separator, first->names[k]);
        putchar('\n');
    }
    for (int i = 0; i < many->count; i++) {
        const char *text = many->works[i].sink.bytes;
        print_label(many->works[i].label, separator);
        for (int k = 0; k < many->works[i].sink.value_count; k++, text = next_text(text))
            printf("%c%s", separator, text);
        putchar('\n');
    }
}

/* "sum(price)" of a call, "min(price)" of minmax(price); of a column its name, or "min(price)" of several operators. */
static void print_name(const cli_options *options, const cli_many_work *work, int value, char separator) {
    char name[512];
    const char *open = strchr(work->label, '(');
    if (work->sink.value_count == 1)
        snprintf(name, sizeof name, "%s", work->label);
    else if (options->op_calls != NULL && open != NULL)
        snprintf(name, sizeof name, "%s%s", work->sink.names[value], open);
    else
        snprintf(name, sizeof name, "%s(%s)", work->sink.names[value], work->label);
    print_label(name, separator);
}

static void print_heads(const cli_options *options, const cli_many *many, char separator) {
    for (int i = 0; i < many->count; i++)
        for (int k = 0; k < many->works[i].sink.value_count; k++) {
            if (i + k > 0) putchar(separator);
            print_name(options, &many->works[i], k, separator);
        }
    putchar('\n');
}

/* All values in one line, or one a line. */
static void print_calls(const cli_options *options, const cli_many *many, char separator) {
    if (options->csv) print_heads(options, many, separator);
    for (int i = 0; i < many->count; i++) {
        const char *text = many->works[i].sink.bytes;
        for (int k = 0; k < many->works[i].sink.value_count; k++, text = next_text(text)) {
            if (i + k > 0) putchar(options->csv ? separator : '\n');
            fputs(text, stdout);
        }
    }
    putchar('\n');
}

static void print_key_head(const cli_options *options, const cli_many *many, char separator) {
    cli_keys_print_names(stdout, &many->works[0].options, separator);
    putchar(separator);
    print_heads(options, many, separator);
}

/* A line for each key. */
static cli_exit print_groups(const cli_options *options, const cli_many *many, char separator, cli_error *error) {
    const cli_sink *keyed = &many->works[0].sink;
    const char *key = keyed->key_bytes, **texts = calloc((size_t)many->count, sizeof *texts);
    if (texts == NULL) return cli_fail(error, CLI_FAILURE, "results: out of memory");
    for (int i = 0; i < many->count; i++) texts[i] = many->works[i].sink.bytes;
    if (options->csv) print_key_head(options, many, separator);
    for (uint64_t row = 0; row < keyed->rows; row++, key = next_text(key)) {
        fputs(key, stdout);
        for (int i = 0; i < many->count; i++)
            for (int k = 0; k < many->works[i].sink.value_count; k++, texts[i] = next_text(texts[i]))
                printf("%c%s", separator, texts[i]);
        putchar('\n');
    }
    free(texts);
    return CLI_OK;
}

/* ---- JSON ---- */

static void print_json_keys(const cli_options *first, const cli_sink *keyed) {
    const char *key = keyed->key_bytes;
    cli_keys_json_names(stdout, first);
    fputs("\"keys\": [", stdout);
    for (uint64_t row = 0; row < keyed->rows; row++, key = next_text(key)) printf("%s%s", row > 0 ? ", " : "", key);
    fputs("], ", stdout);
    cli_keys_json_types(stdout, keyed->key_types, keyed->key_count);
    fputs(", ", stdout);
}

/* "value": v, or "values": [...] of all keys. */
static void print_json_values(const cli_sink *sink, int value, bool grouped) {
    const char *text = sink->bytes;
    fputs(grouped ? "\"values\": [" : "\"value\": ", stdout);
    for (uint64_t row = 0; row < sink->rows; row++)
        for (int k = 0; k < sink->value_count; k++, text = next_text(text))
            if (k == value) printf("%s%s", row > 0 ? ", " : "", text);
    printf("%s, \"type\": \"%s\"", grouped ? "]" : "", cli_type_name(sink->types[value]));
}

static void print_json(const cli_options *options, const cli_many *many) {
    const bool grouped = options->group_by != NULL;
    putchar('{');
    if (grouped) print_json_keys(&many->works[0].options, &many->works[0].sink);
    fputs("\"results\": [", stdout);
    for (int i = 0; i < many->count; i++)
        for (int k = 0; k < many->works[i].sink.value_count; k++) {
            const cli_many_work *work = &many->works[i];
            const cli_key_text label = {.begin = work->label, .length = strlen(work->label)};
            printf("%s{\"%s\": ", i + k > 0 ? ", " : "", options->op_calls != NULL ? "call" : "column");
            cli_key_text_json(stdout, &label);
            printf(", \"op\": \"%s\", ", work->sink.names[k]);
            print_json_values(&work->sink, k, grouped);
            putchar('}');
        }
    putchar(']');
    cli_json_text(stdout, ", \"version\": ", jr_version());
    fputs("}\n", stdout);
}

cli_exit cli_many_print(const cli_options *options, const cli_many *many, cli_error *error) {
    const char separator = many->works[0].sink.separator;
    for (int i = 1; i < many->count; i++)
        if (many->works[i].sink.rows != many->works[0].sink.rows)
            return cli_fail(error, CLI_FAILURE,
                            "--empty-groups: drop leaves out other keys for %s than for %s: give keep",
                            many->works[i].label, many->works[0].label);
    if (options->json)
        print_json(options, many);
    else if (options->group_by != NULL)
        return print_groups(options, many, separator, error);
    else if (options->op_calls != NULL)
        print_calls(options, many, separator);
    else
        print_columns(options, many, separator);
    return CLI_OK;
}
