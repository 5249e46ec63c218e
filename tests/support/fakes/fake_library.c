/* Makes shared libraries out of our own function lists. */
#include "fake_library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "loader/cuda_abi.h"
#include "loader/nvrtc.h"
#include "support/fixtures/check.h"
#include "support/fixtures/scratch.h"

bool fake_library(const char *path, const char *source) {
    const char *wanted = getenv("CC");
    jr_text text = {0}, soname = {0};
    jr_text_append(&text, "%s.c", path);
    jr_text_append(&soname, "-Wl,-soname,%s", strrchr(path, '/') + 1);
    if (jr_text_failed(&text) || jr_text_failed(&soname)) return false;
    scratch_text(jr_text_string(&text), source);
    const char *compiler = wanted && *wanted ? wanted : "cc";
    const char *const arguments[] = {
        compiler, "-shared", "-fPIC", "-w", jr_text_string(&soname), "-o", path, jr_text_string(&text), NULL};
    bool built = scratch_run(arguments, NULL);
    remove(jr_text_string(&text));
    jr_text_free(&text);
    jr_text_free(&soname);
    return built;
}

void fake_library_make(const char *path, const char *source) {
    if (fake_library(path, source)) return;
    skip_because("skipped: no C compiler builds shared libraries here (set CC)\n");
}

/* %s: the statements that end nvrtcCompileProgram. */
static const char compiling_nvrtc[] =
    "#include <stddef.h>\n"
    "#include <string.h>\n"
    "static int compiles, size_result;\n"
    "static const char *log = \"log\";\n"
    "static int has(int n, const char **o, const char *s) {\n"
    "    while (n-- > 0) if (!strcmp(o[n], s)) return 1;\n"
    "    return 0;\n"
    "}\n"
    "int nvrtcVersion(int *a, int *b) { *a = 13; *b = 0; return 0; }\n"
    "const char *nvrtcGetErrorString(int r) { return r == 7 ? \"NVRTC_ERROR_BUILTIN_OPERATION_FAILURE\" : r == 1 ? "
    "\"NVRTC_ERROR_OUT_OF_MEMORY\" : \"NVRTC_ERROR_INTERNAL_ERROR\"; }\n"
    "int nvrtcGetNumSupportedArchs(int *n) { *n = 1; return 0; }\n"
    "int nvrtcGetSupportedArchs(int *n) { *n = 90; return 0; }\n"
    "int nvrtcCreateProgram(void **p, const char *s, const char *n, int c, const char **h, const char **i) { *p = p; "
    "return 0; }\n"
    "int nvrtcDestroyProgram(void **p) { *p = NULL; return 0; }\n"
    "int nvrtcCompileProgram(void *p, int n, const char **o) { compiles++; %s }\n"
    "int nvrtcGetProgramLogSize(void *p, size_t *n) { *n = strlen(log) + 1; return 0; }\n"
    "int nvrtcGetProgramLog(void *p, char *s) { strcpy(s, log); return 0; }\n"
    "static const char ptx[] = \".version 8.0\\n.target sm_80\\n.address_size 64\\n.visible .entry entry() { ret; "
    "}\\n\";\n"
    "int nvrtcGetPTXSize(void *p, size_t *n) { *n = sizeof ptx + 6; return size_result; }\n"
    "int nvrtcGetPTX(void *p, char *s) { strcpy(s, ptx); strcat(s, compiles == 1 ? \"// one\" : \"// two\"); return 0; "
    "}\n"
    "int nvrtcGetCUBINSize(void *p, size_t *n) { *n = 4; return size_result; }\n"
    "int nvrtcGetCUBIN(void *p, char *s) { strcpy(s, \"bin\"); return 0; }\n"
    "int nvrtcAddNameExpression(void *p, const char *s) { return 0; }\n"
    "int nvrtcGetLoweredName(void *p, const char *s, const char **t) { *t = \"entry\"; return 0; }\n";

bool fake_nvrtc(const char *path, const char *ending) {
    jr_text text = {0};
    jr_text_append(&text, compiling_nvrtc, ending);
    const bool built = !jr_text_failed(&text) && fake_library(path, jr_text_string(&text));
    jr_text_free(&text);
    return built;
}

char *fake_driver_source(const char *without, bool optional_too) {
    static const struct {
        const char *name;
        bool required;
    } functions[] = {
#define NEED_REQUIRED               true
#define NEED_OPTIONAL               false
#define ROW(need, name, parameters) {#name, NEED_##need},
        JR_DRIVER_FUNCTIONS(ROW)
#undef ROW
    };
    jr_text text = {0};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        bool wanted = (functions[i].required || optional_too) && (!without || strcmp(functions[i].name, without) != 0);
        if (wanted) jr_text_append(&text, "int %s() { return 0; }\n", functions[i].name);
    }
    return test_own(jr_text_take(&text));
}

char *fake_nvrtc_source(const char *without) {
    static const char *const functions[] = {
#define ROW(need, type, name, parameters) #name,
        JR_NVRTC_FUNCTIONS(ROW)
#undef ROW
    };
    jr_text text = {0};
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        const char *name = functions[i];
        if (without && !strcmp(name, without)) continue;
        if (!strcmp(name, "nvrtcVersion"))
            jr_text_append(&text, "int nvrtcVersion(int *a, int *b) { *a = 13; *b = 7; return 0; }\n");
        else if (!strcmp(name, "nvrtcGetErrorString"))
            jr_text_append(&text, "const char *nvrtcGetErrorString(int e) { return \"NVRTC_FAKE\"; }\n");
        else if (!strcmp(name, "nvrtcGetNumSupportedArchs"))
            jr_text_append(&text, "int nvrtcGetNumSupportedArchs(int *n) { *n = 3; return 0; }\n");
        else if (!strcmp(name, "nvrtcGetSupportedArchs"))
            jr_text_append(&text,
                           "int nvrtcGetSupportedArchs(int *a) { a[0] = 100; a[1] = 75; a[2] = 90; return 0; }\n");
        else
            jr_text_append(&text, "int %s() { return 0; }\n", name);
    }
    return test_own(jr_text_take(&text));
}

/* Images for tests. */
void sample_key(uint8_t key[JR_DIGEST_BYTES], int number) {
    memset(key, number, JR_DIGEST_BYTES);
}

jr_image *sample_image(int number, size_t cubin_bytes) {
    static const char ptx[] = ".version 9.0\n.target sm_90\n";
    uint8_t key[JR_DIGEST_BYTES];
    uint8_t *cubin = cubin_bytes ? malloc(cubin_bytes) : NULL;
    for (size_t i = 0; i < cubin_bytes; i++) cubin[i] = (uint8_t)(i * 7 + (size_t)number);
    sample_key(key, number);
    jr_image_parts parts = {.key = key,
                            .entry = "reduce_f32",
                            .architecture = "sm_90",
                            .ptx = ptx,
                            .ptx_bytes = sizeof ptx, /* with its NUL, as NVRTC counts */
                            .cubin = cubin,
                            .cubin_bytes = cubin_bytes};
    jr_image *image = NULL;
    assert_int_equal(jr_image_make(&parts, &image), JR_OK);
    free(cubin);
    return image;
}
