/* Peers: which devices reach each other's memory, and permission to do so.
 *
 * Every device reaches every other one. No device is its own peer. */
#include "across.h"

/* Two devices to ask about. */
static int check_pair(const jrs_call *call, jr_cu_device one, jr_cu_device other) {
    const bool there = jrs_has_device(call->driver, one) && jrs_has_device(call->driver, other);
    return there ? JR_CUDA_SUCCESS : JR_CUDA_ERROR_INVALID_DEVICE;
}

jr_cu_result cuDeviceCanAccessPeer(int *can, jr_cu_device device, jr_cu_device peer) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_INIT)) return call.error;
    const int error = can ? check_pair(&call, device, peer) : JR_CUDA_ERROR_INVALID_VALUE;
    if (!error) *can = device != peer;
    return jrs_leave(&call, error);
}

jr_cu_result cuDeviceGetP2PAttribute(int *value, int attribute, jr_cu_device source, jr_cu_device target) {
    static const int values[] = {[JR_CU_P2P_PERFORMANCE_RANK] = 0,
                                 [JR_CU_P2P_ACCESS] = 1,
                                 [JR_CU_P2P_NATIVE_ATOMICS] = 1,
                                 [JR_CU_P2P_ARRAY_ACCESS] = 0};
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_INIT)) return call.error;
    if (!value || attribute < JR_CU_P2P_PERFORMANCE_RANK || attribute > JR_CU_P2P_ARRAY_ACCESS)
        return jrs_leave(&call, JR_CUDA_ERROR_INVALID_VALUE);
    const int error = source == target ? JR_CUDA_ERROR_INVALID_DEVICE : check_pair(&call, source, target);
    if (!error) *value = values[attribute];
    return jrs_leave(&call, error);
}

/* NULL: there is no such live context. */
static jrs_context *find_context(const jrs_call *call, jr_cu_context handle) {
    jrs_context *found = jrs_find(call, JRS_HANDLE_CONTEXT, handle);
    return found && found->active ? found : NULL;
}

jr_cu_result cuCtxEnablePeerAccess(jr_cu_context peer, unsigned flags) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_SAFE)) return call.error;
    const jrs_context *found = find_context(&call, peer);
    if (flags) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_VALUE);
    if (!found || found == call.context) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_CONTEXT);
    if (found->device == call.context->device) return jrs_leave(&call, JR_CUDA_ERROR_PEER_ACCESS_UNSUPPORTED);
    const int error = jrs_view_add(&call.context->view, found->serial);
    if (!error) jrs_watch_peers(call.driver->watch);
    if (!error) jrs_memory_change(call.driver->memory);
    return jrs_leave(&call, error);
}

jr_cu_result cuCtxDisablePeerAccess(jr_cu_context peer) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_SAFE)) return call.error;
    const jrs_context *found = find_context(&call, peer);
    const int error = found ? jrs_view_remove(&call.context->view, found->serial) : (int)JR_CUDA_ERROR_INVALID_CONTEXT;
    if (!error) jrs_memory_change(call.driver->memory);
    return jrs_leave(&call, error);
}
