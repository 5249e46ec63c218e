/* Writes the arrays of a kernel as .npy, as lines of text, or as JSON. */
#include "run_output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "io/output.h"
#include "io/report.h"
#include "npy/npy_write.h"

enum { SHOWN_ELEMENTS = 8 };

/* ---- which argument, which form ---- */

typedef enum array_form { NPY, LINES, COMMAS, TABS, JSON } array_form;

static bool is_standard(const char *path) {
    return strcmp(path, "-") == 0;
}

static array_form form_of(const char *path) {
    static const struct {
        const char *end;
        array_form form;
    } ends[] = {{".txt", LINES}, {".csv", COMMAS}, {".tsv", TABS}, {".json", JSON}};
    const char *end = strrchr(path, '.');
    for (size_t i = 0; end != NULL && i < sizeof ends / sizeof *ends; i++)
        if (strcasecmp(end, ends[i].end) == 0) return ends[i].form;
    return is_standard(path) ? LINES : NPY;
}

/* The argument that an output is of: "K=FILE", or the first that is written back; and the file's name. */
static cli_argument *find_output(cli_argument *arguments, size_t count, const char *text, const char **path) {
    const size_t digits = strspn(text, "0123456789");
    const bool numbered = digits > 0 && digits < 5 && text[digits] == '=';
    const size_t number = numbered ? strtoul(text, NULL, 10) : 0;
    *path = numbered ? text + digits + 1 : text;
    for (size_t i = 0; i < count; i++)
        if (numbered ? i + 1 == number : arguments[i].written_back) return &arguments[i];
    return NULL;
}

static cli_exit check_form(const cli_argument *argument, const char *text, const char *path, cli_error *error) {
    const char *end = cli_output_unknown_end(path);
    if (*path == '\0') return cli_fail(error, CLI_USAGE, "--output: '%s' names no file", text);
    if (end != NULL)
        return cli_fail(error, CLI_USAGE,
                        "--output: '%s': %s files are not supported: name a .npy, .csv, .tsv, .json or .txt file", text,
                        end);
    if (form_of(path) == NPY && argument->data.type == JR_BF16)
        return cli_fail(error, CLI_USAGE,
                        "--output: NumPy has no bf16: argument %zu; name a .csv, .tsv, .json or .txt file",
                        argument->number);
    return CLI_OK;
}

static cli_exit plan(cli_argument *arguments, size_t count, const char *text, cli_error *error) {
    const char *path;
    cli_argument *argument = find_output(arguments, count, text, &path);
    if (argument == NULL)
        return cli_fail(error, CLI_USAGE, "--output: '%s': no --arg is written back: use inout:FILE.npy or out:T:COUNT",
                        text);
    if (!argument->written_back)
        return cli_fail(error, CLI_USAGE,
                        "--output: '%s': argument %zu ('%s') is not written back: give inout: or out:", text,
                        argument->number, argument->text);
    if (argument->output != NULL)
        return cli_fail(error, CLI_USAGE, "--output: argument %zu has two: '%s' and '%s'", argument->number,
                        argument->output, path);
    for (size_t i = 0; i < count; i++)
        if (arguments[i].output != NULL && strcmp(arguments[i].output, path) == 0)
            return cli_fail(error, CLI_USAGE, "--output: '%s' cannot hold two arrays", path);
    const cli_exit code = check_form(argument, text, path, error);
    if (code == CLI_OK) argument->output = path;
    return code;
}

cli_exit cli_run_outputs_plan(const cli_run_options *run, cli_argument *arguments, size_t count, cli_error *error) {
    cli_exit code = CLI_OK;
    for (size_t i = 0; code == CLI_OK && i < run->output_count; i++)
        code = plan(arguments, count, run->outputs[i], error);
    return code;
}

/* ---- text ---- */

static jr_value value_at(const cli_data *data, uint64_t index) {
    const size_t bytes = jr_type_size(data->type);
    jr_value value = {.type = data->type};
    memcpy(&value.as, (const char *)data->elements + index * bytes, bytes);
    return value;
}

/* A line for each row of the last axis; for each element where that is the only one. */
static void print_lines(const cli_data *data, char separator, FILE *out) {
    const int dimensions = data->shape.dimensions;
    const uint64_t row = dimensions > 1 && dimensions <= JR_DIMENSIONS_MAX ? data->shape.sizes[dimensions - 1] : 1;
    char text[CLI_VALUE_BYTES];
    for (uint64_t i = 0; i < data->count && !ferror(out); i++) {
        const jr_value value = value_at(data, i);
        fputs(cli_value_text(&value, NULL, text), out);
        putc((i + 1) % row == 0 ? '\n' : separator, out);
    }
}

/* Brackets of all axes that begin, or end, at an element; an axis has sizes[axis] * ... elements. */
static void print_brackets(const cli_shape *shape, uint64_t index, char bracket, FILE *out) {
    uint64_t length = 1;
    for (int axis = shape->dimensions; axis-- > 0;) {
        length *= shape->sizes[axis];
        if (index % length == 0) putc(bracket, out);
    }
}

static void print_json(const cli_data *data, FILE *out) {
    const cli_shape flat = cli_shape_flat(data->count);
    const bool shaped = data->shape.dimensions > 0 && data->shape.dimensions <= JR_DIMENSIONS_MAX && data->count > 0;
    const cli_shape *shape = shaped ? &data->shape : &flat;
    if (data->count == 0) fputs("[]", out);
    for (uint64_t i = 0; i < data->count && !ferror(out); i++) {
        const jr_value value = value_at(data, i);
        if (i > 0) fputs(", ", out);
        print_brackets(shape, i, '[', out);
        cli_json_value(out, &value, NULL);
        print_brackets(shape, i + 1, ']', out);
    }
    putc('\n', out);
}

static void print_array(const cli_data *data, array_form form, FILE *out) {
    if (form == JSON)
        print_json(data, out);
    else
        print_lines(data, (char)(form == COMMAS ? ',' : form == TABS ? '\t' : ' '), out);
}

static int print_file(const cli_new_file *made, const cli_data *data, array_form form) {
    const int file = dup(made->file);
    FILE *out = file >= 0 ? fdopen(file, "w") : NULL;
    if (out == NULL) {
        const int failure = errno;
        if (file >= 0) close(file);
        return failure;
    }
    errno = 0;
    print_array(data, form, out);
    const bool failed = ferror(out) != 0;
    const int failure = failed ? (errno != 0 ? errno : EIO) : 0;
    return fclose(out) != 0 && !failed ? errno : failure;
}

static cli_exit write_array(const cli_argument *argument, cli_error *error) {
    const array_form form = form_of(argument->output);
    cli_new_file made;
    if (form == NPY) return cli_npy_write("--output", argument->output, &argument->data, error);
    if (is_standard(argument->output)) {
        print_array(&argument->data, form, stdout);
        return CLI_OK;
    }
    const cli_exit code = cli_new_file_create("--output", argument->output, &made, error);
    return code == CLI_OK ? cli_new_file_finish(&made, print_file(&made, &argument->data, form), error) : code;
}

/* "4 inout:y.npy, f32: 3 5 7 ... (of 1000)" */
static void show(const cli_argument *argument) {
    const uint64_t count = argument->data.count;
    char text[CLI_VALUE_BYTES];
    printf("%zu %s, %s:", argument->number, argument->text, jr_type_name(argument->data.type));
    for (uint64_t i = 0; i < count && i < SHOWN_ELEMENTS; i++) {
        const jr_value value = value_at(&argument->data, i);
        printf(" %s", cli_value_text(&value, NULL, text));
    }
    if (count > SHOWN_ELEMENTS) printf(" ... (of %llu)", (unsigned long long)count);
    putchar('\n');
}

cli_exit cli_run_outputs_write(const cli_argument *arguments, size_t count, cli_error *error) {
    cli_exit code = CLI_OK;
    bool shows = true;
    for (size_t i = 0; i < count; i++) shows &= arguments[i].output == NULL || !is_standard(arguments[i].output);
    for (size_t i = 0; code == CLI_OK && i < count; i++) {
        const cli_argument *argument = &arguments[i];
        if (argument->output != NULL)
            code = write_array(argument, error);
        else if (argument->written_back && shows)
            show(argument);
    }
    return code;
}
