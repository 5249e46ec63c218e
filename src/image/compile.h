/* The compile: NVRTC turns a program's text into an image. */
#ifndef JR_IMAGE_COMPILE_H
#define JR_IMAGE_COMPILE_H

#include "headers/headers.h"
#include "image.h"
#include "loader/nvrtc.h"
#include "pch/pch.h"
#include "program/key.h"

/* What a compile is for. */
typedef struct jr_compile_target {
    const char *architecture;  /* as jr_architecture_choose gives it */
    const jr_key *key;         /* stored in the image */
    const jr_headers *headers; /* of the program's folders, with their texts; NULL: it has none */
    double limit_ms;           /* jr_options.compile_limit_ms; 0: its default */
    jr_pch *pch;               /* NULL: no precompiled headers */
} jr_compile_target;

/* What a compile took. */
typedef struct jr_compile_cost {
    double nvrtc_ms;
    bool again; /* NVRTC failed with the options that only shorten the compile, and was asked again without them */
    bool precompiled; /* it began with precompiled headers */
} jr_compile_cost;

/* Checks a limit of compile time. Errors: JR_ERROR_INVALID_ARGUMENT. */
jr_status jr_compile_limit_check(double limit_ms);

/* Compiles. "sm_XX" gives cubin and PTX, "compute_XX" PTX only. cost: written always.
 * Errors: JR_ERROR_COMPILE with NVRTC's log (also when it takes too long), JR_ERROR_NVRTC_NOT_FOUND when its builtins
 * are missing, JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_compile(const jr_nvrtc *nvrtc, const jr_program_text *text, const jr_compile_target *target,
                     jr_compile_cost *cost, jr_image **image);

#endif
