/* The ladder from cubin to PTX to a second compile, driven by loads that the simulator is set to refuse. */
/* cache: own */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "jitreduce.h"
#include "support/fakes/sim_faults.h"
#include "support/fixtures/scratch.h"

typedef struct ladder_case {
    char cache[SCRATCH_BYTES];
    void *simulator;
    sim_faults faults;
} ladder_case;

static int set_up(void **state) {
    static ladder_case made;
    scratch_make(made.cache);
    made.simulator = dlopen(getenv("JITREDUCE_SIM"), RTLD_NOW | RTLD_LOCAL);
    assert_non_null(made.simulator);
    made.faults = sim_faults_of(made.simulator);
    *state = &made;
    return 0;
}

static int tear_down(void **state) {
    const ladder_case *ladder = *state;
    ladder->faults.refuse(NULL);
    scratch_remove(ladder->cache);
    return dlclose(ladder->simulator);
}

/* Reduces 1 + 2 + 3 in a context of its own, with a rule in force. */
static jr_status reduce(const ladder_case *ladder, const char *rule, jr_stats *stats, jr_counters *counters) {
    const jr_options options = JR_INIT(jr_options, .device = "sim", .cache_dir = ladder->cache);
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    const int32_t data[] = {1, 2, 3};
    jr_context *context;
    jr_value value = {.as.i64 = 0};
    assert_int_equal(jr_context_open(&options, &context), JR_OK);
    assert_int_equal(ladder->faults.refuse(rule), 0);
    const jr_status status = jr_reduce_host(context, &spec, data, 3, &value);
    assert_int_equal(ladder->faults.refuse(NULL), 0);
    if (status == JR_OK) assert_int_equal(value.as.i64, 6);
    jr_context_stats(context, stats);
    jr_context_counters(context, counters);
    jr_context_close(context);
    return status;
}

/* Loads an image of cubin and PTX, as a GPU's are, into a context of its own, with a rule in force. */
static jr_status load(const ladder_case *ladder, const char *rule) {
    const jr_options options = JR_INIT(jr_options, .device = "sim", .cache_dir = ladder->cache);
    const jr_program program =
        JR_INIT(jr_program, .name = "k", .source = "extern \"C\" __global__ void k() {}\n", .entry = "k");
    jr_context *context;
    jr_image *image;
    jr_kernel *kernel = NULL;
    size_t bytes = 0;
    assert_int_equal(jr_image_compile(&options, &program, "sm_90", &image), JR_OK);
    assert_non_null(jr_image_cubin(image, &bytes));
    assert_int_equal(jr_context_open(&options, &context), JR_OK);
    assert_int_equal(ladder->faults.refuse(rule), 0);
    const jr_status status = jr_kernel_load(context, image, &kernel);
    assert_int_equal(ladder->faults.refuse(NULL), 0);
    jr_image_destroy(image);
    jr_context_close(context);
    return status;
}

TEST_BETWEEN(a_cubin_that_is_not_for_the_device_falls_to_its_ptx, set_up, tear_down) {
    static const char *const rules[] = {"cuModuleLoadData:1:200", "cuModuleLoadData:1:209", "cuModuleLoadData:1:222"};
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) assert_int_equal(load(*state, rules[i]), JR_OK);
}

TEST_BETWEEN(an_entry_that_the_driver_refuses_is_compiled_again, set_up, tear_down) {
    jr_stats stats = JR_INIT(jr_stats);
    jr_counters counters = JR_INIT(jr_counters);
    assert_int_equal(reduce(*state, NULL, &stats, &counters), JR_OK);
    assert_int_equal(reduce(*state, "cuModuleLoadDataEx:1:218", &stats, &counters), JR_OK);
    assert_int_equal(stats.origin, JR_ORIGIN_COMPILED);
    assert_int_equal(counters.compiles, 1);
    assert_int_equal(counters.disk_hits, 0);
    assert_int_equal(reduce(*state, NULL, &stats, &counters), JR_OK);
    assert_int_equal(stats.origin, JR_ORIGIN_DISK);
}

TEST_BETWEEN(a_driver_that_takes_neither_form_is_named_with_its_version, set_up, tear_down) {
    jr_stats stats = JR_INIT(jr_stats);
    jr_counters counters = JR_INIT(jr_counters);
    assert_int_equal(reduce(*state, "cuModuleLoadDataEx:0:222", &stats, &counters), JR_ERROR_LOAD);
    const jr_error *error = jr_last_error();
    assert_non_null(strstr(error->message, "NVRTC 13."));
    assert_non_null(strstr(error->message, "driver (CUDA 13.0"));
    assert_non_null(strstr(error->message, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"));
    assert_non_null(strstr(error->message, ": the driver does not load"));
    assert_int_equal(reduce(*state, NULL, &stats, &counters), JR_OK);
}

TEST_BETWEEN(a_load_that_runs_out_of_memory_is_no_refusal, set_up, tear_down) {
    jr_stats stats = JR_INIT(jr_stats);
    jr_counters counters = JR_INIT(jr_counters);
    assert_int_equal(load(*state, "cuModuleLoadData:1:2"), JR_ERROR_DEVICE_OUT_OF_MEMORY);
    assert_string_equal(jr_last_error()->driver_name, "CUDA_ERROR_OUT_OF_MEMORY");
    assert_int_equal(reduce(*state, "cuModuleLoadDataEx:1:2", &stats, &counters), JR_ERROR_DEVICE_OUT_OF_MEMORY);
    assert_string_equal(jr_last_error()->driver_name, "CUDA_ERROR_OUT_OF_MEMORY");
    assert_int_equal(reduce(*state, NULL, &stats, &counters), JR_OK);
}

RUN_TESTS(NULL, NULL)
