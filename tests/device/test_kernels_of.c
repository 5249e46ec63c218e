/* Several kernels of one program: one compile, one entry in the cache or in a pack, one module. */
/* cache: own */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/kernel_case.h"
#include "support/fixtures/pack_case.h"
#include "support/fixtures/scratch.h"

static const char counter_source[] = "namespace ours {\n"
                                     "__device__ int count;\n"
                                     "template <class T, int BY> __global__ void add(T) { count += BY; }\n"
                                     "}\n"
                                     "extern \"C\" __global__ void answer(int *out) { *out = ours::count; }\n";
static const jr_program counter = {.size = sizeof(jr_program), .name = "counter.cu", .source = counter_source};
enum { KERNELS = 3 };
static const char *const names[KERNELS] = {"ours::add<int, 3>", "answer", "ours::add<float, 4>"};
static const char list[] = " ours::add<int, 3> ;answer;ours::add<float, 4>";

/* The kernels work on one variable. */
static void add_up(const opened *device, jr_kernel *const kernels[KERNELS]) {
    const jr_launch one = JR_INIT(jr_launch, .grid = {1}, .block = {1});
    int unused = 0;
    const int before = kernel_answer(device, kernels[1]);
    works(jr_kernel_launch(kernels[0], &one, (void *[]){&unused}));
    works(jr_kernel_launch(kernels[2], &one, (void *[]){&unused}));
    assert_int_equal(kernel_answer(device, kernels[1]) - before, 7);
}

static void have_their_names(jr_kernel *const kernels[KERNELS]) {
    assert_string_equal(jr_kernel_name(kernels[0]), "_ZN4ours3addIiLi3EEEvT_");
    assert_string_equal(jr_kernel_name(kernels[1]), "answer");
    assert_string_equal(jr_kernel_name(kernels[2]), "_ZN4ours3addIfLi4EEEvT_");
    for (int i = 0; i < KERNELS; i++) {
        jr_kernel_parameter parameter;
        size_t count;
        works(jr_kernel_parameters(kernels[i], &parameter, 1, &count));
        assert_int_equal(count, 1);
        assert_int_equal(parameter.bytes, i == 1 ? 8 : 4);
        assert_string_equal(parameter.type, i == 2 ? "f32" : i == 1 ? "u64" : "u32");
    }
}

TEST(kernels_of_a_program_are_compiled_once_and_share_its_variables) {
    const opened *device = *state;
    jr_kernel *kernels[KERNELS], *again[KERNELS];
    const uint64_t before = pack_counters(device).compiles;
    works(jr_kernels_of(device->context, &counter, names, KERNELS, kernels));
    assert_int_equal(pack_counters(device).compiles - before, 1);
    have_their_names(kernels);
    add_up(device, kernels);
    works(jr_kernels_of(device->context, &counter, names, KERNELS, again));
    assert_memory_equal(kernels, again, sizeof kernels);
    assert_int_equal(pack_origin(device), JR_ORIGIN_MEMORY);
}

TEST(another_context_finds_them_all_in_the_cache) {
    const opened *device = *state;
    jr_kernel *kernels[KERNELS];
    works(jr_kernels_of(device->context, &counter, names, KERNELS, kernels));
    const jr_options plain = JR_INIT(jr_options, .packs = "");
    opened other = pack_open(device, plain);
    works(jr_kernels_of(other.context, &counter, names, KERNELS, kernels));
    assert_int_equal(pack_origin(&other), JR_ORIGIN_DISK);
    assert_int_equal(pack_counters(&other).disk_hits, 1);
    have_their_names(kernels);
    add_up(&other, kernels);
    jr_context_close(other.context);
}

TEST(a_pack_has_them_however_the_list_is_spelled) {
    const opened *device = *state;
    jr_program listed = counter;
    jr_kernel *kernels[KERNELS];
    jr_pack *pack = pack_for(device);
    listed.entry = list;
    works(jr_pack_add(pack, &listed));
    pack_write(pack);
    opened packed = pack_open(device, pack_hidden);
    works(jr_kernels_of(packed.context, &counter, names, KERNELS, kernels));
    assert_int_equal(pack_origin(&packed), JR_ORIGIN_PACK);
    have_their_names(kernels);
    add_up(&packed, kernels);
    jr_context_close(packed.context);
}

TEST(an_image_of_several_kernels_gives_them_all) {
    const opened *device = *state;
    jr_program listed = counter;
    jr_image *image, *read;
    jr_kernel *kernels[KERNELS] = {NULL}, *only = NULL;
    size_t bytes, count = 0;
    listed.entry = list;
    works(jr_image_compile_for(device->context, &listed, &image));
    const void *data = jr_image_data(image, &bytes);
    works(jr_image_read(data, bytes, &read));
    jr_image_destroy(image);
    works(jr_kernels_load(device->context, read, NULL, 0, &count));
    assert_int_equal(count, KERNELS);
    works(jr_kernels_load(device->context, read, kernels, 2, &count));
    assert_int_equal(count, KERNELS);
    assert_null(kernels[2]);
    works(jr_kernels_load(device->context, read, kernels, KERNELS, &count));
    have_their_names(kernels);
    add_up(device, kernels);
    fails(jr_kernel_load(device->context, read, &only), JR_ERROR_INVALID_ARGUMENT, "get them by jr_kernels_load");
    jr_image_destroy(read);
    works(jr_image_compile(
        NULL, &(jr_program){.size = sizeof(jr_program), .name = "one", .source = counter_source, .entry = "answer"},
        "compute_90", &image));
    works(jr_kernels_load(device->context, image, kernels, KERNELS, &count));
    assert_int_equal(count, 1);
    jr_image_destroy(image);
}

TEST(a_name_that_is_wrong_is_the_one_that_is_told) {
    const opened *device = *state;
    jr_kernel *kernels[2] = {NULL};
    static const char *const wrong[] = {"answer", "anser"}, *const instance[] = {"answer", "ours::add<floot, 3>"};
    fails(jr_kernels_of(device->context, &counter, wrong, 2, kernels), JR_ERROR_COMPILE,
          "has no kernel anser; did you mean answer?");
    fails(jr_kernels_of(device->context, &counter, instance, 2, kernels), JR_ERROR_COMPILE,
          "has no kernel ours::add<floot, 3>; ours::add is a template");
    assert_null(kernels[0]);
}

TEST(lists_that_are_no_lists_are_refused) {
    const opened *device = *state;
    jr_context *context = device->context;
    jr_kernel *kernels[2] = {NULL};
    jr_program listed = counter;
    static const char *const none[] = {"answer", NULL}, *const empty[] = {" ", "answer"}, *const two[] = {"a; b"},
                             *const twice[] = {"answer", "answer"};
    works(jr_kernels_of(context, &counter, NULL, 0, NULL));
    fails(jr_kernels_of(context, &counter, NULL, 1, kernels), JR_ERROR_INVALID_ARGUMENT, "entries is NULL");
    fails(jr_kernels_of(context, &counter, names, 1, NULL), JR_ERROR_INVALID_ARGUMENT, "kernels is NULL");
    fails(jr_kernels_of(context, NULL, names, 1, kernels), JR_ERROR_INVALID_ARGUMENT, "program is NULL");
    fails(jr_kernels_of(context, &counter, none, 2, kernels), JR_ERROR_INVALID_ARGUMENT, "entries[1] is NULL");
    fails(jr_kernels_of(context, &counter, empty, 2, kernels), JR_ERROR_INVALID_ARGUMENT, "entries[0] is ' '");
    fails(jr_kernels_of(context, &counter, two, 1, kernels), JR_ERROR_INVALID_ARGUMENT, "entries[0] is 'a; b'");
    fails(jr_kernels_of(context, &counter, twice, 2, kernels), JR_ERROR_INVALID_ARGUMENT, "name answer twice");
    listed.entry = list;
    fails(jr_kernel_get(context, &listed, kernels), JR_ERROR_INVALID_ARGUMENT, "get them by jr_kernels_of");
    jr_image *image = NULL;
    listed.entry = "answer;";
    fails(jr_image_compile_for(context, &listed, &image), JR_ERROR_INVALID_ARGUMENT, "have an empty name");
}

/* ---- captured launches ---- */

static char folder[SCRATCH_BYTES];

static int begin_capture(void **state) {
    scratch_make(folder);
    if (setenv("JITREDUCE_CAPTURE", folder, 1) != 0) return -1;
    return open_context(state);
}

static int end_capture(void **state) {
    unsetenv("JITREDUCE_CAPTURE");
    scratch_remove(folder);
    return close_context(state);
}

TEST_BETWEEN(a_captured_launch_is_of_one_of_them, begin_capture, end_capture) {
    const opened *device = *state;
    jr_kernel *kernels[KERNELS], *kernel;
    jr_replay *replay;
    works(jr_kernels_of(device->context, &counter, names, KERNELS, kernels));
    add_up(device, kernels);
    works(jr_replay_open(scratch_path(folder, "answer.4.jrlaunch"), &replay));
    const jr_image *image = jr_replay_image(replay);
    assert_string_equal(jr_replay_program(replay)->entry, "answer");
    works(jr_kernel_load(device->context, image, &kernel));
    assert_string_equal(jr_kernel_name(kernel), "answer");
    jr_replay_close(replay);
    works(jr_replay_open(scratch_path(folder, "_ZN4ours3addIfLi4EEEvT_.3.jrlaunch"), &replay));
    assert_string_equal(jr_replay_program(replay)->entry, "ours::add<float, 4>");
    jr_replay_close(replay);
}

RUN_TESTS(pack_begin, pack_end)
