/* Reads a file of keys, and settles whether its lines or its words are the keys. */
#include "key_file.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "io/ranks.h"
#include "segment_file.h"
#include "text/text_input.h"

/* One reading of a file. */
typedef struct key_file {
    const cli_options *options;
    char *name;
    uint64_t element_count;
    cli_options asked; /* what is read of it, and how */
    cli_input found;
} key_file;

static cli_options options_of(const cli_options *options, char **name) {
    cli_options asked = {.files = name,
                         .file_count = 1,
                         .reads_words = true,
                         .spec.type = options->key_type,
                         .format = options->key_type != JR_TYPE_NONE ? CLI_FORMAT_KEYS : CLI_FORMAT_AUTO,
                         .offset = options->offset,
                         .count = options->count};
    asked.table.missing = options->table.missing;
    asked.table.more_count = options->table.more_count;
    memcpy(asked.table.more_missing, options->table.more_missing, sizeof asked.table.more_missing);
    return asked;
}

static bool is_regular(const char *name) {
    struct stat status;
    return stat(name, &status) == 0 && S_ISREG(status.st_mode);
}

/* Reads the file, again where it was read otherwise: lines (the blank ones among them: empty_lines), or words. */
static cli_exit read_as(key_file *file, bool lines, bool empty_lines, cli_error *error) {
    cli_segment_file *kept = file->options->segment_file;
    cli_input_free(&file->found);
    if (kept != NULL) {
        cli_input_free(&kept->input);
        kept->read = false;
    }
    file->asked.table.whole_lines = lines;
    file->asked.table.empty_lines = empty_lines;
    const cli_exit code = cli_segment_file_read(file->options, &file->asked, &file->found, error);
    if (code != CLI_OK) file->found = (cli_input){.count = 0};
    return code;
}

/* Whether so many keys of a file are those of the elements, after --offset and up to --count. */
static bool are_enough(const key_file *file, uint64_t keys) {
    const cli_options *options = file->options;
    const uint64_t left = keys > options->offset ? keys - options->offset : 0;
    return (left < options->count ? left : options->count) == file->element_count;
}

/* Reads lines, where they may be the keys; keys: how many they are, where the file was read to its end. */
static bool take_lines(key_file *file, bool empty_lines, const cli_line_counts *counts, uint64_t keys) {
    cli_error unused;
    if (counts->ended && !are_enough(file, keys)) return false;
    return read_as(file, true, empty_lines, &unused) == CLI_OK && file->found.count == file->element_count;
}

static cli_exit fail_count(key_file *file, uint64_t words, const cli_line_counts *counts, cli_error *error) {
    char in_lines[64] = "";
    const bool pipe = words > file->element_count && !is_regular(file->name);
    if (counts->filled > 1 && counts->filled != words && !pipe)
        snprintf(in_lines, sizeof in_lines, " in %llu lines", (unsigned long long)counts->filled);
    cli_input_free(&file->found);
    char column[128] = "";
    if (file->options->table.column_count > 0 && strchr(file->name, '/') == NULL && strcmp(file->name, "-") != 0)
        snprintf(column, sizeof column, "; the column of that name is '\"%s\"', in double quotes", file->name);
    return cli_fail(error, CLI_FAILURE, "%s: has %llu keys%s, but the input has %llu elements%s%s", file->name,
                    (unsigned long long)words, in_lines, (unsigned long long)file->element_count,
                    pipe && counts->all > 0 ? "; keys of several words, one in a line, need a file" : "", column);
}

/* The file has been read as words, code: how. Takes its lines where these are the keys. */
static cli_exit settle(key_file *file, cli_exit code, cli_error *error) {
    const cli_options *options = file->options;
    const cli_line_counts counts = file->found.lines;
    const uint64_t words = file->found.count, end = words + options->offset;
    const bool fits = code == CLI_OK && words == file->element_count;
    const bool differs = code != CLI_OK || (counts.all > 0 && (counts.filled != end || counts.all != end));
    const bool tells = cli_ranks_first(options->ranks);
    if (differs && is_regular(file->name)) {
        if (take_lines(file, true, &counts, counts.all)) {
            if (fits && tells)
                fprintf(stderr,
                        "jitreduce: note: %s: each line is a key, though its words are as many as the elements, too: "
                        "tr -s '[:space:]' '\\n' makes each word a line\n",
                        file->name);
            return CLI_OK;
        }
        if (!fits && take_lines(file, false, &counts, counts.filled)) return CLI_OK;
        if (fits && file->asked.table.whole_lines) return read_as(file, false, false, error);
    }
    if (code != CLI_OK) return code;
    if (!fits) return fail_count(file, words, &counts, error);
    if (differs && counts.all > 1 && !is_regular(file->name) && tells &&
        (!counts.ended || are_enough(file, counts.all)))
        fprintf(stderr, "jitreduce: note: %s: each word is a key: keys of several words, one in a line, need a file\n",
                file->name);
    return CLI_OK;
}

cli_exit cli_keys_read(const cli_options *options, const char *name, uint64_t element_count, cli_input *segment_file,
                       cli_error *error) {
    key_file file = {
        .options = options, .name = (char *)(uintptr_t)name, .element_count = element_count}; /* read, not changed */
    file.asked = options_of(options, &file.name);
    const bool again = options->segment_file != NULL && options->segment_file->read;
    cli_exit code = cli_segment_file_read(options, &file.asked, &file.found, error);
    if (!again) code = settle(&file, code, error);
    if (code != CLI_OK) return code;
    if (!again && cli_ranks_first(options->ranks)) cli_beyond_tell(&(cli_beyond){.keyless = file.found.keyless});
    *segment_file = file.found;
    return CLI_OK;
}
