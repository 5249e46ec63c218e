/* The architecture: which target to compile a program for, given a device and an NVRTC. */
#ifndef JR_IMAGE_ARCHITECTURE_H
#define JR_IMAGE_ARCHITECTURE_H

#include "compiler_record.h"

enum { JR_ARCHITECTURE_BYTES = 24 };

/* A device, as far as the choice asks. */
typedef struct jr_architecture_device {
    int major, minor; /* its compute capability */
    bool ptx_only;    /* it runs PTX itself: the simulator */
} jr_architecture_device;

/* Chooses for a device: "sm_XX" when NVRTC knows it exactly (cubin and PTX from one compile), else "compute_XX" of the
 * largest one not above it (PTX, compiled further by the driver); that, too, for a device that would not look at the
 * cubin, whose making is half of the time of a compile. Errors: JR_ERROR_ARCHITECTURE, naming device, NVRTC path and
 * version. */
jr_status jr_architecture_choose(const jr_nvrtc_about *record, jr_architecture_device device,
                                 char out[JR_ARCHITECTURE_BYTES]);

/* Returns the number in a name of the form "sm_90", "sm_90a", "compute_80"; 0 when it has no such form. */
int jr_architecture_number(const char *name);

/* The architecture that a name in a list for a pack means: the simulator, "sim", runs PTX alone, and is a device of
 * capability 9.0. */
const char *jr_architecture_meant(const char *name);

/* Checks an architecture given by name: "sm_90", "sm_90a", "compute_80".
 * Errors: JR_ERROR_INVALID_ARGUMENT (no such form), JR_ERROR_ARCHITECTURE (not known to this NVRTC). */
jr_status jr_architecture_check(const jr_nvrtc_about *record, const char *name);

#endif
