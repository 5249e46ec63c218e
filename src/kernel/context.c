/* Opens and closes contexts. */
#include "context.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "image/claim.h"
#include "image/compile.h"
#include "loader/nvtx.h"

jr_status jr_context_make(const jr_options *options, jr_context **context) {
    const jr_options none = {0};
    if (options == NULL) options = &none;
    jr_context *made = calloc(1, sizeof *made);
    if (made == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for a context");
    jr_nvtx_open();
    jr_status status = jr_compile_limit_check(options->compile_limit_ms);
    if (status == JR_OK) status = jr_claim_wait_check(options->wait_ms);
    if (status == JR_OK) status = jr_device_open(options, &made->device);
    if (status != JR_OK) goto fail_device;
    status = jr_cache_open(options->cache_dir, options->cache_bytes, &made->cache);
    if (status != JR_OK) goto fail_cache;
    status = jr_compiler_open(options->nvrtc, jr_cache_folder(made->cache), &made->compiler);
    if (status != JR_OK) goto fail_compiler;
    const int capability = made->device.info.capability_major * 10 + made->device.info.capability_minor;
    status = jr_packs_open(options->packs, capability, &made->packs);
    if (status != JR_OK) goto fail_packs;
    made->compile_limit_ms = options->compile_limit_ms;
    made->wait_ms = options->wait_ms;
    jr_memo_open(&made->memo);
    jr_captures_open(&made->captures);
    made->recorder = jr_recorder_open(&made->device, &made->captures);
    made->used = jr_used_programs_open();
    pthread_mutex_init(&made->lock, NULL);
    *context = made;
    return JR_OK;

fail_packs:
    jr_compiler_close(made->compiler);
fail_compiler:
    jr_cache_close(made->cache);
fail_cache:
    jr_device_close(&made->device);
fail_device:
    free(made);
    return status;
}

/* That a context has not started is no news here. */
static void close_memo(jr_context *context) {
    JR_KEEP_ERROR;
    JR_INSIDE inside = jr_inside_device(&context->device);
    jr_memo_close(&context->memo);
}

void jr_context_free(jr_context *context) {
    if (context == NULL) return;
    close_memo(context);
    jr_packs_close(context->packs);
    jr_compiler_close(context->compiler);
    jr_cache_close(context->cache);
    jr_recorder_close(context->recorder);
    jr_used_programs_close(context->used);
    jr_captures_close(&context->captures);
    jr_device_close(&context->device);
    if (context->guest != NULL) context->guest_free(context->guest);
    pthread_mutex_destroy(&context->lock);
    free(context);
}

void jr_context_count(jr_context *context, const jr_kernel_cost *cost) {
    pthread_mutex_lock(&context->lock);
    context->counters.memory_hits += cost->origin == JR_ORIGIN_MEMORY;
    context->counters.disk_hits += cost->origin == JR_ORIGIN_DISK;
    context->counters.pack_hits += cost->origin == JR_ORIGIN_PACK;
    context->counters.compiles += cost->origin == JR_ORIGIN_COMPILED;
    context->counters.compiles_again += cost->compiled_again;
    pthread_mutex_unlock(&context->lock);
}

void jr_context_keep(jr_context *context, const jr_stats *stats) {
    pthread_mutex_lock(&context->lock);
    context->stats = *stats;
    pthread_mutex_unlock(&context->lock);
}

void jr_context_keep_cost(jr_context *context, const jr_kernel_cost *cost) {
    jr_stats stats = {.origin = cost->origin,
                      .nvrtc_ms = cost->nvrtc_ms,
                      .cache_ms = cost->cache_ms,
                      .load_ms = cost->load_ms,
                      .sources_ms = cost->sources_ms,
                      .compiler_ms = cost->compiler_ms,
                      .wait_ms = cost->wait_ms,
                      .precompiled = cost->precompiled,
                      .compiled_again = cost->compiled_again};
    memcpy(stats.compiled_because, cost->because, sizeof cost->because);
    jr_context_keep(context, &stats);
}

jr_stats jr_context_kept(jr_context *context) {
    pthread_mutex_lock(&context->lock);
    const jr_stats kept = context->stats;
    pthread_mutex_unlock(&context->lock);
    return kept;
}
