/* Launches: checking a kernel's shape and resources, copying its parameters, and running it in its turn. */
#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#include "sim/driver/limit.h"
#include "sim/driver/sim_call.h"
#include "sim/driver/sim_loaded.h"

typedef struct shape {
    unsigned grid[3], block[3];
    unsigned shared_bytes;
    bool dependent, cooperative;
    unsigned cluster[3]; /* zeros: what the kernel says */
} shape;

typedef struct launch_task {
    jrs_task task;
    jrs_loaded *module;
    jrs_launch launch;
    jrs_memory *memory;                     /* that has the launch's grid workspace */
    alignas(16) unsigned char parameters[]; /* 16: as the widest vector in a parameter */
} launch_task;

static bool launch_run(jrs_task *task, jrs_report *report) {
    return jrs_execute(&((launch_task *)task)->launch, report);
}

static void launch_destroy(jrs_task *task) {
    const launch_task *self = (launch_task *)task;
    if (self->launch.grid_workspace) jrs_memory_release(self->memory, JRS_MEMORY_GLOBAL, self->launch.grid_workspace);
    jrs_loaded_let_go(self->module);
    free(task);
}

/* Where the blocks of a cooperative launch meet: its size and a counter, which is 0 again after two barriers. Source:
 * cooperative_groups/details/driver_abi.h. */
static int make_workspace(launch_task *self, const jrs_context *context) {
    static const uint32_t first[2] = {sizeof first, 0};
    const jrs_block_request request = {.kind = JRS_MEMORY_GLOBAL,
                                       .bytes = sizeof first,
                                       .alignment = sizeof first,
                                       .owner = {context->serial, context->device},
                                       .what = "the barrier of a cooperative launch"};
    uint64_t address = 0;
    const int error = jrs_memory_allocate(self->memory, &request, &address);
    if (error) return error;
    memcpy((void *)(uintptr_t)address, first, sizeof first);
    self->launch.grid_workspace = address;
    return JR_CUDA_SUCCESS;
}

static unsigned threads_of(const shape *wanted) {
    return wanted->block[0] * wanted->block[1] * wanted->block[2];
}

/* Shapes that the device cannot have at all. */
static bool is_valid(const shape *wanted) {
    static const unsigned grid_limits[3] = {0x7fffffff, JRS_GRID_YZ, JRS_GRID_YZ};
    static const unsigned block_limits[3] = {JRS_THREADS_PER_BLOCK, JRS_THREADS_PER_BLOCK, JRS_BLOCK_Z};
    for (int i = 0; i < 3; i++) {
        if (wanted->grid[i] == 0 || wanted->grid[i] > grid_limits[i]) return false;
        if (wanted->block[i] == 0 || wanted->block[i] > block_limits[i]) return false;
    }
    return threads_of(wanted) <= JRS_THREADS_PER_BLOCK;
}

static bool is_required_block(const jrs_kernel *kernel, const shape *wanted) {
    const uint32_t *required = kernel->code->required;
    return required[0] == 0 || memcmp(wanted->block, required, sizeof wanted->block) == 0;
}

/* Puts the kernel's cluster where the launch gives none; whether the kernel, the grid and the device allow it. Source:
 * what an H100 answered. */
static bool settle_cluster(const jrs_kernel *kernel, shape *wanted) {
    const jrs_function *code = kernel->code;
    const bool given = wanted->cluster[0] || wanted->cluster[1] || wanted->cluster[2];
    const bool required = kernel->cluster[0] || kernel->cluster[1] || kernel->cluster[2];
    uint64_t blocks = 1;
    if (given && required && memcmp(wanted->cluster, kernel->cluster, sizeof wanted->cluster) != 0) return false;
    if (!given) memcpy(wanted->cluster, kernel->cluster, sizeof wanted->cluster);
    if (!given && !required) return !code->explicit_cluster;
    for (int i = 0; i < 3; i++) {
        if (wanted->cluster[i] == 0 || wanted->grid[i] % wanted->cluster[i]) return false;
        blocks *= wanted->cluster[i];
    }
    if (code->cluster_most && blocks > code->cluster_most) return false;
    return blocks <= (kernel->wide_clusters ? JRS_CLUSTER_WIDE : JRS_CLUSTER);
}

/* Blocks that the device holds at the same time. */
static uint64_t resident_of(const jrs_kernel *kernel, const shape *wanted) {
    return (uint64_t)jrs_occupancy_blocks(kernel, threads_of(wanted), wanted->shared_bytes) * JRS_MULTIPROCESSORS;
}

static bool fits_at_once(const jrs_kernel *kernel, const shape *wanted) {
    const double blocks = (double)wanted->grid[0] * wanted->grid[1] * wanted->grid[2];
    return blocks <= (double)resident_of(kernel, wanted);
}

static int check_shape(const jrs_kernel *kernel, shape *wanted) {
    if (!is_valid(wanted) || !is_required_block(kernel, wanted)) return JR_CUDA_ERROR_INVALID_VALUE;
    if (wanted->shared_bytes > (unsigned)kernel->max_dynamic_bytes) return JR_CUDA_ERROR_INVALID_VALUE;
    unsigned blocks = jrs_occupancy_blocks(kernel, threads_of(wanted), wanted->shared_bytes);
    if (blocks == 0) return JR_CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    if (!settle_cluster(kernel, wanted)) return JR_CUDA_ERROR_INVALID_CLUSTER_SIZE;
    if (wanted->cooperative && !fits_at_once(kernel, wanted)) return JR_CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
    return JR_CUDA_SUCCESS;
}

/* One pointer a parameter. */
static int gather(const jrs_kernel *kernel, void **parameters, unsigned char *buffer) {
    for (size_t i = 0; i < kernel->code->parameter_count; i++) {
        const jrs_parameter *parameter = &kernel->code->parameters[i];
        if (!parameters[i]) return JR_CUDA_ERROR_INVALID_VALUE;
        memcpy(buffer + parameter->offset, parameters[i], parameter->bytes);
    }
    return JR_CUDA_SUCCESS;
}

/* One buffer with all of them: {1, buffer, 2, &bytes, 0}, in any order. */
static int unpack(void **extra, unsigned char *buffer, size_t bytes) {
    enum { END = 0, BUFFER = 1, BUFFER_BYTES = 2 };
    const void *given = NULL;
    size_t given_bytes = 0;
    for (; (uintptr_t)extra[0] != END; extra += 2) {
        if ((uintptr_t)extra[0] == BUFFER)
            given = extra[1];
        else if ((uintptr_t)extra[0] == BUFFER_BYTES && extra[1])
            given_bytes = *(const size_t *)extra[1];
        else
            return JR_CUDA_ERROR_INVALID_VALUE;
    }
    if (given_bytes < bytes || (bytes > 0 && !given)) return JR_CUDA_ERROR_INVALID_VALUE;
    if (bytes > 0) memcpy(buffer, given, bytes);
    return JR_CUDA_SUCCESS;
}

static int copy_parameters(const jrs_kernel *kernel, void **parameters, void **extra, launch_task *task) {
    size_t bytes = kernel->code->parameter_bytes;
    if (parameters && extra) return JR_CUDA_ERROR_INVALID_VALUE;
    if (extra) return unpack(extra, task->parameters, bytes);
    if (bytes == 0) return JR_CUDA_SUCCESS;
    return parameters ? gather(kernel, parameters, task->parameters) : JR_CUDA_ERROR_INVALID_VALUE;
}

/* The trace that the setting asks of this kernel. */
static jrs_trace_request trace_of(const jrs_device_options *options, const jrs_kernel *kernel) {
    const bool wanted = *options->trace_kernel && strcmp(options->trace_kernel, kernel->code->name) == 0;
    return (jrs_trace_request){wanted ? jrs_log_line : NULL, options->trace_block, (unsigned)options->trace_warp};
}

static launch_task *create_task(jrs_driver *driver, const jrs_kernel *kernel, const shape *wanted) {
    launch_task *self = calloc(1, sizeof *self + kernel->code->parameter_bytes);
    if (!self) return NULL;
    unsigned blocks = jrs_occupancy_blocks(kernel, threads_of(wanted), wanted->shared_bytes);
    self->task = (jrs_task){.run = launch_run, .destroy = launch_destroy};
    self->module = kernel->module;
    self->memory = driver->memory;
    self->launch = (jrs_launch){.function = kernel->code,
                                .shared_bytes = wanted->shared_bytes,
                                .parameters = self->parameters,
                                .memory = driver->memory,
                                .view = &kernel->object.context->view,
                                .heap = kernel->object.context->heap,
                                .watch = driver->watch,
                                .activity = &driver->activity,
                                .resident_blocks = blocks * JRS_MULTIPROCESSORS,
                                .multiprocessors = JRS_MULTIPROCESSORS,
                                .dependent = wanted->dependent,
                                .threads = driver->options.threads,
                                .seed = driver->options.seed,
                                .step_limit = driver->options.step_limit,
                                .note = jrs_log_note,
                                .trace = trace_of(&driver->options, kernel),
                                .user = &driver->log,
                                .rounds = {driver->rounds.file ? jrs_rounds_line : NULL, &driver->rounds},
                                .judge = driver->options.judge,
                                .native = driver->options.native};
    memcpy(self->launch.grid, wanted->grid, sizeof wanted->grid);
    memcpy(self->launch.block, wanted->block, sizeof wanted->block);
    memcpy(self->launch.cluster, wanted->cluster, sizeof wanted->cluster);
    jrs_loaded_share(kernel->module);
    return self;
}

static int launch(jrs_call *call, jrs_kernel *kernel, jrs_stream *stream, const shape *wanted, void **parameters,
                  void **extra) {
    int error = kernel->module->code->uses_heap ? jrs_limits_heap(call->driver, kernel->object.context) : 0;
    if (error) return error;
    launch_task *task = create_task(call->driver, kernel, wanted);
    if (!task) return JR_CUDA_ERROR_OUT_OF_MEMORY;
    error = copy_parameters(kernel, parameters, extra, task);
    if (!error && wanted->cooperative) error = make_workspace(task, kernel->object.context);
    if (!error) return jrs_submit(call, stream, &task->task);
    launch_destroy(&task->task);
    return error;
}

/* Checks the launch and puts it on its stream. */
static int submit(jrs_call *call, jr_cu_function function, jr_cu_stream stream, shape *wanted, void **parameters,
                  void **extra) {
    jrs_kernel *kernel = jrs_find(call, JRS_HANDLE_FUNCTION, function);
    jrs_stream *target = NULL;
    int error = kernel ? jrs_stream_for_work(call, stream, &target) : JR_CUDA_ERROR_INVALID_HANDLE;
    if (!error && kernel->object.context != target->object.context) error = JR_CUDA_ERROR_INVALID_HANDLE;
    if (!error) error = check_shape(kernel, wanted);
    return error ? error : launch(call, kernel, target, wanted, parameters, extra);
}

jr_cu_result cuLaunchKernel(jr_cu_function function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                            unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                            jr_cu_stream stream, void **parameters, void **extra) {
    jrs_call call;
    if (!jrs_enter(&call, __func__, JRS_NEED_HEALTHY)) return call.error;
    shape wanted = {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes, false, false, {0}};
    return jrs_leave(&call, submit(&call, function, stream, &wanted, parameters, extra));
}

/* What there is here; priorities and policies change nothing, since launches run one after the other. */
static int read_attributes(const jr_cu_launch_config *config, shape *wanted) {
    if (config->attribute_count > 0 && !config->attributes) return JR_CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < config->attribute_count; i++) {
        const jr_cu_launch_attribute *attribute = &config->attributes[i];
        if (attribute->id == JR_CU_LAUNCH_DEPENDENT)
            wanted->dependent = attribute->value.flag != 0;
        else if (attribute->id == JR_CU_LAUNCH_CLUSTER)
            memcpy(wanted->cluster, attribute->value.cluster, sizeof wanted->cluster);
        else if (attribute->id == JR_CU_LAUNCH_COOPERATIVE)
            wanted->cooperative = attribute->value.flag != 0;
        else if (attribute->id != JR_CU_LAUNCH_CLUSTER_POLICY && attribute->id != JR_CU_LAUNCH_PRIORITY)
            return JR_CUDA_ERROR_NOT_SUPPORTED;
    }
    return JR_CUDA_SUCCESS;
}

static int read_config(const jr_cu_launch_config *config, shape *wanted) {
    const int error = config ? read_attributes(config, wanted) : JR_CUDA_ERROR_INVALID_VALUE;
    if (error) return error;
    memcpy(wanted->grid, config->grid, sizeof wanted->grid);
    memcpy(wanted->block, config->block, sizeof wanted->block);
    wanted->shared_bytes = config->shared_bytes;
    return JR_CUDA_SUCCESS;
}

jr_cu_result cuLaunchKernelEx(const jr_cu_launch_config *config, jr_cu_function function, void **parameters,
                              void **extra) {
    jrs_call call;
    shape wanted = {0};
    if (!jrs_enter(&call, __func__, JRS_NEED_HEALTHY)) return call.error;
    const int error = read_config(config, &wanted);
    if (error) return jrs_leave(&call, error);
    return jrs_leave(&call, submit(&call, function, config->stream, &wanted, parameters, extra));
}

jr_cu_result cuOccupancyMaxActiveClusters(int *clusters, jr_cu_function function, const jr_cu_launch_config *config) {
    jrs_call call;
    shape wanted = {0};
    if (!jrs_enter(&call, __func__, JRS_NEED_HEALTHY)) return call.error;
    const jrs_kernel *kernel = jrs_find(&call, JRS_HANDLE_FUNCTION, function);
    int error = kernel ? read_config(config, &wanted) : JR_CUDA_ERROR_INVALID_HANDLE;
    if (!error && !clusters) error = JR_CUDA_ERROR_INVALID_VALUE;
    if (!error) error = check_shape(kernel, &wanted);
    if (error) return jrs_leave(&call, error);
    const uint64_t blocks = (uint64_t)wanted.cluster[0] * wanted.cluster[1] * wanted.cluster[2];
    *clusters = (int)(resident_of(kernel, &wanted) / (blocks ? blocks : 1));
    return jrs_leave(&call, JR_CUDA_SUCCESS);
}
