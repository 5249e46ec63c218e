/* Ranges for profilers (NVTX): which ranges a profiler's library gets, and that none stays open. */
/* cache: own */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "support/fakes/fake_library.h"
#include "support/fixtures/open_context.h"
#include "support/fixtures/scratch.h"

static char folder[SCRATCH_BYTES], path[SCRATCH_BYTES];
static void *library; /* the profiler's, once a context has found it */

/* A profiler that notes the ranges it gets, as NVTX's headers have it call. */
static const char profiler[] =
    "#include <stdint.h>\n"
    "#include <stdio.h>\n"
    "#include <string.h>\n"
    "char noted[8192], name[64];\n"
    "int depth, version, asked;\n"
    "typedef struct { uint16_t version, size; uint32_t category; int32_t color_type; uint32_t color;\n"
    "    int32_t payload_type, reserved; uint64_t payload; int32_t message_type; const char *message; } event;\n"
    "static void *create(const char *domain) { strcpy(name, domain); return name; }\n"
    "static int push(void *domain, const event *of) {\n"
    "    if (domain != name || of->version != 3 || of->size != 48 || of->message_type != 1) return -1;\n"
    "    strcat(strcat(noted, of->message), \"\\n\");\n"
    "    return depth++; }\n"
    "static int pop(void *domain) { return domain == name ? --depth : -1; }\n"
    "typedef struct { size_t size; int (*module)(int, void ***, unsigned *); } callbacks;\n"
    "typedef struct { size_t size; uint32_t version, reserved; void (*set)(uint32_t); } versions;\n"
    "int InitializeInjectionNvtx2(const void *(*tables)(uint32_t)) {\n"
    "    const callbacks *how = tables(1);\n"
    "    const versions *what = tables(3);\n"
    "    void **core = 0, **domains = 0;\n"
    "    unsigned count = 0;\n"
    "    if (how == 0 || what == 0 || tables(77) != 0 || how->size < sizeof *how) return 0;\n"
    "    version = what->version, what->set(3), asked++;\n"
    "    if (how->module(1, &core, &count) != 1 || count != 136 || core[16] != 0 || how->module(7, &core, &count)) "
    "return 0;\n"
    "    if (how->module(6, &core, &count) != 1 || count != 72 || core[1] == 0 || core[8] != 0) return 0;\n"
    "    if (how->module(5, &domains, &count) != 1 || count != 136 || domains[16] != 0) return 0;\n"
    "    *(void **)domains[12] = (void *)create, *(void **)domains[4] = (void *)push, *(void **)domains[5] = (void "
    "*)pop;\n"
    "    return 1; }\n";

static const char source[] = "extern \"C\" __global__ void twice(int *x) { x[threadIdx.x] *= 2; }\n";

static void *seen(const char *symbol) {
    void *found = dlsym(library, symbol);
    assert_non_null(found);
    return found;
}

static int open_profiled(void **state) {
    scratch_make(folder);
    strncpy(path, scratch_path(folder, "libprofiler.so"), sizeof path - 1);
    if (!fake_library(path, profiler)) {
        print_message("no C compiler is here, so that there is no profiler\n");
        path[0] = '\0';
    }
    setenv("NVTX_INJECTION64_PATH", path, 1);
    if (open_context(state) != 0) return -1;
    if (path[0] != '\0') library = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
    return 0;
}

static int close_profiled(void **state) {
    const int status = close_context(state);
    if (library != NULL) dlclose(library);
    scratch_remove(folder);
    return status;
}

static void skip_without_profiler(void) {
    if (path[0] == '\0') skip();
    assert_non_null(library);
    memset(seen("noted"), 0, 1);
}

TEST(a_profiler_is_asked_once_and_told_the_domain) {
    skip_without_profiler();
    jr_context *second = NULL;
    works(jr_context_open(NULL, &second));
    jr_context_close(second);
    assert_int_equal(*(int *)seen("asked"), 1);
    assert_int_equal(*(int *)seen("version"), 3);
    assert_string_equal(seen("name"), "jitreduce");
}

TEST(compiling_loading_and_launching_a_kernel_are_ranges) {
    skip_without_profiler();
    const opened *device = *state;
    const jr_program program = JR_INIT(jr_program, .name = "twice.cu", .source = source);
    jr_kernel *kernel = NULL;
    works(jr_kernel_get(device->context, &program, &kernel));
    assert_string_equal(seen("noted"), "compile twice\nload twice\n");

    int numbers[4] = {1, 2, 3, 4};
    void *x = device_new(device, sizeof numbers);
    device_write(device, x, numbers, sizeof numbers);
    const jr_launch launch = JR_INIT(jr_launch, .grid = {1}, .block = {4});
    works(jr_kernel_launch(kernel, &launch, (void *[]){&x}));
    works(jr_kernel_get(device->context, &program, &kernel));
    assert_string_equal(seen("noted"), "compile twice\nload twice\nlaunch twice\n");
    device_read(device, numbers, x, sizeof numbers);
    assert_int_equal(numbers[3], 8);
    assert_int_equal(*(int *)seen("depth"), 0);
}

TEST(ranges_name_the_kernels_of_reductions) {
    skip_without_profiler();
    const opened *device = *state;
    const float numbers[] = {1, 2, 3};
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_MAX, .type = JR_F32);
    jr_value value;
    works(jr_reduce_host(device->context, &spec, numbers, 3, &value));
    assert_non_null(strstr(seen("noted"), "compile jr_reduce_single_pass"));
    assert_non_null(strstr(seen("noted"), "launch jr_reduce_single_pass"));
    assert_int_equal(*(int *)seen("depth"), 0);
}

TEST(a_compile_that_fails_closes_its_range) {
    skip_without_profiler();
    const opened *device = *state;
    const jr_program program =
        JR_INIT(jr_program, .name = "wrong.cu", .source = "extern \"C\" __global__ void f( {}\n");
    jr_kernel *kernel = NULL;
    fails(jr_kernel_get(device->context, &program, &kernel), JR_ERROR_COMPILE, "wrong.cu");
    assert_non_null(strstr(seen("noted"), "compile f"));
    assert_int_equal(*(int *)seen("depth"), 0);
}

RUN_TESTS(open_profiled, close_profiled)
