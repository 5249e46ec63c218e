/* Linking: kernels whose device code is divided over several texts, PTX, machine code, LTO-IR and device libraries.
 * Manual: link.md. */
#ifndef JITREDUCE_LINK_H
#define JITREDUCE_LINK_H

#include "kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One of the things that are linked: a program, or the bytes of a file. Keeps its layout in all versions. */
typedef struct jr_link_input {
    const char *name; /* in messages and in the linker's log, "util.ptx"; may be NULL: the program's name, "input 3" */
    const jr_program *program; /* compiled as relocatable device code; its entry: instances of templates that it must
                                * have, "saxpy<float>", or NULL; may be NULL: `data` is linked */
    const void *data; /* the bytes of a file: PTX, a cubin, LTO-IR, a fat binary, an object file (.o) or a library (.a)
                       * of nvcc; no alignment required; ignored with a program */
    size_t bytes;     /* of `data` */
} jr_link_input;

/* Links inputs to an image, or finds it in the context's disk cache, whose key holds all inputs by their content. The
 * image goes to jr_kernels_load, jr_kernel_load, jr_image_data. Machine code is linked by nvJitLink if it is found
 * (JITREDUCE_NVJITLINK), else by the driver. For the simulator, and for PTX ("compute_90"), all inputs must be programs
 * or PTX, and jitreduce links them itself.
 *
 * inputs: `count` of them; read before the call returns.
 * count: how many, 1 or more.
 * entry: the kernel as the linked code names it ("saxpy", "_Z5saxpyIfEvPT_"), or several, separated by ';'; NULL: all.
 * architecture: "sm_90": machine code; "compute_90": PTX; may be NULL: the context's device.
 * image: where the image is written, on success only.
 *
 * Owns: the caller destroys it with jr_image_destroy.
 * Threads: any.
 * Errors: JR_ERROR_COMPILE (a name that no input or that two inputs define, an input for another architecture or newer
 *   than the linker; the message names the input, and jr_last_error()->log holds the linker's log),
 *   JR_ERROR_INVALID_ARGUMENT (no input, an empty or unknown one, no such kernel), JR_ERROR_NOT_APPLICABLE (there is no
 *   linker for these inputs), JR_ERROR_ARCHITECTURE, JR_ERROR_OUT_OF_MEMORY, JR_ERROR_DRIVER; of programs those of
 *   jr_image_compile.
 * Since: 0.3. */
JR_API jr_status jr_image_link(jr_context *context, const jr_link_input *inputs, size_t count, const char *entry,
                               const char *architecture, jr_image **image);

/* Writes the names of all kernels that an image has, linked, compiled or read, as its PTX or machine code names them.
 *
 * image: not NULL.
 * names: where the list "init; _Z5saxpyIfEvPT_" is written, with a NUL; may be NULL if `room` is 0.
 * room: how many bytes there is room for; 0 to find the size only.
 * bytes: how many bytes the list takes with its NUL; 1: no kernels; written on success only.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT (too little room, machine code that cannot be read), JR_ERROR_OUT_OF_MEMORY.
 * Since: 0.3. */
JR_API jr_status jr_image_kernels(const jr_image *image, char *names, size_t room, size_t *bytes);

#ifdef __cplusplus
}
#endif
#endif
