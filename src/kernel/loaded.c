/* Loads images, finds their parameters, and unloads kernels. */
#include "loaded.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "image/ptx_text.h"
#include "loader/nvtx.h"

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

static jr_status enter_and_ask(const jr_device *device, jr_cu_function function, const char *entry,
                               jr_parameters *made) {
    JR_IN_DEVICE(device);
    return ask_driver(&device->driver, function, entry, made);
}

/* Finds the parameters of a kernel that was just loaded; the caller frees the list. Unknown parameters are not an
 * error. Writes *parameters on success only. Errors: JR_ERROR_OUT_OF_MEMORY, those of jr_device_enter. */
static jr_status learn_parameters(const jr_device *device, jr_cu_function function, const jr_image *image,
                                  jr_parameters *parameters) {
    jr_parameters made = {.count = -1};
    size_t count;
    jr_status status = JR_OK;
    if (jr_ptx_parameters_read(image->ptx, image->entry, NULL, 0, &count)) {
        status = make_room(&made, count, image->entry);
        if (status != JR_OK) return status;
        (void)jr_ptx_parameters_read(image->ptx, image->entry, made.list, count, &count);
        made.bytes = end_of(&made);
    } else if (device->driver.cuFuncGetParamInfo != NULL) {
        status = enter_and_ask(device, function, image->entry, &made);
    }
    if (status == JR_OK) *parameters = made;
    return status;
}

/* ---- loading ---- */

static jr_status load_module(const jr_device *device, const jr_image *image, double *load_ms, jr_module *module) {
    JR_IN_DEVICE(device);
    const double begin = jr_clock_ms(); /* the context has started */
    const bool begun = jr_nvtx_push("load", image->entry);
    const jr_status status = jr_module_load(device, image, module);
    if (begun) jr_nvtx_pop();
    *load_ms += jr_clock_ms() - begin;
    return status;
}

jr_status jr_loaded_create(const jr_device *device, const jr_image *image, double *load_ms, jr_kernel **kernel) {
    jr_kernel *made = calloc(1, sizeof *made);
    char *name = jr_string_copy(image->entry);
    jr_status status = JR_OK;
    if (made == NULL || name == NULL)
        status = jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the kernel %s", image->entry);
    else
        status = load_module(device, image, load_ms, &made->module);
    if (made == NULL || status != JR_OK) {
        free(made);
        free(name);
        return status;
    }
    made->device = device;
    made->name = name;
    status = learn_parameters(device, made->module.function, image, &made->parameters);
    if (status == JR_OK)
        *kernel = made;
    else
        jr_loaded_destroy(made);
    return status;
}

void jr_loaded_destroy(jr_kernel *kernel) {
    if (kernel == NULL) return;
    jr_module_unload(kernel->device, &kernel->module);
    jr_recorded_free(kernel->recorded);
    free(kernel->parameters.list);
    free(kernel->name);
    free(kernel);
}
