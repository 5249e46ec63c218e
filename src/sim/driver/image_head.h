/* The kind of an image: the first bytes show what a caller gave to cuModuleLoadData, before PTX is parsed. */
#ifndef JRS_DRIVER_IMAGE_HEAD_H
#define JRS_DRIVER_IMAGE_HEAD_H

#include "sim/ptx/ptx_report.h"

/* The PTX of a fat binary; any other image as it is. */
const char *jrs_image_ptx(const char *image);

/* Checks that an image is PTX for this device and driver. Reads past the first bytes only as long as they look like PTX
 * text, which ends with a NUL. Errors, with a message: 200 (neither PTX nor anything known), 209 (machine code; a
 * target above the device), 218 (no .target), 222 (a newer PTX version). */
int jrs_image_head_check(const char *image, jrs_report *report);

#endif
