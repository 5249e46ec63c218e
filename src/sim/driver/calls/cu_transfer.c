/* Copies and memsets, with the same checks when they run that a kernel's accesses get, and who must wait for them.
 *
 * Sync forms go through the legacy stream. Copies wait, but not between device blocks, as the driver documents; memsets
 * wait when the target is host memory. Async forms of copies return at once when the host side is allocated or
 * registered here. From other ("pageable") host memory small sources are staged at the call, large ones are copied
 * once, in stream order, while the caller waits; into it, the caller waits.
 *
 * A copy needs no peer access. Between devices and through the legacy stream, it begins after all that both were given
 * before and ends before what they are given later, as the programming guide says. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "across.h"

enum { STAGED_BYTES = 64 << 10 };

static void *at(uint64_t address) {
    return (void *)(uintptr_t)address;
}

/* False and a report when the span is not live memory of the device. */
static bool check(const jrs_memory *memory, const char *what, uint64_t address, size_t bytes, jrs_report *report) {
    char reason[256];
    if (bytes == 0 || jrs_memory_holds(memory, address, bytes)) return true;
    jrs_memory_explain(memory, address, bytes, reason, sizeof reason);
    report->error = JR_CUDA_ERROR_ILLEGAL_ADDRESS;
    snprintf(report->message, sizeof report->message, "%s: %s", what, reason);
    return false;
}

static void task_free(jrs_task *task) {
    free(task);
}

static bool is_device_memory(const jrs_call *call, uint64_t address) {
    jrs_memory_block block;
    return jrs_memory_block_at(call->driver->memory, address, &block) && !jrs_memory_is_host(block.kind);
}

/* ---- copies ---- */

typedef struct copy {
    uint64_t target, source;
    size_t bytes;
    bool target_on_device, source_on_device; /* checked again when run: a graph may outlive its memory */
} copy;

typedef struct copy_task {
    jrs_task task;
    const jrs_memory *memory;
    copy copy;
    unsigned char staged[]; /* the source's bytes, when it points here */
} copy_task;

static bool copy_run(jrs_task *task, jrs_report *report) {
    const copy_task *self = (copy_task *)task;
    const copy *wanted = &self->copy;
    if (wanted->target_on_device && !check(self->memory, "target of a copy", wanted->target, wanted->bytes, report))
        return false;
    if (wanted->source_on_device && !check(self->memory, "source of a copy", wanted->source, wanted->bytes, report))
        return false;
    memmove(at(wanted->target), at(wanted->source), wanted->bytes);
    return true;
}

/* The devices in whose memory a copy begins and ends, a bit each. */
static unsigned ends(const jrs_call *call, const copy *wanted) {
    const uint64_t addresses[] = {wanted->target, wanted->source};
    unsigned devices = 0;
    for (int i = 0; i < 2; i++) {
        jrs_memory_block block;
        if (jrs_memory_block_at(call->driver->memory, addresses[i], &block) && !jrs_memory_is_host(block.kind))
            devices |= 1u << block.owner.device;
    }
    return devices;
}

/* staged: the source's bytes are taken now, so that the caller may change them. NULL when out of memory. */
static jrs_task *copy_create(const jrs_driver *driver, const copy *wanted, bool staged) {
    copy_task *self = malloc(sizeof *self + (staged ? wanted->bytes : 0));
    if (!self) return NULL;
    *self = (copy_task){{.run = copy_run, .destroy = task_free}, driver->memory, *wanted};
    if (staged) {
        memcpy(self->staged, at(wanted->source), wanted->bytes);
        self->copy.source = (uintptr_t)self->staged;
    }
    return &self->task;
}

/* The host's side is any address but NULL and device memory. */
static bool is_side(const jrs_call *call, bool on_device, uint64_t address, size_t bytes) {
    if (on_device) return jrs_memory_holds(call->driver->memory, address, bytes);
    return address && !is_device_memory(call, address);
}

static bool is_good_copy(const jrs_call *call, const copy *wanted) {
    return wanted->bytes == 0 || (is_side(call, wanted->target_on_device, wanted->target, wanted->bytes) &&
                                  is_side(call, wanted->source_on_device, wanted->source, wanted->bytes));
}

static jr_cu_result submit_copy(const char *name, const copy *wanted, jr_cu_stream handle, bool async) {
    jrs_call call;
    if (!jrs_enter(&call, name, async ? JRS_NEED_HEALTHY : JRS_NEED_SAFE)) return call.error;
    const jrs_memory *memory = call.driver->memory;
    jrs_stream *stream;
    int error = jrs_stream_for_work(&call, handle, &stream);
    if (!error && !is_good_copy(&call, wanted)) error = JR_CUDA_ERROR_INVALID_VALUE;
    if (error || wanted->bytes == 0) return jrs_leave(&call, error);
    bool pageable_source = !wanted->source_on_device && !jrs_memory_holds(memory, wanted->source, wanted->bytes);
    bool pageable_target = !wanted->target_on_device && !jrs_memory_holds(memory, wanted->target, wanted->bytes);
    bool staged = async && pageable_source && wanted->bytes <= STAGED_BYTES && !stream->capture;
    bool wait = async ? pageable_target || (pageable_source && !staged)
                      : !wanted->target_on_device || !wanted->source_on_device;
    jrs_task *task = copy_create(call.driver, wanted, staged);
    const unsigned devices = ends(&call, wanted);
    if (task) task->visits = devices;
    if (wait) return jrs_leave(&call, jrs_submit_and_wait(&call, stream, task));
    const bool across = stream->legacy && (devices & (devices - 1));
    return jrs_leave(&call, jrs_submit_across(&call, stream, task, across ? devices : 0));
}

jr_cu_result cuMemcpyHtoD_v2(jr_cu_deviceptr target, const void *source, size_t bytes) {
    const copy wanted = {target, (uintptr_t)source, bytes, .target_on_device = true};
    return submit_copy(__func__, &wanted, NULL, false);
}

jr_cu_result cuMemcpyDtoH_v2(void *target, jr_cu_deviceptr source, size_t bytes) {
    const copy wanted = {(uintptr_t)target, source, bytes, .source_on_device = true};
    return submit_copy(__func__, &wanted, NULL, false);
}

jr_cu_result cuMemcpyDtoD_v2(jr_cu_deviceptr target, jr_cu_deviceptr source, size_t bytes) {
    const copy wanted = {target, source, bytes, .target_on_device = true, .source_on_device = true};
    return submit_copy(__func__, &wanted, NULL, false);
}

jr_cu_result cuMemcpyHtoDAsync_v2(jr_cu_deviceptr target, const void *source, size_t bytes, jr_cu_stream stream) {
    const copy wanted = {target, (uintptr_t)source, bytes, .target_on_device = true};
    return submit_copy(__func__, &wanted, stream, true);
}

jr_cu_result cuMemcpyDtoHAsync_v2(void *target, jr_cu_deviceptr source, size_t bytes, jr_cu_stream stream) {
    const copy wanted = {(uintptr_t)target, source, bytes, .source_on_device = true};
    return submit_copy(__func__, &wanted, stream, true);
}

jr_cu_result cuMemcpyDtoDAsync_v2(jr_cu_deviceptr target, jr_cu_deviceptr source, size_t bytes, jr_cu_stream stream) {
    const copy wanted = {target, source, bytes, .target_on_device = true, .source_on_device = true};
    return submit_copy(__func__, &wanted, stream, true);
}

/* ---- copies between contexts ---- */

/* One end: memory of the context's device. */
static int check_end(const jrs_call *call, jr_cu_context handle, uint64_t address) {
    const jrs_context *context = jrs_find(call, JRS_HANDLE_CONTEXT, handle);
    jrs_memory_block block;
    if (!context || !context->active) return JR_CUDA_ERROR_INVALID_CONTEXT;
    if (!jrs_memory_block_at(call->driver->memory, address, &block) || jrs_memory_is_host(block.kind) ||
        block.owner.device != context->device)
        return JR_CUDA_ERROR_INVALID_VALUE;
    return jrs_context_error(context);
}

/* contexts: of target and source. The form without a stream waits for all of three contexts, as documented. */
static jr_cu_result submit_peer_copy(const char *name, const copy *wanted, const jr_cu_context contexts[2],
                                     jr_cu_stream handle, bool async) {
    jrs_call call;
    if (!jrs_enter(&call, name, async ? JRS_NEED_HEALTHY : JRS_NEED_SAFE)) return call.error;
    jrs_stream *stream;
    int error = jrs_stream_for_work(&call, handle, &stream);
    if (!error) error = check_end(&call, contexts[0], wanted->target);
    if (!error) error = check_end(&call, contexts[1], wanted->source);
    if (!error && !is_good_copy(&call, wanted)) error = JR_CUDA_ERROR_INVALID_VALUE;
    if (error || wanted->bytes == 0) return jrs_leave(&call, error);
    jrs_task *task = copy_create(call.driver, wanted, false);
    const unsigned devices = ends(&call, wanted);
    if (task) task->visits = devices;
    return jrs_leave(&call, jrs_submit_across(&call, stream, task, stream->legacy ? devices : 0));
}

jr_cu_result cuMemcpyPeer(jr_cu_deviceptr target, jr_cu_context target_context, jr_cu_deviceptr source,
                          jr_cu_context source_context, size_t bytes) {
    const copy wanted = {target, source, bytes, .target_on_device = true, .source_on_device = true};
    const jr_cu_context contexts[2] = {target_context, source_context};
    return submit_peer_copy(__func__, &wanted, contexts, NULL, false);
}

jr_cu_result cuMemcpyPeerAsync(jr_cu_deviceptr target, jr_cu_context target_context, jr_cu_deviceptr source,
                               jr_cu_context source_context, size_t bytes, jr_cu_stream stream) {
    const copy wanted = {target, source, bytes, .target_on_device = true, .source_on_device = true};
    const jr_cu_context contexts[2] = {target_context, source_context};
    return submit_peer_copy(__func__, &wanted, contexts, stream, true);
}

/* ---- memsets ---- */

typedef struct fill {
    uint64_t target;
    size_t count; /* elements */
    unsigned value;
    unsigned width; /* bytes of an element: 1 or 4 */
} fill;

typedef struct fill_task {
    jrs_task task;
    const jrs_memory *memory;
    fill fill;
} fill_task;

static bool fill_run(jrs_task *task, jrs_report *report) {
    const fill_task *self = (fill_task *)task;
    const fill *wanted = &self->fill;
    if (!check(self->memory, "target of a memset", wanted->target, wanted->count * wanted->width, report)) return false;
    uint32_t *words = at(wanted->target);
    if (wanted->width == 1)
        memset(words, (int)(wanted->value & 0xff), wanted->count);
    else
        for (size_t i = 0; i < wanted->count; i++) words[i] = wanted->value;
    return true;
}

static jrs_task *fill_create(const jrs_driver *driver, const fill *wanted) {
    fill_task *self = malloc(sizeof *self);
    if (!self) return NULL;
    *self = (fill_task){{.run = fill_run, .destroy = task_free}, driver->memory, *wanted};
    return &self->task;
}

static bool is_good_fill(const jrs_call *call, const fill *wanted) {
    return wanted->count == 0 ||
           (wanted->target % wanted->width == 0 && wanted->count <= SIZE_MAX / wanted->width &&
            jrs_memory_holds(call->driver->memory, wanted->target, wanted->count * wanted->width));
}

static jr_cu_result submit_fill(const char *name, const fill *wanted, jr_cu_stream handle, bool async) {
    jrs_call call;
    if (!jrs_enter(&call, name, async ? JRS_NEED_HEALTHY : JRS_NEED_SAFE)) return call.error;
    jrs_stream *stream;
    int error = jrs_stream_for_work(&call, handle, &stream);
    if (!error && !is_good_fill(&call, wanted)) error = JR_CUDA_ERROR_INVALID_VALUE;
    if (error || wanted->count == 0) return jrs_leave(&call, error);
    jrs_task *task = fill_create(call.driver, wanted);
    jrs_memory_block block;
    if (task && jrs_memory_block_at(call.driver->memory, wanted->target, &block))
        task->visits = 1u << block.owner.device;
    bool wait = !async && !is_device_memory(&call, wanted->target);
    return jrs_leave(&call, wait ? jrs_submit_and_wait(&call, stream, task) : jrs_submit(&call, stream, task));
}

jr_cu_result cuMemsetD8_v2(jr_cu_deviceptr target, unsigned char value, size_t count) {
    const fill wanted = {target, count, value, 1};
    return submit_fill(__func__, &wanted, NULL, false);
}

jr_cu_result cuMemsetD32_v2(jr_cu_deviceptr target, unsigned value, size_t count) {
    const fill wanted = {target, count, value, 4};
    return submit_fill(__func__, &wanted, NULL, false);
}

jr_cu_result cuMemsetD8Async(jr_cu_deviceptr target, unsigned char value, size_t count, jr_cu_stream stream) {
    const fill wanted = {target, count, value, 1};
    return submit_fill(__func__, &wanted, stream, true);
}

jr_cu_result cuMemsetD32Async(jr_cu_deviceptr target, unsigned value, size_t count, jr_cu_stream stream) {
    const fill wanted = {target, count, value, 4};
    return submit_fill(__func__, &wanted, stream, true);
}
