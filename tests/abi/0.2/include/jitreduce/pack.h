/* Packs: kernels compiled ahead for several architectures, in one file that programs ship; where they run they need no
 * NVRTC for what is in it.
 *
 * A context looks into packs after its disk cache. It finds a kernel by all that decides what it compiles to: source,
 * constants, headers, options and the version of jitreduce, but not NVRTC's; of the images for its device it takes the
 * one compiled for it, else one for an older device of its generation, else PTX, which the driver compiles.
 * jr_options.packs, JITREDUCE_PACKS and the folder `jitreduce` beside the library say where packs are. As a pack is
 * code, it must belong to the user or to the system (user 0), no other may write to it, and every image is verified
 * when it is read.
 *
 * Packs are compressed by zstd (libzstd.so.1, looked for when one is made or read and not linked); plain ones need
 * none.
 */
#ifndef JITREDUCE_PACK_H
#define JITREDUCE_PACK_H

#include "kernel.h"
#include "scan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A pack in the making. */
typedef struct jr_pack jr_pack;

/* What a pack is for. JR_INIT(jr_pack_options), then set what matters. */
typedef struct jr_pack_options {
    size_t size;                      /* sizeof(jr_pack_options) */
    const char *const *architectures; /* "sm_90": cubin and PTX; "compute_80": PTX alone; "sim": for the simulator */
    size_t architecture_count;        /* 1 to 64 */
    int plain;                        /* 1: not compressed */
    int unused;                       /* 0 */
} jr_pack_options;

enum { JR_PACK_TEXT_BYTES = 256 };

/* What a pack file is. */
typedef struct jr_pack_info {
    size_t size;                            /* sizeof(jr_pack_info) */
    char library[JR_PACK_TEXT_BYTES];       /* version of jitreduce that made it, "0.2.0" */
    char compiler[JR_PACK_TEXT_BYTES];      /* "NVRTC 13.0, build ..." */
    char architectures[JR_PACK_TEXT_BYTES]; /* "sm_80 sm_90"; cut where there are very many */
    uint64_t image_count;
    uint64_t image_bytes; /* of all of them, unpacked */
    uint64_t bytes;       /* of the file */
} jr_pack_info;

/* Begins a pack. options: NULL for all defaults; only nvrtc, cache_dir, cache_bytes and compile_limit_ms matter: images
 * that the disk cache has are taken from there. how: its architectures. Writes *pack on success only.
 * Owns: the caller destroys the pack. Threads: any; a pack is used by one at a time, and compiles by several.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_ARCHITECTURE, JR_ERROR_NVRTC_NOT_FOUND, JR_ERROR_OUT_OF_MEMORY.
 * Since: 0.2. */
JR_API jr_status jr_pack_create(const jr_options *options, const jr_pack_options *how, jr_pack **pack);

/* Compiles a program for every architecture of a pack and adds its images; what is in it already is not added again.
 * On failure the pack is as it was. program: without include folders and the toolkit's headers, as texts alone are what
 * it is found by.
 * Owns: nothing; program is copied. Threads: one at a time. Errors: those of jr_image_compile, JR_ERROR_PACK (it is
 * full). Since: 0.2. */
JR_API jr_status jr_pack_add(jr_pack *pack, const jr_program *program);

/* Adds every kernel that reductions of a spec to one value may run, on devices of the pack's architectures, in device
 * or host memory: whatever their count, or, where spec.capacity is set, for that. Stored tunings are not asked, nor are
 * kernels of groups among them.
 * Owns: nothing. Threads: one at a time. Errors: those of jr_plan_create for the spec, and of jr_pack_add. Since: 0.2.
 */
JR_API jr_status jr_pack_add_spec(jr_pack *pack, const jr_spec *spec);

/* Adds every kernel that scans of a spec may run, as jr_pack_add_spec. kind: of the scan.
 * Owns: nothing. Threads: one at a time. Errors: those of jr_scan_plan_create for the spec, and of jr_pack_add.
 * Since: 0.2. */
JR_API jr_status jr_pack_add_scan(jr_pack *pack, const jr_spec *spec, jr_scan_kind kind);

/* Adds every kernel that reductions of a spec may run over segments of a layout, as jr_pack_add_spec: whatever their
 * number, or, where spec.capacity is set, for so many elements in all. layout: as of jr_segment_plan_create; another
 * length, or another shape, may take other kernels.
 * Owns: nothing. Threads: one at a time. Errors: those of jr_segment_plan_create for spec and layout, and of
 * jr_pack_add. Since: 0.2. */
JR_API jr_status jr_pack_add_segments(jr_pack *pack, const jr_spec *spec, const jr_segment_layout *layout);

/* Adds every kernel that scans of each segment of a layout may run, as jr_pack_add_segments. kind: of the scans.
 * Owns: nothing. Threads: one at a time. Errors: those of jr_scan_segment_plan_create for spec, kind and layout, and of
 * jr_pack_add. Since: 0.2. */
JR_API jr_status jr_pack_add_scan_segments(jr_pack *pack, const jr_spec *spec, jr_scan_kind kind,
                                           const jr_segment_layout *layout);

/* Writes a pack to a file, whole or not at all, which its owner alone may read (mode 0600).
 * path: in a folder that is there; by convention it ends with .jrpack. The pack may get more, and be written again.
 * Owns: nothing. Threads: one at a time. Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_FILE, JR_ERROR_MISSING_FUNCTION
 * (there is no zstd, and the pack is not plain), JR_ERROR_OUT_OF_MEMORY. Since: 0.2. */
JR_API jr_status jr_pack_write(jr_pack *pack, const char *path);

/* Destroys a pack in the making; what was written stays. pack: may be NULL.
 * Owns: takes it. Threads: no other user. Errors: none. Since: 0.2. */
JR_API void jr_pack_destroy(jr_pack *pack);

/* Reads a pack file as a context would, verifies every image in it, and writes what it is.
 * info: written on success only. Owns: nothing. Threads: any. Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_FILE (it
 * cannot be read, or others could have written it), JR_ERROR_PACK (it is none, is damaged, or was made by another
 * version), JR_ERROR_MISSING_FUNCTION (it is compressed, and there is no zstd), JR_ERROR_OUT_OF_MEMORY. Since: 0.2. */
JR_API jr_status jr_pack_look(const char *path, jr_pack_info *info);

#ifdef __cplusplus
}
#endif
#endif
