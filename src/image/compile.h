/* The compile: one call of NVRTC turns a program's text into an image. */
#ifndef JR_IMAGE_COMPILE_H
#define JR_IMAGE_COMPILE_H

#include "image.h"
#include "loader/nvrtc.h"
#include "program/key.h"

/* What a compile is for. */
typedef struct jr_compile_target {
    const char *architecture; /* as jr_architecture_choose gives it */
    const jr_key *key;        /* stored in the image */
} jr_compile_target;

/* Compiles. "sm_XX" gives cubin and PTX, "compute_XX" PTX only. *nvrtc_ms: time inside NVRTC, written always.
 * Errors: JR_ERROR_COMPILE with NVRTC's log, JR_ERROR_NVRTC_NOT_FOUND when its builtins are missing,
 * JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_compile(const jr_nvrtc *nvrtc, const jr_program_text *text, const jr_compile_target *target,
                     double *nvrtc_ms, jr_image **image);

#endif
