/* Loads images and unloads kernels. */
#include "loaded.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"

static jr_status load_module(const jr_device *device, const jr_image *image, double *load_ms, jr_module *module) {
    JR_IN_DEVICE(device);
    const double begin = jr_clock_ms(); /* the context has started */
    const jr_status status = jr_module_load(device, image, module);
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
    status = jr_parameters_learn(device, made->module.function, image, &made->parameters);
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
