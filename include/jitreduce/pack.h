/* Packs: kernels compiled ahead for several architectures, in one file that is shipped with a program; the kernels in
 * it need no NVRTC where they run.
 * Manual: pack.md.
 *
 * A context looks into packs after its disk cache. A kernel is found by everything that decides what it compiles to
 * (source, constants, headers, options, version of jitreduce), but not by NVRTC's version. Of the images for its device
 * a context takes the one compiled for that device, else one for an older device of its generation, else PTX, which the
 * driver compiles. jr_options.packs, JITREDUCE_PACKS and the folder `jitreduce` next to the library say where packs
 * are. jr_work_pack_add (work.h) adds the kernels of a reduction or scan. The setting JITREDUCE_PACK_RECORD makes a
 * pack of all kernels that a program loads. Because a pack is code, it must belong to the user or to the system (user
 * 0), nobody else may have permission to write to it, and every image is verified when it is read.
 *
 * Packs are compressed by zstd (libzstd.so.1, which is opened when a pack is made or read, not linked); plain packs do
 * not need it. */
#ifndef JITREDUCE_PACK_H
#define JITREDUCE_PACK_H

#include "kernel.h"
#include "scan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A pack that is being made. */
typedef struct jr_pack jr_pack;

/* How a pack is made. JR_INIT(jr_pack_options), then set what matters. */
typedef struct jr_pack_options {
    size_t size;                      /* sizeof(jr_pack_options) */
    const char *const *architectures; /* "sm_90": cubin and PTX; "compute_80": PTX alone; "sim": for the simulator */
    size_t architecture_count;        /* 1 to 64 */
    int plain;                        /* 1: not compressed; 0: by zstd */
    int unused;                       /* 0 */
} jr_pack_options;

enum { JR_PACK_TEXT_BYTES = 256 };

/* What a pack file contains. */
typedef struct jr_pack_info {
    size_t size;                            /* sizeof(jr_pack_info) */
    char library[JR_PACK_TEXT_BYTES];       /* version of jitreduce that made it, "0.3.0" */
    char compiler[JR_PACK_TEXT_BYTES];      /* "NVRTC 13.0, build ..." */
    char architectures[JR_PACK_TEXT_BYTES]; /* "sm_80 sm_90"; cut if the text is longer */
    uint64_t image_count;
    uint64_t image_bytes; /* size of all images, unpacked */
    uint64_t bytes;       /* size of the file */
} jr_pack_info;

/* Makes an empty pack.
 *
 * options: only nvrtc, cache_dir, cache_bytes and compile_limit_ms count; NULL: all defaults. Images that are in the
 *   disk cache are taken from there.
 * how: its architectures; read before the call returns.
 * pack: where the pack is written, on success only.
 *
 * Owns: the caller destroys it with jr_pack_destroy.
 * Threads: any; a pack compiles in several threads of its own.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_ARCHITECTURE, JR_ERROR_NVRTC_NOT_FOUND, JR_ERROR_OUT_OF_MEMORY.
 * Since: 0.2. */
JR_API jr_status jr_pack_create(const jr_options *options, const jr_pack_options *how, jr_pack **pack);

/* Compiles a program for every architecture of a pack and adds its images. Images that the pack already has are not
 * added again. If the call fails, the pack is as it was.
 *
 * program: copied; it must have no include folders and no toolkit headers, because a pack finds programs by their texts
 *   only.
 *
 * Owns: nothing.
 * Threads: one at a time for each pack.
 * Errors: JR_ERROR_PACK (the pack is full), those of jr_image_compile.
 * Since: 0.2. */
JR_API jr_status jr_pack_add(jr_pack *pack, const jr_program *program);

/* Writes a pack to a file, completely or not at all; only its owner may read the file (mode 0600). More can be added to
 * the pack afterwards, and it can be written again.
 *
 * path: a file in an existing folder; by convention it ends with .jrpack.
 *
 * Owns: nothing.
 * Threads: one at a time for each pack.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_FILE, JR_ERROR_MISSING_FUNCTION (zstd was not found, and the pack is not
 *   plain), JR_ERROR_OUT_OF_MEMORY.
 * Since: 0.2. */
JR_API jr_status jr_pack_write(jr_pack *pack, const char *path);

/* Destroys a pack. Files that were written stay.
 *
 * pack: may be NULL.
 *
 * Owns: takes the pack.
 * Threads: no other thread may be using it.
 * Errors: none.
 * Since: 0.2. */
JR_API void jr_pack_destroy(jr_pack *pack);

/* Reads a pack file as a context would, verifies every image in it, and writes what it contains.
 *
 * path: a pack file.
 * info: `size` must be set; the rest is written, on success only.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_FILE (the file cannot be read, or others may write to it), JR_ERROR_PACK
 *   (not a pack, damaged, or made by another version), JR_ERROR_MISSING_FUNCTION (it is compressed, and zstd was not
 *   found), JR_ERROR_OUT_OF_MEMORY.
 * Since: 0.2. */
JR_API jr_status jr_pack_look(const char *path, jr_pack_info *info);

#ifdef __cplusplus
}
#endif
#endif
