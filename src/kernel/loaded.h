/* The loaded kernel: an image in a device's hands, the name of its entry, and its parameters. */
#ifndef JR_KERNEL_LOADED_H
#define JR_KERNEL_LOADED_H

#include "device/module.h"
#include "jitreduce/kernel.h"
#include "recorder.h"

typedef struct jr_parameters {
    jr_kernel_parameter *list;
    int count;    /* -1: unknown */
    size_t bytes; /* up to the last one's end */
} jr_parameters;

struct jr_kernel {
    const jr_device *device;
    jr_module module;
    char *name;            /* lowered */
    jr_recorded *recorded; /* NULL: its launches are not captured */
    jr_parameters parameters;
    jr_kernel *next; /* of the same module, which the first of them owns; NULL: none */
};

/* Loads an image on a device, which must outlive the kernel: the image's first kernel, which has the others as `next`.
 * *load_ms grows by what the driver took.
 * Errors: those of jr_module_load and jr_device_enter, JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_loaded_create(const jr_device *device, const jr_image *image, double *load_ms, jr_kernel **kernel);
void jr_loaded_destroy(jr_kernel *kernel); /* and its next ones; NULL is fine */

#endif
