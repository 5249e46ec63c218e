/* The parameters of a kernel, from its PTX or its driver. */
#ifndef JR_KERNEL_PARAMETERS_H
#define JR_KERNEL_PARAMETERS_H

#include "device/module.h"
#include "jitreduce/kernel.h"

typedef struct jr_parameters {
    jr_kernel_parameter *list;
    int count;    /* -1: unknown */
    size_t bytes; /* up to the last one's end */
} jr_parameters;

/* Finds the parameters of a kernel that was just loaded; the caller frees the list. Unknown parameters are not an
 * error. Writes *parameters on success only. Errors: JR_ERROR_OUT_OF_MEMORY, those of jr_device_enter. */
jr_status jr_parameters_learn(const jr_device *device, jr_cu_function function, const jr_image *image,
                              jr_parameters *parameters);

#endif
