/* Has NVRTC say the size and alignment of a struct whose members are not all numbers: those of a kernel's parameter. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "structure.h"

/* Bytes up to the brace that ends the struct: functions that follow may use what only the kernels have. */
static size_t definition_length(const char *text) {
    int depth = 0;
    for (const char *at = text; *at != '\0'; at++) {
        depth += (*at == '{') - (*at == '}');
        if (*at == '}' && depth == 0) return (size_t)(at + 1 - text);
    }
    return strlen(text);
}

static jr_status compile(const cli_structure *structure, jr_kernel_parameter *found) {
    static const char form[] = "%.*s;\nextern \"C\" __global__ void jr_size_of_struct(%s value) {}\n";
    const int length = (int)definition_length(structure->text);
    const size_t room = sizeof form + (size_t)length + strlen(structure->name);
    char *source = malloc(room);
    jr_image *image = NULL;
    size_t count;
    if (source == NULL) return JR_ERROR_OUT_OF_MEMORY;
    snprintf(source, room, form, length, structure->text, structure->name);
    const jr_program program = JR_INIT(jr_program, .name = "struct", .source = source);
    jr_status status = jr_image_compile(NULL, &program, "compute_80", &image);
    if (status == JR_OK) status = jr_image_parameters(image, found, 1, &count);
    jr_image_destroy(image);
    free(source);
    return status;
}

cli_exit cli_structure_measure(cli_structure *structure, cli_error *error) {
    jr_kernel_parameter found = {0};
    if (structure->text == NULL || structure->bytes > 0) return CLI_OK;
    const jr_status status = compile(structure, &found);
    if (status == JR_ERROR_COMPILE) {
        (void)cli_fail_library(error, status); /* for its log */
        snprintf(error->message, sizeof error->message, "--struct: the text of %s does not compile", structure->name);
        return CLI_USAGE;
    }
    if (status != JR_OK) return cli_fail_library(error, status);
    structure->bytes = found.bytes;
    structure->alignment = found.alignment;
    return CLI_OK;
}
