/* Images: compiled without a device, stored, read back, loaded and run; damaged ones are refused. */
/* cache: own */
#include "support/fixtures/kernel_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const jr_named_text four[] = {{"A", "4.0f"}};
static const jr_program program = {.size = sizeof(jr_program),
                                   .name = "saxpy",
                                   .source = saxpy_source,
                                   .entry = "saxpy",
                                   .constants = four,
                                   .constant_count = 1};

static const char *architecture(const opened *device) {
    static char name[32];
    snprintf(name, sizeof name, "sm_%d%d", device->info.capability_major, device->info.capability_minor);
    return name;
}

static jr_image *compiled(const char *target) {
    jr_image *image = NULL;
    works(jr_image_compile(NULL, &program, target, &image));
    assert_non_null(image);
    return image;
}

DEVICE_TEST(an_image_is_stored_read_back_and_run) {
    jr_image *image = compiled(architecture(device)), *again = NULL;
    size_t bytes = 0, again_bytes = 0;
    jr_kernel *kernel = NULL, *same = NULL;
    jr_stats stats = JR_INIT(jr_stats);
    const void *data = jr_image_data(image, &bytes);
    assert_non_null(strstr(jr_image_ptx(image), ".entry saxpy"));
    works(jr_image_read(data, bytes, &again));
    jr_image_destroy(image);
    jr_image_data(again, &again_bytes);
    assert_int_equal(again_bytes, bytes);
    works(jr_kernel_load(device->context, again, &kernel));
    works(jr_context_stats(device->context, &stats));
    assert_int_equal(stats.origin, JR_ORIGIN_IMAGE);
    works(jr_kernel_load(device->context, again, &same));
    assert_ptr_equal(same, kernel);
    jr_image_destroy(again);
    saxpy_multiplies_by(device, kernel, 4);
    jr_image_destroy(NULL);
}

DEVICE_TEST(an_image_of_ptx_alone_runs_too) {
    jr_image *image = compiled("compute_80");
    jr_kernel *kernel = NULL;
    assert_non_null(strstr(jr_image_ptx(image), ".target sm_80"));
    works(jr_kernel_load(device->context, image, &kernel));
    jr_image_destroy(image);
    saxpy_multiplies_by(device, kernel, 4);
}

DEVICE_TEST(damaged_images_are_refused) {
    jr_image *image = compiled(architecture(device)), *read = NULL;
    size_t bytes = 0;
    uint64_t seed = 11;
    const void *data = jr_image_data(image, &bytes);
    char *copy = test_bytes(bytes);
    memcpy(copy, data, bytes);
    for (int i = 0; i < 300; i++) {
        const uint64_t at = i < 100 ? (uint64_t)i % bytes : random_below(&seed, bytes);
        copy[at] ^= (char)(1 << random_below(&seed, 8));
        assert_int_equal(jr_image_read(copy, bytes, &read), JR_ERROR_INVALID_ARGUMENT);
        memcpy(copy, data, bytes);
        assert_int_equal(jr_image_read(copy, random_below(&seed, bytes), &read), JR_ERROR_INVALID_ARGUMENT);
    }
    fails(jr_image_read(copy, 0, &read), JR_ERROR_INVALID_ARGUMENT, "");
    fails(jr_image_read(NULL, bytes, &read), JR_ERROR_INVALID_ARGUMENT, "is NULL");
    assert_null(read);
    works(jr_image_read(copy, bytes, &read));
    jr_image_destroy(read);
    jr_image_destroy(image);
}

DEVICE_TEST(an_image_for_another_device_is_refused_with_the_reasons) {
    jr_image *image = compiled("sm_121");
    jr_kernel *kernel = NULL;
    if (device->info.capability_major < 12) {
        fails(jr_kernel_load(device->context, image, &kernel), JR_ERROR_LOAD, "sm_121");
        assert_null(kernel);
    }
    jr_image_destroy(image);
    image = compiled(architecture(device));
    works(jr_kernel_load(device->context, image, &kernel));
    saxpy_multiplies_by(device, kernel, 4);
    jr_image_destroy(image);
}

TEST(wrong_architectures_are_told) {
    jr_image *image = NULL;
    fails(jr_image_compile(NULL, &program, "sm_9x", &image), JR_ERROR_INVALID_ARGUMENT, "sm_9x");
    fails(jr_image_compile(NULL, &program, "sm_20", &image), JR_ERROR_ARCHITECTURE, "sm_20");
    fails(jr_image_compile(NULL, NULL, "sm_90", &image), JR_ERROR_INVALID_ARGUMENT, "is NULL");
    fails(jr_image_compile(NULL, &program, NULL, &image), JR_ERROR_INVALID_ARGUMENT, "is NULL");
    fails(jr_image_compile(NULL, &program, "sm_90", NULL), JR_ERROR_INVALID_ARGUMENT, "is NULL");
    assert_null(image);
}

/* The cache keeps such images too: what was compiled here is a disk hit for a context of that device. The simulator
 * takes PTX alone. */
TEST(a_compile_without_a_device_fills_the_cache) {
    static const char *const lines[] = {"--generate-line-info"}; /* which the simulator's kernels have in any case */
    const opened *device = *state;
    const jr_program other =
        JR_INIT(jr_program, .name = "fills", .source = "extern \"C\" __global__ void k(int *o) { *o = 5; }\n",
                .entry = "k", .options = lines, .option_count = 1);
    jr_image *image = NULL;
    jr_counters before = JR_INIT(jr_counters), after = JR_INIT(jr_counters);
    works(jr_image_compile(NULL, &other, jr_context_is_simulated(device->context) ? "compute_90" : architecture(device),
                           &image));
    jr_image_destroy(image);
    works(jr_context_counters(device->context, &before));
    assert_int_equal(kernel_answer(device, kernel_new(device, &other)), 5);
    works(jr_context_counters(device->context, &after));
    assert_int_equal(after.compiles, before.compiles);
    assert_int_equal(after.disk_hits, before.disk_hits + 1);
}

RUN_TESTS(open_context, close_context)
