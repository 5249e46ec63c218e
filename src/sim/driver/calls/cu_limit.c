/* Limits of a context: the size of the heap of its kernels' malloc, and the heap itself. */
#include "sim/driver/limit.h"
#include "sim/driver/sim_call.h"

enum { LIMITS = 16 /* more than the manual has */ };

void jrs_limits_begin(jrs_context *context) {
    context->heap_bytes = JRS_HEAP_DEFAULT;
    context->heap = NULL;
}

static void report(void *user, const char *text) {
    jrs_log_note(user, text);
}

void jrs_limits_end(jrs_driver *driver, jrs_context *context) {
    const bool sound = atomic_load(&context->fault.error) == 0; /* a kernel that was stopped freed nothing */
    if (context->heap && sound && driver->options.judge != JRS_JUDGE_OFF)
        jrs_heap_leaks(context->heap, report, &driver->log);
    jrs_heap_destroy(context->heap);
    context->heap = NULL;
}

int jrs_limits_heap(const jrs_driver *driver, jrs_context *context) {
    const jrs_owner owner = {context->serial, context->device};
    if (context->heap) return JR_CUDA_SUCCESS;
    return jrs_heap_create(driver->memory, owner, context->heap_bytes, &context->heap);
}

/* As an H100 rounds it; more than the device has can be asked for, and then is not to be had. */
static size_t settle_heap(const jrs_driver *driver, size_t bytes) {
    const size_t most = driver->options.memory_bytes / JRS_HEAP_UNIT * JRS_HEAP_UNIT;
    if (bytes < JRS_HEAP_MIN) bytes = JRS_HEAP_MIN;
    if (bytes >= most) return most < JRS_HEAP_MIN ? JRS_HEAP_MIN : most;
    return (bytes + JRS_HEAP_UNIT - 1) / JRS_HEAP_UNIT * JRS_HEAP_UNIT;
}

static int known(int limit) {
    if (limit < 0 || limit >= LIMITS) return JR_CUDA_ERROR_INVALID_VALUE;
    return limit == JR_CU_LIMIT_MALLOC_HEAP_BYTES ? JR_CUDA_SUCCESS : JR_CUDA_ERROR_UNSUPPORTED_LIMIT;
}

/* Once a kernel that may allocate was launched, the heap has its size. */
jr_cu_result cuCtxSetLimit(int limit, size_t value) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_SAFE)) return call.error;
    int error = known(limit);
    if (!error && call.context->heap) error = JR_CUDA_ERROR_INVALID_VALUE;
    if (!error) call.context->heap_bytes = settle_heap(call.driver, value);
    return jrs_leave(&call, error);
}

jr_cu_result cuCtxGetLimit(size_t *value, int limit) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_HEALTHY)) return call.error;
    const int error = value ? known(limit) : JR_CUDA_ERROR_INVALID_VALUE;
    if (!error) *value = call.context->heap_bytes;
    return jrs_leave(&call, error);
}
