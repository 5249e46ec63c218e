/* Lists the kernels of a file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run_program.h"

enum { PARAMETERS_MAX = 64 };

/* Structs are bytes in PTX: b8[16]. */
static void print_parameter(const jr_kernel_parameter *parameter) {
    if (parameter->type[0] == '\0')
        printf("%zu bytes", parameter->bytes);
    else if (strcmp(parameter->type, "b8") == 0)
        printf("b8[%zu]", parameter->bytes);
    else
        fputs(parameter->type, stdout);
}

static jr_status print_kernel(const jr_kernel *kernel) {
    jr_kernel_parameter parameters[PARAMETERS_MAX];
    size_t count = 0;
    const jr_status status = jr_kernel_parameters(kernel, parameters, PARAMETERS_MAX, &count);
    if (status != JR_OK) return status;
    printf("%s(", jr_kernel_name(kernel));
    for (size_t i = 0; i < count && i < PARAMETERS_MAX; i++) {
        if (i > 0) fputs(", ", stdout);
        print_parameter(&parameters[i]);
    }
    puts(count > PARAMETERS_MAX ? ", ...)" : ")");
    return JR_OK;
}

static cli_exit print_kernels(jr_context *context, const jr_image *image, cli_error *error) {
    size_t count = 0;
    jr_status status = jr_kernels_load(context, image, NULL, 0, &count);
    jr_kernel **kernels = status == JR_OK ? calloc(count, sizeof(jr_kernel *)) : NULL;
    if (status == JR_OK && kernels == NULL) return cli_fail(error, CLI_FAILURE, "run: out of memory");
    if (status == JR_OK) status = jr_kernels_load(context, image, kernels, count, &count);
    for (size_t i = 0; status == JR_OK && i < count; i++) status = print_kernel(kernels[i]);
    free(kernels);
    return status == JR_OK ? CLI_OK : cli_fail_library(error, status);
}

/* An image of PTX has one kernel; linking that one text gives all. */
static jr_status read_ptx(jr_context *context, const cli_run_source *source, jr_image **image) {
    const jr_link_input input = {.name = source->program.name, .data = source->text, .bytes = strlen(source->text)};
    jr_device_info device = JR_INIT(jr_device_info);
    char architecture[32];
    const jr_status status = jr_context_device_info(context, &device);
    if (status != JR_OK) return status;
    snprintf(architecture, sizeof architecture, "compute_%d%d", device.capability_major, device.capability_minor);
    return jr_image_link(context, &input, 1, source->program.entry, architecture, image);
}

cli_exit cli_run_kernels(const cli_options *options, jr_context *context, cli_error *error) {
    const char *path = options->files[0];
    cli_run_source source;
    jr_image *image = NULL;
    size_t bytes = 0;
    cli_exit code = cli_run_source_read(options, &source, error);
    if (code != CLI_OK) return code;
    const bool is_ptx = cli_run_is_ptx(options);
    if (source.program.entry == NULL && !is_ptx) source.program.entry = "*";
    jr_status status =
        is_ptx ? read_ptx(context, &source, &image) : jr_image_compile_for(context, &source.program, &image);
    cli_run_source_free(&source);
    if (status == JR_OK) status = jr_image_kernels(image, NULL, 0, &bytes);
    if (status != JR_OK)
        code = is_ptx ? cli_fail_library(error, status) : cli_run_explain(path, status, error);
    else if (bytes <= 1)
        code =
            cli_fail(error, CLI_FAILURE, "%s: has no kernel; a template is listed with --entry 'scale<float>'", path);
    else
        code = print_kernels(context, image, error);
    jr_image_destroy(image);
    return code;
}
