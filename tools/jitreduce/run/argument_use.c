/* Finds arrays of another type than the kernel's, and writes that would be lost. */
#include "argument_use.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "run_program.h"

cli_exit cli_pointers_read(const cli_options *options, cli_pointer pointers[CLI_ARGUMENTS_MAX], cli_error *error) {
    struct stat status;
    cli_run_source source;
    if (cli_run_is_ptx(options) || stat(options->files[0], &status) != 0 || !S_ISREG(status.st_mode)) return CLI_OK;
    const cli_exit code = cli_run_source_read(options, &source, error);
    if (code != CLI_OK) return code;
    cli_kernel_pointers(source.text, options->run.entry, pointers);
    cli_run_source_free(&source);
    return CLI_OK;
}

static bool is_float(jr_type type) {
    return strchr("fbe", jr_type_name(type)[0]) != NULL && type != JR_BOOL;
}

static cli_exit check_elements(const cli_options *options, const cli_argument *argument, const cli_pointer *pointer,
                               cli_error *error) {
    const size_t has = jr_type_size(argument->data.type), wants = jr_type_size(pointer->type);
    const char *given = jr_type_name(argument->data.type), *wanted = jr_type_name(pointer->type);
    if (has == 1 || wants == 1) return CLI_OK;
    if (has != wants)
        return cli_fail(error, CLI_USAGE,
                        "argument %zu ('%.200s') has elements of %s, %zu bytes each, but the parameter '%s' points to "
                        "%s, %zu bytes: give an array of %s%s%s%s",
                        argument->number, argument->text, given, has, pointer->text, wanted, wants, wanted,
                        argument->fresh ? "" : ", as jitreduce scan --op max --segment-length 1 --result ",
                        argument->fresh ? "" : wanted, argument->fresh ? "" : " -o NEW.npy makes one");
    if (has == 2) return CLI_OK; /* C has no float of 16 bits: a kernel takes it as unsigned short */
    if (is_float(argument->data.type) != is_float(pointer->type) && !options->quiet)
        fprintf(stderr,
                "jitreduce: note: argument %zu ('%.200s') has elements of %s, but the parameter '%s' points to %s: the "
                "kernel reads their bytes as %s\n",
                argument->number, argument->text, given, pointer->text, wanted, wanted);
    return CLI_OK;
}

cli_exit cli_arguments_check_elements(const cli_options *options, const cli_argument *arguments, size_t count,
                                      const cli_pointer *pointers, cli_error *error) {
    cli_exit code = CLI_OK;
    for (size_t i = 0; code == CLI_OK && i < count; i++)
        if (arguments[i].array && pointers[i].found && pointers[i].type != JR_TYPE_NONE)
            code = check_elements(options, &arguments[i], &pointers[i], error);
    return code;
}

static cli_exit note_dropped(const cli_argument *argument, jr_context *context, cli_error *error) {
    const uint64_t bytes = cli_argument_bytes(argument);
    void *now = malloc(bytes + 1);
    if (now == NULL) return cli_fail(error, CLI_FAILURE, "run: out of memory");
    const jr_status status = bytes > 0 ? jr_memory_read(context, now, argument->device, bytes) : JR_OK;
    if (status == JR_OK && memcmp(now, argument->data.elements, bytes) != 0)
        fprintf(stderr,
                "jitreduce: note: argument %zu ('%.200s') was changed by the kernel, and the change is dropped: "
                "inout:%.200s keeps it, in:%.200s says that it may go\n",
                argument->number, argument->text, argument->text, argument->text);
    free(now);
    return status == JR_OK ? CLI_OK : cli_fail_library(error, status);
}

cli_exit cli_arguments_note_dropped(const cli_options *options, const cli_argument *arguments, size_t count,
                                    const cli_pointer *pointers, jr_context *context, cli_error *error) {
    cli_exit code = CLI_OK;
    for (size_t i = 0; code == CLI_OK && i < count && !options->quiet; i++) {
        const cli_argument *argument = &arguments[i];
        const bool meant = strncmp(argument->text, "in:", 3) == 0;
        if (argument->array && !argument->written_back && !meant && !pointers[i].constant)
            code = note_dropped(argument, context, error);
    }
    return code;
}
