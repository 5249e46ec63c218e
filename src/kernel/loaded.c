/* Loads images, finds their parameters, and unloads kernels. */
#include "loaded.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "image/ptx_text.h"
#include "loader/nvtx.h"
#include "program/entries.h"

/* ---- parameters ---- */

static jr_status make_room(jr_parameters *made, size_t count, const char *entry) {
    made->list = calloc(count > 0 ? count : 1, sizeof *made->list);
    made->count = (int)count;
    return made->list != NULL ? JR_OK : jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the parameters of %s", entry);
}

/* Offsets follow from sizes and alignments, as C lays out a struct. */
static size_t end_of(const jr_parameters *made) {
    size_t end = 0;
    for (int i = 0; i < made->count; i++) {
        const jr_kernel_parameter *parameter = &made->list[i];
        end = (end + parameter->alignment - 1) / parameter->alignment * parameter->alignment + parameter->bytes;
    }
    return end;
}

/* The driver reports one parameter at a time; the first index that it rejects is the count. The context is current. */
static jr_status ask_driver(const jr_driver *driver, jr_cu_function function, const char *entry, jr_parameters *made) {
    size_t count = 0, offset = 0, bytes = 0;
    while (driver->cuFuncGetParamInfo(function, count, &offset, &bytes) == JR_CUDA_SUCCESS) count++;
    const jr_status status = make_room(made, count, entry);
    for (size_t i = 0; status == JR_OK && i < count; i++)
        if (driver->cuFuncGetParamInfo(function, i, &offset, &bytes) == JR_CUDA_SUCCESS) made->list[i].bytes = bytes;
    made->bytes = count > 0 ? offset + bytes : 0;
    return status;
}

/* Finds the parameters of a kernel that was just found. Unknown parameters are not an error. The context is current.
 * Errors: JR_ERROR_OUT_OF_MEMORY. */
static jr_status learn_parameters(const jr_image *image, jr_kernel *kernel) {
    const jr_device *device = kernel->device;
    jr_parameters *made = &kernel->parameters;
    size_t count;
    made->count = -1;
    if (jr_ptx_parameters_read(image->ptx, kernel->name, NULL, 0, &count)) {
        JR_TRY(make_room(made, count, kernel->name));
        (void)jr_ptx_parameters_read(image->ptx, kernel->name, made->list, count, &count);
        made->bytes = end_of(made);
        return JR_OK;
    }
    return device->driver.cuFuncGetParamInfo != NULL
               ? ask_driver(&device->driver, kernel->module.function, kernel->name, made)
               : JR_OK;
}

/* ---- loading ---- */

/* Makes a kernel of a module. The context is current. */
static jr_status find_kernel(const jr_device *device, const jr_image *image, const jr_entry *entry, jr_module module,
                             jr_kernel **kernel) {
    jr_kernel *made = calloc(1, sizeof *made);
    char *name = jr_bytes_copy(entry->at, entry->length);
    jr_status status = JR_OK;
    if (made == NULL || name == NULL) {
        free(made);
        free(name);
        return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the kernel %.*s", (int)entry->length, entry->at);
    }
    *made = (jr_kernel){.device = device, .name = name};
    status = jr_module_find(device, name, &module);
    made->module.function = module.function;
    if (status == JR_OK) status = learn_parameters(image, made);
    if (status == JR_OK) {
        made->module.handle = module.handle;
        *kernel = made;
    } else {
        jr_loaded_destroy(made);
    }
    return status;
}

/* Makes the kernels of a module in their order; the first one that could be made owns it. */
static jr_status find_kernels(const jr_device *device, const jr_image *image, jr_module *module, jr_kernel **first) {
    const char *list = image->entry;
    jr_status status = JR_OK;
    jr_kernel **next = first;
    for (jr_entry entry; status == JR_OK && jr_entries_next(&list, &entry);) {
        status = find_kernel(device, image, &entry, *module, next);
        if (status == JR_OK) next = &(*next)->next;
    }
    return status;
}

jr_status jr_loaded_create(const jr_device *device, const jr_image *image, double *load_ms, jr_kernel **kernel) {
    if (jr_entries_all(image->entry))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the image has no kernel: it has device functions only");
    JR_IN_DEVICE(device);
    jr_module module;
    jr_kernel *first = NULL;
    const double begin = jr_clock_ms(); /* the context has started */
    const bool begun = jr_nvtx_push("load", image->entry);
    jr_status status = jr_module_load(device, image, &module);
    if (begun) jr_nvtx_pop();
    if (status == JR_OK) {
        status = find_kernels(device, image, &module, &first);
        if (status != JR_OK && first == NULL) jr_module_unload(device, &module);
    }
    *load_ms += jr_clock_ms() - begin;
    if (status == JR_OK)
        *kernel = first;
    else
        jr_loaded_destroy(first);
    return status;
}

void jr_loaded_destroy(jr_kernel *kernel) {
    if (kernel == NULL) return;
    jr_module_unload(kernel->device, &kernel->module);
    while (kernel != NULL) {
        jr_kernel *next = kernel->next;
        jr_recorded_free(kernel->recorded);
        free(kernel->parameters.list);
        free(kernel->name);
        free(kernel);
        kernel = next;
    }
}
