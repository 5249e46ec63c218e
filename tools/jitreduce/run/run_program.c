/* Reads kernel files and makes images of them. */
#include "run_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/library_words.h"
#include "base/suggest.h"
#include "io/bytes.h"
#include "io/report.h"

static bool is_ptx(const char *path) {
    const size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".ptx") == 0;
}

cli_exit cli_run_program_check(const cli_options *options, cli_error *error) {
    if (options->file_count > 1)
        return cli_fail(error, CLI_USAGE,
                        "run: takes one file, but after '%s' there is '%s': an argument of the kernel is --arg %s, a "
                        "constant -D NAME=VALUE",
                        options->files[0], options->files[1], options->files[1]);
    if (options->file_count != 1)
        return cli_fail(error, CLI_USAGE, "run: takes one file, saxpy.cu or saxpy.ptx, but %d were given" SEE_HELP,
                        options->file_count);
    const char *path = options->files[0];
    if (is_ptx(path) && options->run.nvrtc_option_count > 0)
        return cli_fail(error, CLI_USAGE, "--nvrtc-option: '%s' is PTX, which NVRTC does not compile", path);
    if (strcmp(path, "-") == 0 || access(path, R_OK) == 0) return CLI_OK;
    cli_source source = {.name = NULL}; /* its failure says why the file cannot be read */
    const cli_exit code = cli_source_open(path, &source, error);
    cli_source_close(&source);
    return code;
}

/* A file with more bytes is refused: it may be endless, as /dev/zero is. */
enum { TEXT_BYTES_MAX = 1 << 28 };

/* A cli_check: fails if the bytes hold a 0, or are more than a kernel's text may have. */
static cli_exit check_text(const void *user, const cli_bytes *read, cli_error *error) {
    const char *hole = memchr(read->data, '\0', read->size);
    const bool is_array = read->size > 6 && memcmp(read->data, "\x93NUMPY", 6) == 0;
    (void)user;
    if (hole != NULL)
        return cli_fail(error, CLI_FAILURE, "%s: byte %td: is 0: the file is not text%s", read->name, hole - read->data,
                        is_array ? ", but an array: name it by --arg, and the kernel's file here" : "");
    if (read->size > TEXT_BYTES_MAX)
        return cli_fail(error, CLI_FAILURE, "%s: more than %d bytes, the limit for a kernel's text", read->name,
                        TEXT_BYTES_MAX);
    return CLI_OK;
}

/* Reads a whole file, and appends a NUL; the caller frees it. */
static cli_exit read_text(const char *path, char **text, cli_error *error) {
    cli_source source = {.name = NULL};
    cli_bytes bytes = {.name = path};
    cli_exit code = cli_source_open(path, &source, error);
    if (code == CLI_OK) code = cli_bytes_read(&source, check_text, NULL, &bytes, error);
    cli_source_close(&source);
    if (code == CLI_OK) code = check_text(NULL, &bytes, error);
    char *copy = code == CLI_OK ? malloc(bytes.size + 1) : NULL;
    if (code == CLI_OK && copy == NULL)
        code = cli_fail(error, CLI_FAILURE, "%s: out of memory for %zu bytes", path, bytes.size);
    if (code == CLI_OK) {
        memcpy(copy, bytes.data, bytes.size);
        copy[bytes.size] = '\0';
        *text = copy;
    }
    cli_bytes_free(&bytes);
    return code;
}

/* True if the source may include a header of the toolkit. An #include in a comment counts, too: the only cost is that
 * the toolkit is searched for. */
static bool includes_further(const char *text) {
    for (const char *at = text; (at = strchr(at, '#')) != NULL;) {
        at += 1 + strspn(at + 1, " \t");
        if (strncmp(at, "include", 7) != 0) continue;
        at += 7 + strspn(at + 7, " \t");
        if (strncmp(at, "<jitreduce/", 11) != 0) return true;
    }
    return strstr(text, "__has_include") != NULL;
}

/* Compiles an image for the context's device. The simulator's images have no machine code: for --show sass, the program
 * is compiled for a GPU of the same architecture. */
static jr_status make_image(const cli_options *options, jr_context *context, const jr_program *program,
                            jr_image **image) {
    if (!options->run.sass || !jr_context_is_simulated(context)) return jr_image_compile_for(context, program, image);
    jr_device_info device = JR_INIT(jr_device_info);
    char architecture[32];
    const jr_status status = jr_context_device_info(context, &device);
    if (status != JR_OK) return status;
    snprintf(architecture, sizeof architecture, "sm_%d%d", device.capability_major, device.capability_minor);
    return jr_image_compile(NULL, program, architecture, image);
}

cli_exit cli_run_source_read(const cli_options *options, cli_run_source *source, cli_error *error) {
    const char *path = options->files[0], *slash = strrchr(path, '/');
    const cli_run_options *run = &options->run;
    *source = (cli_run_source){.own = "."};
    const cli_exit code = read_text(path, &source->text, error);
    if (code != CLI_OK) return code;
    if (slash != NULL) snprintf(source->own, sizeof source->own, "%.*s", slash > path ? (int)(slash - path) : 1, path);
    source->folders[0] = source->own;
    memcpy(source->folders + 1, run->folders, sizeof run->folders);
    memcpy(source->nvrtc_options, run->nvrtc_options, sizeof run->nvrtc_options);
    for (size_t i = 0; i < run->define_count; i++)
        source->constants[i] = (jr_named_text){run->defines[i].name, run->defines[i].text};
    source->program = JR_INIT(jr_program, .name = slash != NULL ? slash + 1 : path, .source = source->text,
                              .entry = run->entry, .constants = source->constants, .constant_count = run->define_count,
                              .include_folders = source->folders, .include_folder_count = 1 + run->folder_count,
                              .options = source->nvrtc_options, .option_count = run->nvrtc_option_count,
                              .toolkit_headers = run->folder_count > 0 || includes_further(source->text));
    return CLI_OK;
}

void cli_run_source_free(cli_run_source *source) {
    free(source->text);
    source->text = NULL;
}

bool cli_run_is_ptx(const cli_options *options) {
    return is_ptx(options->files[0]);
}

cli_exit cli_run_explain(const char *path, jr_status status, cli_error *error) {
    if (status == JR_OK) return CLI_OK;
    if (status != JR_ERROR_INVALID_ARGUMENT) return cli_fail_library(error, status);
    (void)cli_fail_library(error, status);
    char reason[512];
    snprintf(reason, sizeof reason, "%.500s", jr_last_error()->message);
    cli_name_options(reason, sizeof reason);
    return cli_fail(error, CLI_FAILURE, "%s: %s", path, reason);
}

/* Gets the kernel by its source; the statistics of the context show where it came from. */
static cli_exit get_kernel(const cli_options *options, jr_context *context, jr_kernel **kernel, cli_error *error) {
    cli_run_source source;
    const cli_exit code = cli_run_source_read(options, &source, error);
    if (code != CLI_OK) return code;
    const jr_status status = jr_kernel_get(context, &source.program, kernel);
    cli_run_source_free(&source);
    return cli_run_explain(options->files[0], status, error);
}

/* Reads the file that the command line names, compiles it for the context's device unless it is PTX, and on the
 * simulator with lines of the source. Writes *image on success only; the caller destroys it. */
static cli_exit compile_file(const cli_options *options, jr_context *context, jr_image **image, cli_error *error) {
    const char *path = options->files[0];
    cli_run_source source;
    const cli_exit code = cli_run_source_read(options, &source, error);
    if (code != CLI_OK) return code;
    const jr_status status = is_ptx(path) ? jr_image_read_ptx(source.text, options->run.entry, image)
                                          : make_image(options, context, &source.program, image);
    cli_run_source_free(&source);
    return cli_run_explain(path, status, error);
}

static cli_exit tell_stats(jr_context *context, cli_error *error) {
    jr_stats stats = JR_INIT(jr_stats);
    jr_device_info device = JR_INIT(jr_device_info);
    jr_status status = jr_context_stats(context, &stats);
    if (status == JR_OK) status = jr_context_device_info(context, &device);
    if (status != JR_OK) return cli_fail_library(error, status);
    cli_report_device(&device, stderr);
    cli_report_kernel(&stats, stderr);
    return CLI_OK;
}

cli_exit cli_run_load(const cli_options *options, jr_context *context, jr_image **image, jr_kernel **kernel,
                      cli_error *error) {
    const cli_run_options *run = &options->run;
    const bool shows_origin = options->stats && !cli_run_is_ptx(options);
    cli_exit code = shows_origin ? get_kernel(options, context, kernel, error) : CLI_OK;
    if (code == CLI_OK && shows_origin) code = tell_stats(context, error);
    if (code != CLI_OK || (shows_origin && !run->ptx && !run->sass)) return code;
    code = compile_file(options, context, image, error);
    if (code != CLI_OK || shows_origin) return code;
    const jr_status status = jr_kernel_load(context, *image, kernel);
    if (status != JR_OK) return cli_fail_library(error, status);
    return options->stats ? tell_stats(context, error) : CLI_OK;
}
