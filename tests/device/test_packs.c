/* Contexts that have packs: what is in one needs no NVRTC, and gives the same; what is not is said. */
/* cache: own */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/kernel_case.h"
#include "support/fixtures/pack_case.h"

enum { THREADS = 8 };

static const jr_program seven = {.size = sizeof(jr_program),
                                 .name = "seven",
                                 .source = "extern \"C\" __global__ void k(int *o) { *o = 7; }\n",
                                 .entry = "k"};

/* ---- reductions ---- */

DEVICE_TEST(a_spec_is_packed_for_every_count_and_for_data_in_parts) {
    const uint64_t counts[] = {0, 1, 1000, 1 << 14, 1 << 18, (1 << 20) + 1, 1 << 22};
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32);
    jr_pack *pack = pack_for(device);
    works(jr_work_pack_add(pack, WORK(&spec)));
    pack_write(pack);
    opened packed = pack_open(device, pack_hidden);
    float *data = test_bytes((1 << 22) * sizeof *data);
    for (int i = 0; i < 1 << 22; i++) data[i] = (float)(i % 8);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        jr_value wanted, got;
        works(jr_reduce_host(device->context, &spec, data, counts[i], &wanted));
        works(jr_reduce_host(packed.context, &spec, data, counts[i], &got));
        assert_memory_equal(&got.as, &wanted.as, sizeof(float));
    }
    for (int octave = 0; octave <= 40; octave++) { /* what would be launched; no data of so many is at hand */
        jr_spec large = spec;
        jr_plan *plan = NULL;
        large.capacity = 1ull << octave;
        works(jr_work_plan_create(packed.context, WORK(&large), &plan));
        jr_plan_destroy(plan);
    }
    jr_spec parts = spec;
    parts.device_bytes = 1 << 20;
    jr_value value;
    works(jr_reduce_host(packed.context, &parts, data, 1 << 22, &value));
    assert_int_equal((long)value.as.f32, (1 << 22) / 8 * 28);
    jr_spec product = spec;
    product.op = JR_OP_PROD;
    fails(jr_reduce_host(packed.context, &product, data, 10, &value), JR_ERROR_NVRTC_NOT_FOUND,
          "no pack has single_pass.cu, entry jr_reduce_single_pass, for this device, so it must be compiled: ");
    assert_int_equal(pack_counters(&packed).compiles, 0);
    jr_context_close(packed.context);
}

DEVICE_TEST(scans_are_packed_too) {
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    static int data[1 << 16];
    static int64_t results[2][1 << 16];
    jr_pack *pack = pack_for(device);
    works(jr_work_pack_add(pack, WORK(&spec, .kind = JR_WORK_SCAN_EXCLUSIVE)));
    pack_write(pack);
    opened packed = pack_open(device, pack_hidden);
    for (int i = 0; i < 1 << 16; i++) data[i] = i % 100;
    for (uint64_t count = 1; count <= 1 << 16; count <<= 8) {
        works(jr_work_run_host(device->context, WORK(&spec, .kind = JR_WORK_SCAN_EXCLUSIVE),
                               DATA(.in = FROM(data), .count = count, .out = results[0])));
        works(jr_work_run_host(packed.context, WORK(&spec, .kind = JR_WORK_SCAN_EXCLUSIVE),
                               DATA(.in = FROM(data), .count = count, .out = results[1])));
        assert_memory_equal(results[0], results[1], count * sizeof **results);
    }
    assert_int_equal(pack_counters(&packed).compiles, 0);
    jr_context_close(packed.context);
}

/* ---- kernels ---- */

DEVICE_TEST(a_kernel_is_found_on_disk_before_it_is_found_in_a_pack) {
    char cache[2 * SCRATCH_BYTES];
    jr_options options = JR_INIT(jr_options, .packs = "");
    jr_pack *pack = pack_for(device);
    works(jr_pack_add(pack, &seven));
    pack_write(pack);
    snprintf(cache, sizeof cache, "%s/cache", pack_folder);
    options.cache_dir = cache;
    opened made = pack_open(device, pack_hidden);
    assert_int_equal(kernel_answer(&made, kernel_new(&made, &seven)), 7);
    assert_int_equal(pack_origin(&made), JR_ORIGIN_PACK);
    assert_int_equal(kernel_answer(&made, kernel_new(&made, &seven)), 7);
    assert_int_equal(pack_origin(&made), JR_ORIGIN_MEMORY);
    assert_int_equal(pack_counters(&made).pack_hits, 1);
    jr_context_close(made.context);
    made = pack_open(device, options);
    kernel_new(&made, &seven);
    assert_int_equal(pack_origin(&made), JR_ORIGIN_COMPILED);
    jr_context_close(made.context);
    options.packs = pack_path;
    made = pack_open(device, options);
    kernel_new(&made, &seven);
    assert_int_equal(pack_origin(&made), JR_ORIGIN_DISK);
    jr_context_close(made.context);
    snprintf(cache, sizeof cache, "%s/another cache", pack_folder); /* nothing is on record of NVRTC there */
    made = pack_open(device, options);
    kernel_new(&made, &seven);
    assert_int_equal(pack_origin(&made), JR_ORIGIN_PACK);
    assert_int_equal(scratch_count(cache), 0); /* it was not opened */
    jr_context_close(made.context);
}

DEVICE_TEST(another_text_constant_or_option_is_another_kernel) {
    static const jr_named_text eight = {"EIGHT", "8"};
    static const char *const fast = "--use_fast_math";
    jr_pack *pack = pack_for(device);
    jr_kernel *kernel = NULL;
    works(jr_pack_add(pack, &seven));
    pack_write(pack);
    opened packed = pack_open(device, pack_hidden);
    jr_program others[] = {seven, seven, seven, seven};
    others[0].source = "extern \"C\" __global__ void k(int *o) { *o = 8; }\n";
    others[1].constants = &eight;
    others[1].constant_count = 1;
    others[2].options = &fast;
    others[2].option_count = 1;
    others[3].name = "eight";
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        fails(jr_kernel_get(packed.context, &others[i], &kernel), JR_ERROR_NVRTC_NOT_FOUND, "no pack has ");
    works(jr_kernel_get(packed.context, &seven, &kernel));
    jr_context_close(packed.context);
}

static void *get_seven(void *context) {
    jr_kernel *kernel = NULL;
    return jr_kernel_get(context, &seven, &kernel) == JR_OK ? kernel : NULL;
}

DEVICE_TEST(many_threads_find_one_kernel_in_a_pack) {
    pthread_t threads[THREADS];
    void *kernels[THREADS];
    jr_pack *pack = pack_for(device);
    works(jr_pack_add(pack, &seven));
    pack_write(pack);
    opened packed = pack_open(device, pack_hidden);
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_create(&threads[i], NULL, get_seven, packed.context), 0);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], &kernels[i]);
    for (int i = 0; i < THREADS; i++) assert_ptr_equal(kernels[i], kernels[0]);
    assert_non_null(kernels[0]);
    assert_int_equal(pack_counters(&packed).pack_hits, 1);
    jr_context_close(packed.context);
}

DEVICE_TEST(a_pack_that_is_damaged_leaves_the_compiler) {
    size_t bytes = 0;
    jr_context *none = NULL;
    jr_pack *pack = pack_for(device);
    works(jr_pack_add(pack, &seven));
    pack_write(pack);
    char *content = scratch_read(pack_path, &bytes);
    content[bytes - 40] ^= 1; /* of the last image */
    scratch_write(pack_path, content, bytes);
    opened packed = pack_open(device, JR_INIT(jr_options, .cache_dir = ""));
    assert_int_equal(kernel_answer(&packed, kernel_new(&packed, &seven)), 7);
    assert_int_equal(pack_origin(&packed), JR_ORIGIN_COMPILED);
    assert_int_equal(pack_counters(&packed).pack_failures, 1);
    jr_context_close(packed.context);
    jr_pack_info info = JR_INIT(jr_pack_info);
    fails(jr_pack_look(pack_path, &info), JR_ERROR_PACK, "an image in it is damaged");
    content[0] ^= 1;
    scratch_write(pack_path, content, bytes);
    fails(jr_context_open(&JR_INIT(jr_options, .packs = pack_path), &none), JR_ERROR_PACK,
          "does not begin as a pack does");
    assert_null(none);
    setenv("JITREDUCE_PACKS", pack_path, 1);
    works(jr_context_open(NULL, &none));
    unsetenv("JITREDUCE_PACKS");
    jr_context_close(none);
}

/* ---- making ---- */

TEST(a_pack_is_what_it_was_after_a_failure_and_tells_what_it_is) {
    static const char *const architectures[] = {"sm_90", "compute_80", "sm_90", "sm_80"};
    static const char *const odd[] = {"sm_9"};
    jr_pack *pack = NULL;
    jr_pack_info info = JR_INIT(jr_pack_info);
    jr_pack_options how = JR_INIT(jr_pack_options, .architectures = odd, .architecture_count = 1);
    fails(jr_pack_create(NULL, &how, &pack), JR_ERROR_ARCHITECTURE, "sm_9");
    how.architecture_count = 0;
    fails(jr_pack_create(NULL, &how, &pack), JR_ERROR_INVALID_ARGUMENT, "no architectures");
    how.architectures = architectures;
    how.architecture_count = 4;
    how.plain = 1;
    works(jr_pack_create(NULL, &how, &pack));
    works(jr_pack_add(pack, &seven));
    works(jr_pack_add(pack, &seven));
    jr_program wrong = seven;
    wrong.source = "extern \"C\" __global__ void k(int *o) { wrong }";
    fails(jr_pack_add(pack, &wrong), JR_ERROR_COMPILE, "does not compile");
    static const char *const folders[] = {"."};
    jr_program of_folders = seven;
    of_folders.include_folders = folders;
    of_folders.include_folder_count = 1;
    fails(jr_pack_add(pack, &of_folders), JR_ERROR_INVALID_ARGUMENT, "seven finds files in folders");
    /* One architecture fails, the others have been compiled. */
    wrong.source =
        "#if __CUDA_ARCH__ == 800\n#error not here\n#endif\nextern \"C\" __global__ void k(int *o) { *o = 1; }";
    fails(jr_pack_add(pack, &wrong), JR_ERROR_COMPILE, "does not compile");
    fails(jr_work_pack_add(pack, WORK(&JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .unroll = 99))),
          JR_ERROR_INVALID_ARGUMENT, "99");
    fails(jr_pack_write(pack, scratch_path(pack_folder, "none/a.jrpack")), JR_ERROR_FILE, "its folder is not there");
    works(jr_pack_write(pack, pack_path));
    works(jr_pack_look(pack_path, &info));
    assert_int_equal(info.image_count, 3);
    assert_string_equal(info.architectures, "compute_80 sm_80 sm_90");
    assert_string_equal(info.library, jr_version());
    assert_non_null(strstr(info.compiler, "NVRTC "));
    assert_true(info.bytes > info.image_bytes && info.image_bytes > 0);
    jr_pack_destroy(pack);
    jr_pack_destroy(NULL);
}

RUN_TESTS(pack_begin, pack_end)
