/* A pack in the making: a compiler and a cache, and the images that they have given so far. */
#ifndef JR_KERNEL_PACK_H
#define JR_KERNEL_PACK_H

#include <pthread.h>

#include "context.h"
#include "image/pack_file.h"
#include "image/pack_write.h"
#include "jitreduce/pack.h"

struct jr_pack {
    jr_cache *cache;
    jr_compiler *compiler;
    double compile_limit_ms;
    char names[JR_PACK_SECTIONS_MAX][JR_PACK_NAME_BYTES]; /* of the architectures, in order */
    const char *architectures[JR_PACK_SECTIONS_MAX];      /* the same */
    uint32_t architecture_count;
    bool plain;
    bool borrows;         /* the compiler and the cache are a context's */
    pthread_mutex_t lock; /* guards the rest */
    jr_pack_item *items;
    uint32_t item_count;
};

/* Does what the public jr_pack_create does, with arguments that were checked. */
jr_status jr_pack_open(const jr_options *options, const jr_pack_options *how, jr_pack **pack);
/* The same with the compiler and the cache of a context, which must outlive it. */
jr_status jr_pack_open_in(const jr_context *context, const jr_pack_options *how, jr_pack **pack);
void jr_pack_free(jr_pack *pack); /* NULL is fine */

/* Something that is done for each architecture of a pack. */
typedef jr_status jr_pack_job(void *user, jr_pack *pack, uint32_t architecture);

/* Does a job for every architecture, each on a thread of its own. When one fails the pack is what it was before.
 * Errors: those of the first job that failed, JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_pack_each(jr_pack *pack, jr_pack_job *job, void *user);

/* Compiles a program for an architecture, or finds it in the disk cache, and takes its image, unless it has it. Any
 * thread. Errors: those of jr_image_compile; JR_ERROR_INVALID_ARGUMENT: it finds files in folders; JR_ERROR_PACK: it
 * is full. */
jr_status jr_pack_take(jr_pack *pack, const jr_program *program, uint32_t architecture);

/* Adds the images of a pack file that it has not, and their architectures. One that cannot be read is logged and left
 * out. Errors: JR_ERROR_PACK: it is full; JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_pack_merge(jr_pack *pack, jr_pack_file *file);

/* Writes what it has to a path. Errors: those of jr_pack_content_write. */
jr_status jr_pack_store(jr_pack *pack, const char *path, uint64_t *bytes);

#endif
