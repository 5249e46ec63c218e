/* #include <cstdint> and its like found nothing in a kernel, or a host's header that does not compile there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/nvrtc.h"
#include "loader/toolkit.h"
#include "support/fixtures/kernel_case.h"
#include "support/fixtures/scratch.h"

static char top[SCRATCH_BYTES];

static int make_top(void **state) {
    (void)state;
    scratch_make(top);
    return 0;
}

static bool has_toolkit(void) {
    jr_toolkit toolkit;
    jr_places places;
    char nvrtc[JR_PATH_BYTES];
    jr_places_of_process(&places);
    works(jr_nvrtc_locate(NULL, NULL, NULL, nvrtc));
    if (jr_toolkit_named(&places, nvrtc, &toolkit) || jr_toolkit_known(&places, &toolkit)) return true;
    print_message("no CUDA headers (cuda_fp16.h) are installed on this machine\n");
    return false;
}

static int answer(void **state, const jr_program *program) {
    const opened *device = *state;
    jr_kernel *kernel = NULL;
    if (jr_kernel_get(device->context, program, &kernel) != JR_OK)
        fail_msg("%s\n%s\n%s", jr_last_error()->message, jr_last_error()->log, program->source);
    return kernel_answer(device, kernel);
}

/* Each alone, as text that is compiled on the host, too, has it: an int of 42. */
TEST_BETWEEN(each_standard_header_gives_what_its_users_expect, make_top, NULL) {
    static const struct {
        const char *header, *value;
    } cases[] = {{"stdint.h", "(int)(uint8_t)(UINT32_MAX - 213) + (sizeof(int64_t) == 8) - 1"},
                 {"cstdint", "(int)(std::uint8_t)42 + (int)sizeof(std::int64_t) - 8"},
                 {"stddef.h", "(int)sizeof(size_t) + 34"},
                 {"cstddef", "(int)sizeof(std::size_t) + (int)sizeof(std::ptrdiff_t) + 26"},
                 {"limits.h", "INT_MAX - 2147483605"},
                 {"climits", "CHAR_BIT + 34"},
                 {"float.h", "(int)(FLT_MAX / FLT_MAX) + FLT_DIG + 35"},
                 {"cfloat", "DBL_DIG + 27 + (DBL_EPSILON > 0 && DBL_MIN > 0) - 1"},
                 {"limits", "std::numeric_limits<int>::digits + 11"},
                 {"type_traits", "std::is_same<int, std::remove_cv<const int>::type>::value + 41"},
                 {"utility", "std::pair<int, int>(40, 42).second"},
                 {"math.h", "(int)(sqrt(1764.0) + fabs(-0.25) + M_PI - 3)"},
                 {"cmath", "(int)(std::sqrt(1764.0f) + std::fabs(-0.25) + (std::isnan(NAN) ? 0.5 : 100))"},
                 {"assert.h", "([] { assert(true); return 42; }())"},
                 {"cassert", "([] { assert(1 < 2); return 42; }())"},
                 {"stdio.h", "(printf(\"\") + 42)"},
                 {"cstdio", "(std::printf(\"\") + 42)"},
                 {"array", "(std::array<int, 2>{40, 2}[0] + 2)"},
                 {"tuple", "std::get<1>(std::make_tuple(1, 42))"},
                 {"string.h", "(int)sizeof(size_t) + 34"}};
    if (!has_toolkit()) skip();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (!tests_take((int)(i + i / 2), 2)) continue; /* a sample: C's name or C++'s */
        char source[512];
        snprintf(source, sizeof source, "#include <%s>\n__global__ void k(int *o) { *o = %s; }\n", cases[i].header,
                 cases[i].value);
        const jr_program program = JR_INIT(jr_program, .name = "p", .source = source, .toolkit_headers = 1);
        assert_int_equal(answer(state, &program), 42);
    }
}

/* A machine without a toolkit, and NVRTC's own headers set aside. */
TEST_BETWEEN(without_a_toolkit_the_error_names_the_header_and_the_flag, make_top, NULL) {
    static const char *const headers[] = {"stdint.h", "cstdint", "limits", "cuda_fp16.h", "cuda/std/array"};
    const opened *device = *state;
    const char *const folders[] = {"", top, "/absent"};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        for (size_t k = 0; k < sizeof folders / sizeof *folders; k++) {
            char source[256], named[128];
            jr_kernel *kernel = NULL;
            snprintf(source, sizeof source, "#include <%s>\n__global__ void k(int *o) { *o = %zu; }\n", headers[i], k);
            const jr_program program = JR_INIT(jr_program, .name = "p", .source = source, .toolkit_headers = 1);
            assert_int_equal(setenv("JITREDUCE_TOOLKIT", folders[k], 1), 0);
            const jr_status status = jr_kernel_get(device->context, &program, &kernel);
            assert_int_equal(unsetenv("JITREDUCE_TOOLKIT"), 0);
            assert_int_equal(status, JR_ERROR_FILE);
            snprintf(named, sizeof named, "includes %s and asks for the CUDA toolkit's headers (toolkit_headers = 1)",
                     headers[i]);
            assert_non_null(strstr(jr_last_error()->message, named));
            assert_non_null(strstr(jr_last_error()->message, "cuda_fp16.h"));
            assert_non_null(strstr(jr_last_error()->message, "JITREDUCE_TOOLKIT"));
        }
    }
    static const char plain[] = "__global__ void k(int *o) { *o = 42; }\n";
    const jr_program needs_none = JR_INIT(jr_program, .name = "p", .source = plain, .toolkit_headers = 1);
    assert_int_equal(setenv("JITREDUCE_TOOLKIT", "", 1), 0);
    assert_int_equal(answer(state, &needs_none), 42);
    assert_int_equal(unsetenv("JITREDUCE_TOOLKIT"), 0);
}

TEST_BETWEEN(all_of_them_go_together_and_with_the_toolkits_own, make_top, NULL) {
    static const char source[] =
        "#"
        "include <cuda_runtime.h>\n#"
        "include <cuda_fp16.h>\n#include <stdint.h>\n#include <cstdint>\n#include <cmath>\n"
        "#include <math.h>\n#include <limits>\n#include <cfloat>\n#include <climits>\n#include <type_traits>\n"
        "#include <utility>\n#include <cassert>\n#include <cstdio>\n#include <stdio.h>\n#include <cstddef>\n"
        "#define H <stdlib.h>\n#include H\n#"
        "include <cuda/std/array>\n"
        "#if !__has_include(<cstdint>) || __has_include(<iostream>)\n#error \"asked\"\n#endif\n"
        "template <class T> __device__ T most() { return std::numeric_limits<T>::max(); }\n"
        "extern \"C\" __global__ void k(int *o) { assert(most<uint8_t>() == 255); *o = most<std::int8_t>() - 85; }\n";
    if (!has_toolkit()) skip();
    static const char *const standards[] = {"--std=c++17", "--std=c++20"};
    for (size_t i = 0; i < sizeof standards / sizeof *standards; i++) {
        const jr_program program = JR_INIT(jr_program, .name = "p", .source = source, .entry = "k",
                                           .toolkit_headers = 1, .options = &standards[i], .option_count = 1);
        assert_int_equal(answer(state, &program), 42);
    }
}

TEST_BETWEEN(a_header_of_the_callers_goes_before_the_standard_one, make_top, NULL) {
    static const char source[] = "#include \"mine.h\"\nextern \"C\" __global__ void k(int *o) { *o = ANSWER; }\n";
    const char *const folders[] = {top};
    const jr_named_text header = {"cstdint", "#define ANSWER 8\n"};
    if (!has_toolkit()) skip();
    scratch_text(scratch_path(top, "mine.h"), "#include <cstdint>\n");
    scratch_text(scratch_path(top, "cstdint"), "#define ANSWER 7\n");
    jr_program program = JR_INIT(jr_program, .name = "p", .source = source, .entry = "k", .toolkit_headers = 1,
                                 .include_folders = folders, .include_folder_count = 1);
    assert_int_equal(answer(state, &program), 7);
    program.headers = &header;
    program.header_count = 1;
    assert_int_equal(answer(state, &program), 8);
}

RUN_TESTS(open_context, close_context)
