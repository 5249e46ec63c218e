/* A wrong entry name was answered by a line of NVRTC's own file __nv_name_map, and a program with one kernel had to
 * name it. */
#include <string.h>

#include "support/fixtures/kernel_case.h"

static jr_program program_of(const char *source, const char *entry) {
    return JR_INIT(jr_program, .name = "p", .source = source, .entry = entry);
}

TEST(a_program_that_names_no_entry_has_its_only_kernel) {
    const opened *device = *state;
    static const char *const sources[] = {"extern \"C\" __global__ void k(int *o) { *o = 5; }",
                                          "__device__ int f() { return 5; }\nnamespace a { __global__ void "
                                          "__launch_bounds__(32) k(int *o) { *o = f(); } }",
                                          "// __global__ void no(int *);\n#include \"h\"\n__global__ void k(int "
                                          "*o);\n__global__ void k(int *o) { *o = 5; }"};
    const jr_named_text header = {"h", "\n"};
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++) {
        jr_program program = program_of(sources[i], NULL);
        jr_image *image = NULL;
        program.headers = &header;
        program.header_count = 1;
        assert_int_equal(kernel_answer(device, kernel_new(device, &program)), 5);
        works(jr_image_compile_for(device->context, &program, &image));
        jr_image_destroy(image);
    }
}

static void get_fails(void **state, const jr_program *program, jr_status expected, const char *says) {
    const opened *device = *state;
    jr_kernel *kernel = NULL;
    fails(jr_kernel_get(device->context, program, &kernel), expected, says);
    assert_null(strstr(jr_last_error()->message, "__nv_name_map"));
    assert_null(kernel);
}

TEST(where_no_entry_is_named_several_kernels_are_listed) {
    jr_program program = program_of("__global__ void a() {}\nnamespace n { __global__ void b() {} }", NULL);
    get_fails(state, &program, JR_ERROR_INVALID_ARGUMENT, "has several kernels: name one of a, n::b");
    program.source = "template <class T> __global__ void t(T *o) {}";
    get_fails(state, &program, JR_ERROR_INVALID_ARGUMENT, "name an instance, as t<float>");
    program.source = "__device__ void f() {}";
    get_fails(state, &program, JR_ERROR_INVALID_ARGUMENT, "its source declares no __global__ function");
}

TEST(a_wrong_entry_is_answered_by_the_kernels_there_are) {
    static const char source[] =
        "namespace ours { __global__ void saxpy(float *y) {} }\n"
        "template <class T> __global__ void add(T *y) {}\nextern \"C\" __global__ void k() {}\n"
        "__device__ void f() {}\n";
    static const struct {
        const char *entry, *says;
    } cases[] = {
        {"saxpy", "no kernel saxpy; did you mean ours::saxpy?; the kernels of its source: ours::saxpy, add<...>, k"},
        {"sapxy", "did you mean ours::saxpy?"},
        {"add", "add is a template: name an instance, as \"add<float>\""},
        {"add<floot>", "add is a template"},
        {"multiply", "no kernel multiply; the kernels of its source: ours::saxpy, add<...>, k"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const jr_program program = program_of(source, cases[i].entry);
        get_fails(state, &program, JR_ERROR_COMPILE, cases[i].says);
    }
    const jr_program wrong = program_of(source, "add<floot>");
    get_fails(state, &wrong, JR_ERROR_COMPILE, "add");
    assert_non_null(strstr(jr_last_error()->log, "floot"));
}

RUN_TESTS(open_context, close_context)
