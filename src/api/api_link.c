/* The public functions of linking (link.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "guard.h"
#include "kernel/linked.h"
#include "size.h"

/* Inputs with names, and their programs as this version knows them. */
typedef struct own_inputs {
    jr_link_input *inputs;
    jr_program *programs;
    char (*names)[32];
} own_inputs;

static void free_inputs(own_inputs *own) {
    free(own->inputs);
    free(own->programs);
    free(own->names);
}

static jr_status read_inputs(const jr_link_input *inputs, size_t count, own_inputs *own) {
    own->inputs = calloc(count, sizeof *own->inputs);
    own->programs = calloc(count, sizeof *own->programs);
    own->names = calloc(count, sizeof *own->names);
    if (own->inputs == NULL || own->programs == NULL || own->names == NULL)
        return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory to link %zu inputs", count);
    for (size_t i = 0; i < count; i++) {
        jr_link_input *input = &own->inputs[i];
        *input = inputs[i];
        if (input->program != NULL) {
            if (jr_size_read(&jr_program_sized, input->program, &own->programs[i]) != JR_OK)
                return jr_fail_prefix("inputs[%zu]: ", i);
            input->program = &own->programs[i];
        }
        snprintf(own->names[i], sizeof own->names[i], "input %zu", i + 1);
        if (input->name == NULL && input->program != NULL) input->name = input->program->name;
        if (input->name == NULL || input->name[0] == '\0') input->name = own->names[i];
    }
    return JR_OK;
}

jr_status jr_image_link(jr_context *context, const jr_link_input *inputs, size_t count, const char *entry,
                        const char *architecture, jr_image **image) {
    JR_GUARD_CALL;
    own_inputs own = {0};
    JR_TRY(JR_GIVEN(context, image));
    if (count == 0) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "there are no inputs to link: give 1 or more");
    JR_TRY(JR_GIVEN(inputs));
    jr_status status = read_inputs(inputs, count, &own);
    if (status == JR_OK) status = jr_linked_image(context, own.inputs, count, entry, architecture, image);
    free_inputs(&own);
    return status;
}

jr_status jr_image_kernels(const jr_image *image, char *names, size_t room, size_t *bytes) {
    JR_TRY(JR_GIVEN(image, bytes));
    if (room > 0) JR_TRY(JR_GIVEN(names));
    jr_text list = {0};
    jr_status status = jr_linked_kernels(image, &list);
    const size_t needed = list.length + 1;
    if (status == JR_OK && room > 0 && room < needed)
        status = jr_fail(JR_ERROR_INVALID_ARGUMENT, "the room of %zu bytes does not hold the names of %zu bytes", room,
                         needed);
    if (status == JR_OK && room > 0) memcpy(names, jr_text_string(&list), needed);
    if (status == JR_OK) *bytes = needed;
    jr_text_free(&list);
    return status;
}
