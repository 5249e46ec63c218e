/* The context: a device with its compiler, its disk cache, its packs and its memo. */
#ifndef JR_KERNEL_CONTEXT_H
#define JR_KERNEL_CONTEXT_H

#include "device/capture.h"
#include "device/device.h"
#include "image/cache.h"
#include "image/compiler.h"
#include "image/packs.h"
#include "memo.h"
#include "used_programs.h"

struct jr_context {
    jr_device device;
    jr_cache *cache;
    jr_packs *packs;
    jr_compiler *compiler;
    jr_memo memo;
    jr_captures captures;
    jr_recorder *recorder;            /* NULL: launches are not captured into files */
    jr_used_programs *used;           /* NULL: no pack is recorded (pack_record.h) */
    pthread_mutex_t lock;             /* guards the rest */
    jr_stats stats;                   /* of the last call that succeeded */
    jr_counters counters;             /* failures are filled in when asked */
    double compile_limit_ms, wait_ms; /* as in jr_options; not guarded, as they do not change */
    void *guest; /* what a folder to the right keeps with it, freed at the end; NULL: nothing. Not guarded */
    void (*guest_free)(void *guest);
};

/* Opens and closes what the public functions of the same name do. */
jr_status jr_context_make(const jr_options *options, jr_context **context);
void jr_context_free(jr_context *context);

/* What getting a kernel cost; part of jr_stats. */
typedef struct jr_kernel_cost {
    jr_origin origin;
    double nvrtc_ms, cache_ms, load_ms, sources_ms, compiler_ms, wait_ms;
    bool precompiled;
    bool compiled_again;
    char because[JR_COMPILED_BECAUSE_BYTES]; /* "" unless compiled */
} jr_kernel_cost;

/* Counts where a kernel came from. */
void jr_context_count(jr_context *context, const jr_kernel_cost *cost);

/* Keeps the statistics of a call; those of the last one. */
void jr_context_keep(jr_context *context, const jr_stats *stats);
/* The same of a call that only got a kernel. */
void jr_context_keep_cost(jr_context *context, const jr_kernel_cost *cost);
jr_stats jr_context_kept(jr_context *context);

#endif
