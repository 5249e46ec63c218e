/* Linking to PTX, by nvJitLink and by the driver's linker, of both of which there are stand-ins here: each gives the
 * kernels of its inputs, and names what does not link; and every call may fail. */
/* link: fail_nth */
/* cache: own */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "kernel/context.h"
#include "support/fakes/fail_nth.h"
#include "support/fakes/fake_library.h"
#include "support/fixtures/open_context.h"
#include "support/fixtures/scratch.h"

#define PTX_HEAD ".version 7.8\n.target sm_75\n.address_size 64\n"
static const char set_ptx[] = PTX_HEAD ".extern .func (.param .b32 result) next(.param .b32 x);\n"
                                       ".visible .entry set(.param .u64 out)\n"
                                       "{ .reg .b32 %v; .param .b32 given; .param .b32 got;\n"
                                       "  mov.u32 %v, 41; st.param.b32 [given], %v;\n"
                                       "  call (got), next, (given); ret; }\n",
                  next_ptx[] = PTX_HEAD ".visible .func (.param .b32 result) next(.param .b32 x)\n"
                                        "{ .reg .b32 %v; ld.param.b32 %v, [x]; st.param.b32 [result], %v; ret; }\n",
                  unknown_ptx[] = PTX_HEAD "// UNKNOWN\n.visible .entry other() { ret; }\n",
                  missing_ptx[] = PTX_HEAD "// MISSING\n.visible .entry other() { ret; }\n",
                  memory_ptx[] = PTX_HEAD "// MEMORY\n.visible .entry other() { ret; }\n";

#define PTX(ptx_name, text)                                                                                            \
    (jr_link_input) {                                                                                                  \
        .name = (ptx_name), .data = (text), .bytes = strlen(text)                                                      \
    }

static const jr_program program = {.size = sizeof(jr_program),
                                   .name = "program.cu",
                                   .source = "#define N 7\nextern \"C\" __global__ void k(int *out) { *out = N; }"};

static struct {
    char linker[SCRATCH_BYTES], nvrtc[SCRATCH_BYTES];
    void *library;    /* the linker's */
    const int *links; /* that have not ended */
    jr_context *context;
    const char *architecture;
    size_t bytes; /* what linking gives without a failure */
    char *linked;
} test;

/* ---- fixtures ---- */

static int begin_all(void **state) {
    static char folder[SCRATCH_BYTES];
    size_t count;
    if (open_context(state) != 0) return -1;
    scratch_make(folder);
    snprintf(test.linker, sizeof test.linker, "%s", scratch_path(folder, "libnvJitLink.so.13"));
    snprintf(test.nvrtc, sizeof test.nvrtc, "%s", scratch_path(folder, "libnvrtc.so.13"));
    fake_library_make(test.linker, scratch_read("tests/faults/answer_linker.c", &count));
    fake_library_make(test.nvrtc, scratch_read("tests/faults/answer_nvrtc.c", &count));
    test.library = dlopen(test.linker, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(test.library);
    test.links = dlsym(test.library, "answer_linker_links");
    return 0;
}

static int begin(void **state) {
    scratch_begin(state);
    const jr_options options = JR_INIT(jr_options, .nvrtc = test.nvrtc, .cache_dir = scratch_own);
    works(jr_context_open(&options, &test.context));
    return 0;
}

static int end(void **state) {
    (void)state;
    jr_context_close(test.context);
    unsetenv("JITREDUCE_NVJITLINK");
    assert_int_equal(*test.links, 0);
    return 0;
}

static int begin_nvjitlink(void **state) {
    setenv("JITREDUCE_NVJITLINK", test.linker, 1);
    return begin(state);
}

/* The simulator has no machine code, and its driver no linker: the context takes itself for one of a GPU. */
static int begin_driver(void **state) {
    setenv("JITREDUCE_NVJITLINK", "", 1);
    begin(state);
    jr_device *device = &test.context->device;
    device->info.simulated = false;
    device->driver.library = test.library;
    return 0;
}

static int end_driver(void **state) {
    const opened *device = *state;
    test.context->device.info.simulated = true;
    test.context->device.driver.library = device->driver.library;
    return end(state);
}

/* ---- what they give ---- */

static void links_kernels(const char *architecture) {
    const jr_link_input inputs[] = {PTX("set.ptx", set_ptx), PTX("next.ptx", next_ptx)};
    jr_image *image = NULL;
    char names[64];
    size_t bytes = 0;
    works(jr_image_link(test.context, inputs, 2, NULL, architecture, &image));
    works(jr_image_kernels(image, names, sizeof names, &bytes));
    assert_string_equal(names, "set");
    assert_int_equal(*test.links, 0);
    jr_image_destroy(image);
}

static void names_what_does_not_link(const char *architecture) {
    const jr_link_input unknown[] = {PTX("set.ptx", set_ptx), PTX("unknown.ptx", unknown_ptx)},
                        missing[] = {PTX("missing.ptx", missing_ptx), PTX("next.ptx", next_ptx)};
    jr_image *image = NULL;
    fails(jr_image_link(test.context, unknown, 2, NULL, architecture, &image), JR_ERROR_COMPILE,
          "unknown.ptx (PTX) does not link: an unknown instruction");
    fails(jr_image_link(test.context, missing, 2, NULL, architecture, &image), JR_ERROR_COMPILE,
          "missing.ptx (PTX) does not link: undefined reference");
    assert_null(image);
}

TEST_BETWEEN(nvjitlink_links_or_names_the_input, begin_nvjitlink, end) {
    links_kernels("sm_90");
    names_what_does_not_link("sm_90");
}

TEST_BETWEEN(the_driver_links_or_names_the_input, begin_driver, end_driver) {
    links_kernels(NULL);
    names_what_does_not_link(NULL);
}

TEST_BETWEEN(a_driver_without_memory_blames_no_input, begin_driver, end_driver) {
    const jr_link_input inputs[] = {PTX("set.ptx", set_ptx), PTX("memory.ptx", memory_ptx)};
    jr_image *image = NULL;
    fails(jr_image_link(test.context, inputs, 2, NULL, NULL, &image), JR_ERROR_DEVICE_OUT_OF_MEMORY, "linking");
    assert_null(image);
}

TEST_BETWEEN(the_driver_links_for_its_own_device_alone, begin_driver, end_driver) {
    const jr_link_input inputs[] = {PTX("set.ptx", set_ptx), PTX("next.ptx", next_ptx)};
    jr_image *image = NULL;
    fails(jr_image_link(test.context, inputs, 2, NULL, "sm_75", &image), JR_ERROR_NOT_APPLICABLE, "sm_75");
    assert_null(image);
}

/* ---- every call ---- */

static void empty_folder(void) {
    jr_folder_entry *entries = NULL;
    size_t count = 0;
    assert_int_equal(jr_folder_list(scratch_own, &entries, &count), JR_OK);
    for (size_t i = 0; i < count; i++) {
        assert_false(strncmp(entries[i].name, JR_TEMPORARY_PREFIX, sizeof JR_TEMPORARY_PREFIX - 1) == 0);
        assert_int_equal(jr_file_remove(scratch_path(scratch_own, entries[i].name)), JR_OK);
    }
    free(entries);
}

/* Gives what it gives without a failure, or an error that blames no input. */
static jr_status link_all(void *user) {
    const jr_link_input inputs[] = {PTX("set.ptx", set_ptx), PTX("next.ptx", next_ptx), {.program = &program}};
    jr_image *image = NULL;
    size_t bytes = 0;
    (void)user;
    const jr_status status =
        jr_image_link(test.context, inputs, test.architecture == NULL ? 3 : 2, "set", test.architecture, &image);
    fail_nth_pause();
    if (status == JR_ERROR_COMPILE) fail_msg("an input in order is blamed: %s", jr_last_error()->message);
    assert_int_equal(image != NULL, status == JR_OK);
    const void *data = image != NULL ? jr_image_data(image, &bytes) : NULL;
    if (image != NULL && test.linked != NULL) {
        assert_int_equal(bytes, test.bytes);
        assert_memory_equal(data, test.linked, bytes);
    } else if (image != NULL) {
        test.linked = malloc(bytes);
        memcpy(test.linked, data, bytes);
        test.bytes = bytes;
    }
    jr_image_destroy(image);
    empty_folder();
    return status;
}

static void walk(const char *architecture, int least) {
    test.architecture = architecture;
    works(link_all(NULL));
    assert_true(fail_nth_walk(FAIL_EVERY, link_all, NULL) >= least);
    free(test.linked);
    test.linked = NULL;
}

TEST_BETWEEN(every_call_of_our_linker_may_fail, begin, end) {
    walk(NULL, 50);
}

TEST_BETWEEN(every_call_around_nvjitlink_may_fail, begin_nvjitlink, end) {
    walk("sm_90", 20);
}

TEST_BETWEEN(every_call_around_the_driver_s_linker_may_fail, begin_driver, end_driver) {
    char own[16];
    snprintf(own, sizeof own, "sm_%d%d", test.context->device.info.capability_major,
             test.context->device.info.capability_minor);
    walk(own, 20);
}

RUN_TESTS(begin_all, close_context)
