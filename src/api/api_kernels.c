/* The public functions for several kernels (kernel.h). */
#include <stdint.h>
#include <stdlib.h>

#include "base/error.h"
#include "guard.h"
#include "kernel/kernel.h"
#include "kernel/kernel_order.h"
#include "program/entries.h"
#include "size.h"

/* The programs as this version knows them, malloc'd. */
static jr_status read_programs(const jr_program *const *programs, size_t count, jr_program **own) {
    jr_program *read = count < SIZE_MAX / sizeof *read ? malloc(count * sizeof *read) : NULL;
    jr_status status = read != NULL ? JR_OK : jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for %zu programs", count);
    for (size_t i = 0; i < count && status == JR_OK; i++) {
        status = programs[i] != NULL ? jr_size_read(&jr_program_sized, programs[i], &read[i])
                                     : jr_fail(JR_ERROR_INVALID_ARGUMENT, "it is NULL");
        if (status != JR_OK) (void)jr_fail_prefix("programs[%zu]: ", i);
    }
    if (status == JR_OK)
        *own = read;
    else
        free(read);
    return status;
}

jr_status jr_kernels_get(jr_context *context, const jr_program *const *programs, size_t count, jr_kernel **kernels) {
    JR_GUARD_CALL;
    jr_program *own = NULL;
    JR_TRY(JR_GIVEN(context));
    if (count == 0) return JR_OK;
    JR_TRY(JR_GIVEN(programs, kernels));
    JR_TRY(read_programs(programs, count, &own));
    const jr_status status = jr_orders_all(context, own, count, kernels);
    free(own);
    return status;
}

/* The kernels of a module, from the first one on. */
static void take_kernels(jr_kernel *first, size_t count, jr_kernel **kernels) {
    for (size_t i = 0; i < count && first != NULL; i++, first = first->next) kernels[i] = first;
}

jr_status jr_kernels_of(jr_context *context, const jr_program *program, const char *const *entries, size_t count,
                        jr_kernel **kernels) {
    JR_GUARD_CALL;
    jr_kernel_cost cost;
    jr_kernel *first;
    jr_program own;
    char *list;
    JR_TRY(JR_GIVEN(context, program));
    if (count == 0) return JR_OK;
    JR_TRY(JR_GIVEN(entries, kernels));
    JR_TRY(jr_size_read(&jr_program_sized, program, &own));
    JR_TRY(jr_entries_join(entries, count, &list));
    own.entry = list;
    const jr_status status = jr_kernels_of_caller(context, &own, &first, &cost);
    free(list);
    if (status != JR_OK) return status;
    take_kernels(first, count, kernels);
    jr_context_keep_cost(context, &cost);
    return JR_OK;
}

static size_t count_names(const char *list) {
    size_t count = 0;
    for (jr_entry entry; jr_entries_next(&list, &entry);) count++;
    return count;
}

jr_status jr_kernels_load(jr_context *context, const jr_image *image, jr_kernel **kernels, size_t room, size_t *count) {
    JR_GUARD_CALL;
    jr_kernel_cost cost;
    jr_kernel *first;
    JR_TRY(JR_GIVEN(context, image, count));
    if (room > 0) JR_TRY(JR_GIVEN(kernels));
    const size_t all = count_names(image->entry);
    if (room > 0) {
        JR_TRY(jr_kernel_of_image(context, image, &first, &cost));
        take_kernels(first, room, kernels);
        jr_context_keep_cost(context, &cost);
    }
    *count = all;
    return JR_OK;
}
