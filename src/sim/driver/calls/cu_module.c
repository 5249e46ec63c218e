/* Modules: loading PTX, its functions and its variables. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "across.h"
#include "base/float_mode.h"
#include "sim/driver/error_text.h"
#include "sim/driver/image_head.h"
#include "sim/driver/sim_loaded.h"

void jrs_loaded_share(jrs_loaded *module) {
    atomic_fetch_add(&module->references, 1);
}

void jrs_loaded_let_go(jrs_loaded *module) {
    if (atomic_fetch_sub(&module->references, 1) != 1) return;
    while (module->kernels) {
        jrs_kernel *next = module->kernels->next;
        free(module->kernels);
        module->kernels = next;
    }
    jrs_module_destroy(module->code);
    free(module);
}

static void forget_handles(jrs_driver *driver, const jrs_loaded *module) {
    for (const jrs_kernel *kernel = module->kernels; kernel; kernel = kernel->next)
        jrs_handle_remove(&driver->handles, kernel->object.handle);
    jrs_handle_remove(&driver->handles, module->object.handle);
}

/* Its variables go with the context's memory. */
void jrs_module_drop(jrs_driver *driver, void *module) {
    forget_handles(driver, module);
    jrs_loaded_let_go(module);
}

/* Gives one variable its place. */
static int place_global(jrs_memory *memory, jrs_global *global, jrs_owner owner) {
    char what[256];
    snprintf(what, sizeof what, "module %s %s", global->constant ? "constant" : "global", global->name);
    jrs_block_request request = {.kind = JRS_MEMORY_GLOBAL,
                                 .bytes = global->bytes ? global->bytes : 1,
                                 .alignment = global->alignment,
                                 .owner = owner,
                                 .read_only = global->constant,
                                 .what = what};
    return jrs_memory_allocate(memory, &request, &global->address);
}

/* No kernel may see them any more. */
static void release_globals(jrs_memory *memory, const jrs_module *code) {
    for (const jrs_global *global = code->globals; global; global = global->next)
        if (global->address) jrs_memory_release(memory, JRS_MEMORY_GLOBAL, global->address);
}

static int place_globals(jrs_memory *memory, jrs_module *code, jrs_owner owner) {
    int error = JR_CUDA_SUCCESS;
    for (jrs_global *global = code->globals; global && !error; global = global->next)
        error = place_global(memory, global, owner);
    if (error)
        release_globals(memory, code);
    else
        jrs_module_link(code);
    return error;
}

/* Makes machine code of an image, its variables placed. No lock held: parsing takes a while. */
static int build(jrs_memory *memory, const char *given, jrs_owner owner, jrs_report *report, jrs_module **code) {
    const char *image = jrs_image_ptx(given);
    int error = jrs_image_head_check(image, report);
    if (error) return error;
    jr_float_mode caller;
    jr_float_mode_enter(&caller); /* literals are rounded to nearest */
    *code = jrs_module_parse(image, strlen(image), report);
    jr_float_mode_leave(&caller);
    if (!*code) return report->error ? report->error : JR_CUDA_ERROR_INVALID_PTX;
    error = place_globals(memory, *code, owner);
    if (error) jrs_module_destroy(*code);
    return error;
}

/* Lock held. 0 when out of memory. */
static uintptr_t list(const jrs_call *call, jrs_module *code) {
    jrs_loaded *module = jrs_object_add(call, JRS_HANDLE_MODULE, sizeof *module);
    if (!module) return 0;
    module->code = code;
    atomic_init(&module->references, 1);
    return module->object.handle;
}

static int load(jrs_call *call, jr_cu_module *module, const char *image, jrs_report *report) {
    jrs_driver *driver = call->driver;
    jrs_module *code;
    const jrs_owner owner = {call->context->serial, call->context->device};
    pthread_mutex_unlock(&driver->lock);
    int error = build(driver->memory, image, owner, report, &code);
    pthread_mutex_lock(&driver->lock);
    if (error) return error;
    bool alive = call->context->active && call->context->serial == owner.context;
    uintptr_t handle = alive ? list(call, code) : 0;
    if (!handle) {
        release_globals(driver->memory, code);
        jrs_module_destroy(code);
        return alive ? JR_CUDA_ERROR_OUT_OF_MEMORY : JR_CUDA_ERROR_CONTEXT_IS_DESTROYED;
    }
    *module = (jr_cu_module)handle;
    return JR_CUDA_SUCCESS;
}

/* ---- the JIT log: the buffers that a caller of cuModuleLoadDataEx names among the options ---- */

typedef struct jit_log {
    char *error, *info; /* NULL: not wanted */
    unsigned error_bytes, info_bytes;
    void **error_slot, **info_slot; /* where the used sizes go; NULL: nowhere */
} jit_log;

enum { JIT_OPTIONS = 64 }; /* the driver has no option with this number or a larger one */

/* Reads the options. Errors: 1 for an unknown option or a missing value. */
static int read_log(jit_log *log, unsigned count, const int *options, void **values) {
    *log = (jit_log){0};
    if (count > 0 && (!options || !values)) return JR_CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < count; i++) {
        unsigned number = (unsigned)(uintptr_t)values[i];
        switch (options[i]) {
        case JR_CU_JIT_ERROR_LOG_BUFFER: log->error = values[i]; break;
        case JR_CU_JIT_INFO_LOG_BUFFER: log->info = values[i]; break;
        case JR_CU_JIT_ERROR_LOG_BUFFER_BYTES:
            log->error_bytes = number;
            log->error_slot = &values[i];
            break;
        case JR_CU_JIT_INFO_LOG_BUFFER_BYTES:
            log->info_bytes = number;
            log->info_slot = &values[i];
            break;
        default:
            if (options[i] < 0 || options[i] >= JIT_OPTIONS) return JR_CUDA_ERROR_INVALID_VALUE;
        }
    }
    return JR_CUDA_SUCCESS;
}

static void put_text(char *buffer, unsigned bytes, void **slot, const char *text) {
    size_t used = 0;
    if (buffer && bytes > 0) {
        snprintf(buffer, bytes, "%s", text);
        used = *buffer ? strlen(buffer) + 1 : 0;
    }
    if (slot) *slot = (void *)(uintptr_t)used;
}

/* Puts the message ("": none) into the error buffer, cut to fit, and the used sizes into the options' values. */
static void write_log(const jit_log *log, const char *message) {
    put_text(log->error, log->error_bytes, log->error_slot, message);
    put_text(log->info, log->info_bytes, log->info_slot, "");
}

/* ---- the calls ---- */

jr_cu_result cuModuleLoadData(jr_cu_module *module, const void *image) {
    jrs_call call;
    jrs_report report = {0};
    if (!jrs_enter(&call, __func__, JRS_NEED_SAFE)) return call.error;
    bool given = module && image;
    return jrs_leave(&call, given ? load(&call, module, image, &report) : JR_CUDA_ERROR_INVALID_VALUE);
}

jr_cu_result cuModuleLoadDataEx(jr_cu_module *module, const void *image, unsigned count, int *options, void **values) {
    jrs_call call;
    jrs_report report = {0};
    jit_log log;
    if (!jrs_enter(&call, __func__, JRS_NEED_SAFE)) return call.error;
    if (!module || !image) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_VALUE);
    int error = read_log(&log, count, options, values);
    if (error) return jrs_leave(&call, error);
    error = load(&call, module, image, &report);
    write_log(&log, report.message);
    return jrs_leave(&call, error);
}

jr_cu_result cuModuleUnload(jr_cu_module module) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_SAFE)) return call.error;
    jrs_loaded *found = jrs_find(&call, JRS_HANDLE_MODULE, module);
    if (!found) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_HANDLE);
    forget_handles(call.driver, found);
    if (jrs_pause(&call, jrs_sharers(call.driver, found->object.context->device)))
        release_globals(call.driver->memory, found->code);
    jrs_resume(&call);
    jrs_loaded_let_go(found);
    return jrs_leave(&call, JR_CUDA_SUCCESS);
}

/* Makes a function's object. NULL when out of memory. */
static jrs_kernel *add_kernel(const jrs_call *call, jrs_loaded *module, jrs_function *code) {
    jrs_kernel *kernel = jrs_object_add(call, JRS_HANDLE_FUNCTION, sizeof *kernel);
    if (!kernel) return NULL;
    kernel->object.context = module->object.context;
    kernel->module = module;
    kernel->code = code;
    kernel->max_dynamic_bytes = JRS_SHARED_PER_BLOCK - (int)code->shared_bytes;
    if (kernel->max_dynamic_bytes < 0) kernel->max_dynamic_bytes = 0;
    kernel->carveout = -1;
    memcpy(kernel->cluster, code->required_cluster, sizeof kernel->cluster);
    kernel->next = module->kernels;
    module->kernels = kernel;
    return kernel;
}

/* A feature that the simulator lacks is reported like a fault: in the text of the error. */
static int refuse(const char *refusal) {
    jrs_thread *thread = jrs_thread_self();
    thread->fault_error = JR_CUDA_ERROR_INVALID_PTX;
    thread->fault_text = jrs_error_text_keep(JR_CUDA_ERROR_INVALID_PTX, refusal);
    return JR_CUDA_ERROR_INVALID_PTX;
}

jr_cu_result cuModuleGetFunction(jr_cu_function *function, jr_cu_module module, const char *name) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_HEALTHY)) return call.error;
    if (!function || !name) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_VALUE);
    jrs_loaded *found = jrs_find(&call, JRS_HANDLE_MODULE, module);
    if (!found) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_HANDLE);
    jrs_function *code = jrs_module_function(found->code, name);
    if (!code) return jrs_leave(&call, JR_CUDA_ERROR_NOT_FOUND);
    if (code->refusal) return jrs_leave(&call, refuse(code->refusal));
    jrs_kernel *kernel = found->kernels;
    while (kernel && kernel->code != code) kernel = kernel->next;
    if (!kernel) kernel = add_kernel(&call, found, code);
    if (!kernel) return jrs_leave(&call, JR_CUDA_ERROR_OUT_OF_MEMORY);
    *function = (jr_cu_function)kernel->object.handle;
    return jrs_leave(&call, JR_CUDA_SUCCESS);
}

jr_cu_result cuModuleGetGlobal_v2(jr_cu_deviceptr *address, size_t *bytes, jr_cu_module module, const char *name) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_HEALTHY)) return call.error;
    if (!name || (!address && !bytes)) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_VALUE);
    const jrs_loaded *found = jrs_find(&call, JRS_HANDLE_MODULE, module);
    if (!found) return jrs_leave(&call, JR_CUDA_ERROR_INVALID_HANDLE);
    const jrs_global *global = found->code->globals;
    while (global && strcmp(global->name, name) != 0) global = global->next;
    if (!global) return jrs_leave(&call, JR_CUDA_ERROR_NOT_FOUND);
    if (address) *address = global->address;
    if (bytes) *bytes = global->bytes;
    return jrs_leave(&call, JR_CUDA_SUCCESS);
}
