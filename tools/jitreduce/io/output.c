/* Finds the form of --output, and has standard output go there. */
#include "output.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ranks.h"

static bool ends_with(const char *text, const char *end) {
    const size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcasecmp(text + length - tail, end) == 0;
}

bool cli_output_is_array(const cli_options *options) {
    return options->output != NULL && strcmp(options->output, "-") != 0 && !options->json && !options->csv &&
           !options->lines;
}

const char *cli_output_unknown_end(const char *name) {
    static const char *const known[] = {".npy", ".csv", ".tsv", ".json", ".txt"};
    const char *slash = strrchr(name, '/'), *file = slash != NULL ? slash + 1 : name, *end = strrchr(file, '.');
    if (end == NULL || end == file || !isalpha((unsigned char)end[1])) return NULL;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcasecmp(end, known[i]) == 0) return NULL;
    for (const char *c = end + 1; *c != '\0'; c++)
        if (!isalnum((unsigned char)*c)) return NULL;
    return end;
}

/* Whether a path names the file that `status` is of; -: standard input. */
static bool is_file(const char *path, const struct stat *status) {
    struct stat other;
    if (path == NULL) return false;
    return (strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &other) : stat(path, &other)) == 0 &&
           other.st_dev == status->st_dev && other.st_ino == status->st_ino;
}

/* A file that is read would be gone: who reads it again finds results in it. */
static cli_exit check_not_read(const cli_options *options, const char *option, const char *name, cli_error *error) {
    struct stat status;
    bool read = false;
    if (name == NULL || stat(name, &status) != 0 || !S_ISREG(status.st_mode)) return CLI_OK;
    if (options->file_count == 0 && !options->random && !options->iota) read = is_file("-", &status);
    for (int i = 0; i < options->file_count; i++) read |= is_file(options->files[i], &status);
    for (int i = 0; i < JR_INPUTS_MAX; i++) read |= is_file(options->more_files[i], &status);
    for (int i = 0; i < options->states.add_count; i++) read |= is_file(options->states.add[i], &status);
    read |=
        is_file(options->keys, &status) || is_file(options->offsets, &status) || is_file(options->group_by, &status);
    if (!read) return CLI_OK;
    return cli_fail(error, CLI_USAGE, "%s: '%s' is read, too, and would be replaced: name another file", option, name);
}

cli_exit cli_output_settle(cli_options *options, cli_error *error) {
    const char *name = options->output;
    jr_op op;
    if (name == NULL) return CLI_OK;
    if (name[0] == '\0') return cli_fail(error, CLI_USAGE, "--output: '' names no file");
    if (jr_op_find(name, &op) == JR_OK)
        return cli_fail(error, CLI_USAGE, "--output: '%s' is an operator: give --op or -p; a file of this name is ./%s",
                        name, name);
    if (name[0] == 'p' && jr_op_find(name + 1, &op) == JR_OK) /* of -opsum, which reads like --op sum */
        return cli_fail(error, CLI_USAGE, "--output: '%s' reads like -p %s; a file of this name is ./%s", name,
                        name + 1, name);
    cli_exit code = check_not_read(options, "--output", name, error);
    if (code == CLI_OK) code = check_not_read(options, "--output-keys", options->output_keys, error);
    if (code != CLI_OK) return code;
    const bool json = ends_with(name, ".json"), npy = ends_with(name, ".npy"), tsv = ends_with(name, ".tsv");
    const bool csv = tsv || ends_with(name, ".csv"), plain = ends_with(name, ".txt");
    const char *end = cli_output_unknown_end(name);
    if (end != NULL && (strcmp(end, ".gz") == 0 || strcmp(end, ".zst") == 0))
        return cli_fail(error, CLI_USAGE,
                        "--output: '%s': no packed file is written: give --csv and no --output, and pack "
                        "what is printed: | %s > FILE",
                        name, strcmp(end, ".gz") == 0 ? "gzip" : "zstd");
    if (end != NULL && !options->json && !options->csv)
        return cli_fail(error, CLI_USAGE,
                        "--output: '%s': %s files are not supported: name a .npy, .csv, .tsv, .json or .txt file", name,
                        end);
    if ((npy && (options->json || options->csv)) || (json && options->csv) || (csv && options->json))
        return cli_fail(error, CLI_USAGE, "--output: '%s': its name asks for another form than %s", name,
                        options->json ? "--json" : "--csv");
    const bool array = !json && !csv && !plain && !options->json && !options->csv && strcmp(name, "-") != 0;
    if (array && (options->rounds || options->number_format != NULL))
        return cli_fail(error, CLI_USAGE,
                        "--round, --format: '%s' is an array, whose numbers are kept in full: name a "
                        ".csv or .txt file",
                        name);
    options->json |= json;
    options->csv |= csv;
    options->tabs = tsv;
    options->lines = plain && !options->json && !options->csv;
    return CLI_OK;
}

cli_exit cli_output_begin(const cli_options *options, cli_output *output, cli_error *error) {
    cli_output begun = {.redirected = false};
    const bool text = options->output != NULL && strcmp(options->output, "-") != 0 && !cli_output_is_array(options) &&
                      cli_ranks_first(options->ranks);
    cli_exit code = text ? cli_new_file_create("--output", options->output, &begun.file, error) : CLI_OK;
    if (code != CLI_OK) return code;
    if (text) {
        fflush(stdout);
        begun.standard = dup(STDOUT_FILENO);
        begun.redirected = begun.standard >= 0 && dup2(begun.file.file, STDOUT_FILENO) >= 0;
        if (!begun.redirected) return cli_new_file_finish(&begun.file, errno, error);
    }
    *output = begun;
    return CLI_OK;
}

cli_exit cli_output_end(cli_output *output, cli_exit code, cli_error *error) {
    if (!output->redirected) return code;
    int failure = fflush(stdout) == 0 ? 0 : errno;
    if (ferror(stdout) && failure == 0) failure = EIO;
    clearerr(stdout);
    if (dup2(output->standard, STDOUT_FILENO) < 0 && failure == 0) failure = errno;
    close(output->standard);
    output->redirected = false;
    if (code == CLI_OK) return cli_new_file_finish(&output->file, failure, error);
    cli_new_file_drop(&output->file);
    return code;
}
