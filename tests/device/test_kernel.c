/* The caller's own kernel strings: what a program may contain, which properties its kernel reports, what is refused. */
#include "support/fixtures/kernel_case.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const jr_named_text two[] = {{"A", "2.0f"}}, three[] = {{"A", "3.0f"}};

static jr_program saxpy_with(const jr_named_text *constant) {
    return JR_INIT(jr_program, .name = "saxpy", .source = saxpy_source, .entry = "saxpy", .constants = constant,
                   .constant_count = 1);
}

DEVICE_TEST(a_constant_specialises_a_kernel) {
    const jr_program by_two = saxpy_with(two), by_three = saxpy_with(three);
    jr_kernel *first = kernel_new(device, &by_two), *second = kernel_new(device, &by_three);
    assert_ptr_not_equal(first, second);
    saxpy_multiplies_by(device, first, 2);
    saxpy_multiplies_by(device, second, 3);
    saxpy_multiplies_by(device, kernel_new(device, &by_two), 2);
    assert_ptr_equal(kernel_new(device, &by_two), first);
    assert_string_equal(jr_kernel_name(first), "saxpy");
    assert_string_equal(jr_kernel_name(NULL), "");
}

static const char templates[] =
    "template <class T, int N> __global__ void fill(T *out) { *out = (T)(N * sizeof(T)); }\n"
    "namespace inner { __global__ void plain(int *out) { *out = 77; } }\n";

DEVICE_TEST(an_entry_may_be_a_template_or_a_mangled_name) {
    jr_program program = JR_INIT(jr_program, .name = "templates", .source = templates, .entry = "fill<int, 5>");
    jr_kernel *kernel = kernel_new(device, &program);
    assert_int_equal(kernel_answer(device, kernel), 20);
    assert_non_null(strstr(jr_kernel_name(kernel), "fill"));
    program.entry = "fill<int, 7>";
    assert_int_equal(kernel_answer(device, kernel_new(device, &program)), 28);
    program.entry = "inner::plain";
    assert_int_equal(kernel_answer(device, kernel_new(device, &program)), 77);
}

DEVICE_TEST(a_changed_header_makes_another_kernel) {
    const jr_named_text first[] = {{"inner.h", "#define ANSWER 41\n"}, {"outer.h", "#include \"inner.h\"\n"}};
    const jr_named_text second[] = {{"inner.h", "#define ANSWER 42\n"}, {"outer.h", "#include \"inner.h\"\n"}};
    jr_program program =
        JR_INIT(jr_program, .name = "answer",
                .source = "#include \"outer.h\"\nextern \"C\" __global__ void k(int *o) { *o = ANSWER; }\n",
                .entry = "k", .headers = first, .header_count = 2);
    assert_int_equal(kernel_answer(device, kernel_new(device, &program)), 41);
    program.headers = second;
    assert_int_equal(kernel_answer(device, kernel_new(device, &program)), 42);
    program.headers = first;
    assert_int_equal(kernel_answer(device, kernel_new(device, &program)), 41);
}

DEVICE_TEST(an_option_is_passed_on_and_real_files_are_not_read) {
    const char *const options[] = {"-DEXTRA=9"};
    jr_kernel *kernel = NULL;
    jr_program program =
        JR_INIT(jr_program, .name = "extra", .source = "extern \"C\" __global__ void k(int *o) { *o = EXTRA; }\n",
                .entry = "k", .options = options, .option_count = 1);
    assert_int_equal(kernel_answer(device, kernel_new(device, &program)), 9);
    program.source = "#include \"Makefile\"\nextern \"C\" __global__ void k(int *o) { *o = 1; }\n";
    fails(jr_kernel_get(device->context, &program, &kernel), JR_ERROR_COMPILE, "program extra");
    assert_non_null(strstr(jr_last_error()->log, "Makefile"));
    assert_null(kernel);
}

DEVICE_TEST(a_compile_error_tells_program_line_and_reason) {
    const jr_named_text constants[] = {{"A", "1"}, {"B", "2"}};
    jr_kernel *kernel = NULL;
    jr_program program =
        JR_INIT(jr_program, .name = "broken",
                .source = "// one\n// two\nextern \"C\" __global__ void k(int *o) { *o = undeclared; }\n", .entry = "k",
                .constants = constants, .constant_count = 2);
    for (int i = 0; i < 2; i++) { /* a failure is not remembered as anything else */
        fails(jr_kernel_get(device->context, &program, &kernel), JR_ERROR_COMPILE, "broken");
        assert_non_null(strstr(jr_last_error()->log, "broken(3)"));
        assert_non_null(strstr(jr_last_error()->log, "undeclared"));
        assert_string_equal(jr_last_error()->stage, "image");
        assert_string_equal(jr_last_error()->driver_name, "NVRTC_ERROR_COMPILATION");
    }
    assert_null(kernel);
    program.source = "extern \"C\" __global__ void k(int *o) { *o = A + B; }\n";
    assert_int_equal(kernel_answer(device, kernel_new(device, &program)), 3);
}

DEVICE_TEST(an_unknown_entry_and_a_wrong_program_are_refused) {
    const char *const option[] = {"-I/usr/include"};
    jr_kernel *kernel = NULL;
    jr_program program = saxpy_with(two);
    program.entry = "saxpi";
    fails(jr_kernel_get(device->context, &program, &kernel), JR_ERROR_COMPILE, "no kernel saxpi; did you mean saxpy?");
    assert_null(strstr(jr_last_error()->log, "__nv_name_map"));
    program = saxpy_with(two);
    program.options = option;
    program.option_count = 1;
    fails(jr_kernel_get(device->context, &program, &kernel), JR_ERROR_INVALID_ARGUMENT, "-I/usr/include");
    program = saxpy_with(two);
    program.name = "../saxpy";
    fails(jr_kernel_get(device->context, &program, &kernel), JR_ERROR_INVALID_ARGUMENT, "../saxpy");
    fails(jr_kernel_get(NULL, &program, &kernel), JR_ERROR_INVALID_ARGUMENT, "is NULL");
    fails(jr_kernel_get(device->context, NULL, &kernel), JR_ERROR_INVALID_ARGUMENT, "is NULL");
    fails(jr_kernel_get(device->context, &program, NULL), JR_ERROR_INVALID_ARGUMENT, "is NULL");
    assert_null(kernel);
}

static const char globals[] = "__device__ int table[4] = {1, 2, 3, 4};\n"
                              "__constant__ float scale = 2.5f;\n"
                              "extern \"C\" __global__ void k(int *o) { *o = (int)(table[3] * scale); }\n";

DEVICE_TEST(module_variables_are_found_and_written) {
    const jr_program program = JR_INIT(jr_program, .name = "globals", .source = globals, .entry = "k");
    jr_kernel *kernel = kernel_new(device, &program);
    void *table = NULL, *scale = NULL;
    size_t bytes = 0;
    int words[4] = {0}, hundred = 100;
    const float half = 0.5f;
    assert_int_equal(kernel_answer(device, kernel), 10);
    works(jr_kernel_global_find(kernel, "table", &table, &bytes));
    assert_int_equal(bytes, 16);
    device_read(device, words, table, sizeof words);
    assert_int_equal(words[2], 3);
    device_write(device, (int *)table + 3, &hundred, sizeof hundred);
    assert_int_equal(kernel_answer(device, kernel), 250);
    works(jr_kernel_global_find(kernel, "scale", &scale, &bytes));
    assert_int_equal(bytes, 4);
    device_write(device, scale, &half, sizeof half);
    assert_int_equal(kernel_answer(device, kernel), 50);
    fails(jr_kernel_global_find(kernel, "absent", &table, &bytes), JR_ERROR_DRIVER, "absent");
    assert_string_equal(jr_last_error()->driver_name, "CUDA_ERROR_NOT_FOUND");
    fails(jr_kernel_global_find(kernel, NULL, &table, &bytes), JR_ERROR_INVALID_ARGUMENT, "is NULL");
}

TEST(variables_of_a_module_are_written_and_read) {
    static const char source[] = "__device__ int table[4] = {1, 2, 3, 4}; __constant__ int times = 10;\n"
                                 "extern \"C\" __global__ void k(int *o) {\n"
                                 "    *o = (table[0] + table[3]) * times; table[1] = *o;\n"
                                 "}\n";
    const opened *device = *state;
    const jr_program program = JR_INIT(jr_program, .name = "variables", .source = source, .entry = "k");
    jr_kernel *kernel = kernel_new(device, &program);
    const int fresh[] = {7, 8}, factor = 3;
    int table[5] = {0};
    works(jr_kernel_global_write(kernel, "table", fresh, sizeof fresh));
    works(jr_kernel_global_write(kernel, "times", &factor, sizeof factor));
    assert_int_equal(kernel_answer(device, kernel), 33);
    works(jr_kernel_global_read(kernel, "table", table, 4 * sizeof *table));
    assert_memory_equal(table, ((const int[]){7, 33, 3, 4, 0}), sizeof table);
    fails(jr_kernel_global_read(kernel, "table", table, sizeof table), JR_ERROR_INVALID_ARGUMENT,
          "20 bytes are too many for the variable table, which has 16");
    fails(jr_kernel_global_write(kernel, "times", table, 8), JR_ERROR_INVALID_ARGUMENT, "which has 4");
    fails(jr_kernel_global_write(kernel, "absent", table, 4), JR_ERROR_DRIVER, "absent");
    fails(jr_kernel_global_write(kernel, "times", NULL, 4), JR_ERROR_INVALID_ARGUMENT, "is NULL");
}

TEST(the_host_reads_and_writes_a_managed_variable_where_it_is) {
    static const char source[] =
        "__managed__ int both[2] = {4, 5};\n"
        "extern \"C\" __global__ void k(int *o) { *o = both[0] * 10 + both[1]; both[1] = 9; }\n";
    const opened *device = *state;
    const jr_program program = JR_INIT(jr_program, .name = "managed", .source = source, .entry = "k");
    jr_kernel *kernel = kernel_new(device, &program);
    void *address = NULL;
    size_t bytes = 0;
    works(jr_kernel_global_find(kernel, "both", &address, &bytes));
    assert_int_equal(bytes, 8);
    volatile int *both = address;
    assert_int_equal(both[1], 5);
    both[0] = 7;
    assert_int_equal(kernel_answer(device, kernel), 75);
    works(jr_context_wait(device->context));
    assert_int_equal(both[1], 9);
}

static const char printing[] = "extern \"C\" __global__ void k(int *o) { printf(TEXT, 7, 2.5); *o = 1; }\n";

/* What a kernel prints comes out on standard output by the time its context is synchronised. */
DEVICE_TEST(a_kernel_may_print) {
    const jr_named_text text = {"TEXT", "\"a kernel prints %d and %f.\""};
    const jr_program program = JR_INIT(jr_program, .name = "printing", .source = printing, .entry = "k",
                                       .constants = &text, .constant_count = 1);
    jr_kernel *kernel = kernel_new(device, &program);
    char printed[100] = "";
    FILE *file = tmpfile();
    assert_non_null(file);
    fflush(stdout);
    const int kept = dup(STDOUT_FILENO);
    dup2(fileno(file), STDOUT_FILENO);
    const int answer = kernel_answer(device, kernel);
    const jr_cu_result result = device->driver.cuCtxSynchronize();
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    rewind(file);
    assert_true(fread(printed, 1, sizeof printed - 1, file) > 0);
    fclose(file);
    drives(result);
    assert_int_equal(answer, 1);
    assert_string_equal(printed, "a kernel prints 7 and 2.500000.");
}

RUN_TESTS(open_context, close_context)
