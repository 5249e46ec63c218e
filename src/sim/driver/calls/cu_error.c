/* The names and texts of errors: cuGetErrorName and cuGetErrorString.
 *
 * A real driver has one fixed sentence for each error. Here the sentence of a fault is followed by the fault's report:
 * "an illegal memory access was encountered: out of bounds: kernel k, PTX line 41 ...". The report is that of the fault
 * that a call of this thread returned last; any other error number, and a thread whose calls returned no fault, gets
 * the fixed sentence. When cuInit refuses a setting, the reason follows in the same way, until the driver is ready.
 * Texts are never freed. */
#include "sim/driver/error_text.h"
#include "sim/driver/sim_call.h"

static jr_cu_result give(const char **out, const char *text) {
    *out = text;
    return text ? JR_CUDA_SUCCESS : JR_CUDA_ERROR_INVALID_VALUE;
}

static const char *words_of(const jrs_driver *driver, int error) {
    const jrs_thread *thread = jrs_thread_self();
    if (error != JR_CUDA_SUCCESS && error == thread->fault_error) return thread->fault_text;
    bool refused = error == JR_CUDA_ERROR_INVALID_VALUE && thread->setting_text && driver->state != JRS_DRIVER_READY;
    return refused ? thread->setting_text : jrs_error_sentence(error);
}

jr_cu_result cuGetErrorName(jr_cu_result error, const char **name) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_NOTHING)) return call.error;
    return jrs_leave(&call, name ? give(name, jrs_error_name(error)) : JR_CUDA_ERROR_INVALID_VALUE);
}

jr_cu_result cuGetErrorString(jr_cu_result error, const char **text) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_NOTHING)) return call.error;
    return jrs_leave(&call, text ? give(text, words_of(call.driver, error)) : JR_CUDA_ERROR_INVALID_VALUE);
}
