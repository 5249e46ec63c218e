/* An image that the driver refuses is reported with its own reason and not kept, and the recorded error is clear if a
 * second image is accepted; and a call that only inspects (jr_doctor) does not change the error record. */
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/open_context.h"
#include "support/fixtures/scratch.h"

static char cache[SCRATCH_BYTES];

static int begin(void **state) {
    (void)state;
    scratch_make(cache);
    return 0;
}

static int end(void **state) {
    (void)state;
    scratch_remove(cache);
    return 0;
}

/* A performance counter is good PTX for a GPU, and nothing that a simulator could have. */
TEST_BETWEEN(an_unsupported_instruction_is_told_with_its_line_and_not_kept, begin, end) {
    const jr_options options = JR_INIT(jr_options, .device = "sim", .cache_dir = cache);
    const jr_program program =
        JR_INIT(jr_program, .name = "program",
                .source = "extern \"C\" __global__ void k(unsigned *p) {\n"
                          "    unsigned x; asm volatile(\"mov.u32 %0, %%pm0;\" : \"=r\"(x)); *p = x;\n"
                          "}\n",
                .entry = "k");
    jr_context *context;
    jr_kernel *kernel = NULL;
    works(jr_context_open(&options, &context));
    fails(jr_kernel_get(context, &program, &kernel), JR_ERROR_LOAD, "%pm0");
    assert_null(strstr(jr_last_error()->message, "do not fit together"));
    assert_null(kernel);
    jr_context_close(context);
    assert_int_equal(scratch_count(cache), 1); /* the compiler's record, and no entry */
}

static void doctor(void *user, const jr_finding *finding) {
    (void)finding;
    ++*(int *)user;
}

TEST_BETWEEN(a_doctor_that_succeeds_leaves_the_error_record_alone, begin, end) {
    int findings = 0;
    jr_type type;
    fails(jr_type_find("no type", &type), JR_ERROR_INVALID_ARGUMENT, "no type");
    works(jr_doctor(&JR_INIT(jr_options, .driver = "/nowhere", .nvrtc = "/nowhere"), doctor, &findings));
    assert_true(findings > 2);
    assert_non_null(strstr(jr_last_error()->message, "no type"));
}

static void find_cache(void *user, const jr_finding *finding) {
    if (strcmp(finding->component, "cache") == 0) *(int *)user = finding->chosen;
}

TEST_BETWEEN(a_doctor_does_not_choose_a_cache_folder_that_cannot_be_used, begin, end) {
    int chosen = -1;
    const jr_options options = JR_INIT(jr_options, .cache_dir = scratch_path(cache, "file"));
    scratch_text(options.cache_dir, "a file");
    works(jr_doctor(&options, find_cache, &chosen));
    assert_int_equal(chosen, 0);
    works(jr_doctor(&JR_INIT(jr_options, .cache_dir = cache), find_cache, &chosen));
    assert_int_equal(chosen, 1);
}

RUN_TESTS(NULL, NULL)
