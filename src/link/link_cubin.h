/* Links parts to machine code, by nvJitLink or by the driver's linker. */
#ifndef JR_LINK_LINK_CUBIN_H
#define JR_LINK_LINK_CUBIN_H

#include "device/device.h"
#include "link_part.h"

/* Who links. */
typedef struct jr_linker {
    char path[JR_PATH_BYTES];          /* of nvJitLink; "": the driver's linker */
    const jr_device *device;           /* for the driver's linker; NULL: nothing is open, or it is simulated */
    char identity[JR_PATH_BYTES + 64]; /* what the key of a linked image needs to know of it */
} jr_linker;

/* Finds a linker and opens nothing. nvrtc_path: NULL: not known. device: NULL or simulated: nvJitLink or none.
 * Errors: JR_ERROR_NOT_APPLICABLE. */
jr_status jr_linker_find(const char *nvrtc_path, const jr_device *device, jr_linker *linker);

/* Links parts for an architecture, as "sm_90". Errors: JR_ERROR_COMPILE with the linker's log and the part that is to
 * blame, where the linker says so; JR_ERROR_NOT_APPLICABLE (the linker cannot be opened, or takes no LTO-IR),
 * JR_ERROR_OUT_OF_MEMORY, JR_ERROR_DRIVER. */
jr_status jr_link_cubin(const jr_linker *linker, const jr_link_part *parts, size_t count, const char *architecture,
                        jr_linked *linked);

#endif
