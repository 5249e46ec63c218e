/* The walk from a program to its image: text, key, headers, disk cache, compiler. */
#ifndef JR_KERNEL_WALK_H
#define JR_KERNEL_WALK_H

#include "context.h"
#include "image/architecture.h"
#include "image/claim.h"
#include "image/program_files.h"

/* One walk from a program to an image, or on to a kernel. */
typedef struct jr_kernel_walk {
    jr_compiler *compiler;
    jr_cache *cache;
    jr_packs *packs;          /* NULL: none */
    const jr_device *device;  /* NULL: the walk ends at the image */
    jr_recorder *recorder;    /* NULL: launches are not captured into files */
    jr_used_programs *used;   /* NULL: no pack is recorded */
    bool of_caller;           /* a program that the caller wrote: on the simulator with lines of the source */
    bool relocatable;         /* the image is linked with others */
    const jr_program *asked;  /* the caller's, without the library's own headers */
    const char *architecture; /* the one asked for; NULL: the device's */
    double limit_ms;          /* of a compile, as in jr_options */
    double wait_ms;           /* for others that compile the same, as in jr_options */
    jr_program_text text;
    jr_key text_key;
    jr_headers *headers; /* headers of include folders; NULL: the program has no folders. Without texts if their digest
                          * came from a manifest */
    bool reads_headers;  /* whatever a manifest says */
    bool changed;        /* they were not the same when they were read */
    const jr_nvrtc_about *record; /* NULL: the compiler is not known, and `key` is not valid */
    char chosen[JR_ARCHITECTURE_BYTES];
    jr_key key;
    const char *miss; /* why an existing entry cannot be used; NULL: no entry exists */
    jr_kernel_cost cost;
} jr_kernel_walk;

/* program -> text and its key. */
jr_status jr_walk_text(jr_kernel_walk *walk, const jr_program *program);
/* text, surroundings -> key. record: of the compiler. */
jr_status jr_walk_key(jr_kernel_walk *walk, const jr_nvrtc_about *record);
/* The same; NVRTC is looked for, and opened if nothing is on record of it. */
jr_status jr_walk_describe(jr_kernel_walk *walk);
/* key -> image, from the disk cache; false when it is not there. The caller frees *image. */
bool jr_walk_read(jr_kernel_walk *walk, jr_image **image);
/* Claims the key, after waiting for others that compile it: true when the disk cache has its image now, and nothing is
 * claimed. */
bool jr_walk_claim(jr_kernel_walk *walk, jr_key_lock *claim);
/* key -> image, by compiling. The caller frees *image. */
jr_status jr_walk_compile(jr_kernel_walk *walk, jr_image **image);
/* Keeps an image that was compiled and, where there is a device, taken; a failed write is no failure. */
void jr_walk_keep(jr_kernel_walk *walk, const jr_image *image);
/* Ends a walk; true when it must be made once more, with headers that are read. */
bool jr_walk_end(jr_kernel_walk *walk);

#endif
