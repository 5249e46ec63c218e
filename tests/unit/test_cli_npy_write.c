/* The .npy writer: what it writes is read back, and a file is written whole or not at all. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli_error.h"
#include "input/readers.h"
#include "io/data.h"
#include "npy/npy_header.h"
#include "npy/npy_write.h"
#include "support/fixtures/check.h"
#include "support/fixtures/scratch.h"

static int make_folder(void **state) {
    static char folder[SCRATCH_BYTES];
    scratch_make(folder);
    *state = folder;
    return 0;
}

static int remove_folder(void **state) {
    scratch_remove(*state);
    return 0;
}

/* Writes data, and reads it back with the reader of the command. */
static void assert_round_trip(const char *folder, const cli_data *data) {
    const char *path = scratch_path(folder, "a.npy");
    size_t size;
    cli_data found = {0};
    cli_error error = {0};
    assert_int_equal(cli_npy_write("--output", path, data, &error), CLI_OK);
    char *bytes = scratch_read(path, &size);
    const cli_bytes file = {.name = "a.npy", .data = bytes, .size = size};
    assert_int_equal(cli_read_npy(&file, data->type, &found, &error), CLI_OK);
    assert_int_equal(found.count, data->count);
    assert_int_equal(found.shape.dimensions, data->shape.dimensions);
    assert_memory_equal(found.shape.sizes, data->shape.sizes, sizeof found.shape.sizes);
    assert_memory_equal(found.elements, data->elements, data->count * jr_type_size(data->type));
    assert_int_equal((size - data->count * jr_type_size(data->type)) % 64, 0);
    cli_data_free(&found);
    free(bytes);
}

TEST_BETWEEN(every_type_that_numpy_has_is_read_back, make_folder, remove_folder) {
    static const _Alignas(8) unsigned char elements[3 * 8] = {1, 0, 1, 7, 9, 60};
    (void)state;
#define ROUND_TRIP(name, number, text)                                                                                 \
    if (cli_npy_kind(JR_##name) != '\0' && JR_##name != JR_BOOL)                                                       \
        assert_round_trip(*state, &(cli_data){JR_##name, 3, elements, NULL, cli_shape_flat(3)});
    JR_TYPES(ROUND_TRIP)
#undef ROUND_TRIP
    assert_round_trip(*state, &(cli_data){JR_BOOL, 3, elements, NULL, cli_shape_flat(3)});
}

TEST_BETWEEN(every_number_of_dimensions_is_read_back, make_folder, remove_folder) {
    static const int32_t elements[6] = {1, 2, 3, 4, 5, 6};
    const uint64_t most = UINT64_MAX;
    for (int dimensions = 0; dimensions <= JR_DIMENSIONS_MAX; dimensions++) {
        cli_data data = {.type = JR_I32, .count = dimensions ? 6 : 1, .elements = elements};
        data.shape.dimensions = dimensions;
        for (int i = 0; i < dimensions; i++) data.shape.sizes[i] = i + 1 == dimensions ? 6 : 1;
        assert_round_trip(*state, &data);
    }
    assert_round_trip(
        *state,
        &(cli_data){.type = JR_I32, .elements = elements, .shape = {8, {most, most, most, most, most, most, most, 0}}});
}

TEST(bf16_and_structs_are_refused_with_a_reason) {
    cli_error error = {0};
    (void)state;
    assert_int_equal(cli_npy_check_type(JR_BF16, &error), CLI_USAGE);
    assert_string_equal(error.message, "--output: NumPy has no bf16; give --result f32");
    assert_int_equal(cli_npy_check_type(JR_STRUCT, &error), CLI_USAGE);
    assert_string_equal(error.message, "--output: an .npy file cannot hold structs; .csv, .tsv, .json and .txt can");
    assert_int_equal(cli_npy_check_type(JR_F16, &error), CLI_OK);
}

/* 0: what was there is there still, and nothing else. */
static int overfill(void *user) {
    static uint64_t elements[1 << 16];
    const char *path = user;
    char text[8] = "";
    cli_error error = {0};
    FILE *file = fopen(path, "w");
    if (file == NULL || fputs("before", file) < 0 || fclose(file) != 0) return 1;
    const cli_data data = {JR_U64, 1 << 16, elements, NULL, cli_shape_flat(1 << 16)};
    if (cli_npy_write("--output", path, &data, &error) != CLI_FAILURE) return 2;
    if (strstr(error.message, "cannot be written: No space left on device") == NULL) return 3;
    file = fopen(path, "r");
    if (file == NULL || fgets(text, sizeof text, file) == NULL || fclose(file) != 0) return 4;
    return strcmp(text, "before") == 0 ? 0 : 5;
}

TEST_BETWEEN(a_full_disk_leaves_the_file_that_was_there, make_folder, remove_folder) {
    const char *folder = *state;
    char path[SCRATCH_BYTES + 16];
    snprintf(path, sizeof path, "%s/a.npy", folder);
    const int result = scratch_in_small_file_system(folder, 64, overfill, path);
    if (result < 0) {
        print_message("skipped: no file system of our own can be had here\n");
        skip();
    }
    assert_int_equal(result, 0);
}

TEST_BETWEEN(a_failure_leaves_no_temporary_file, make_folder, remove_folder) {
    static const int32_t one[1] = {1};
    const cli_data data = {JR_I32, 1, one, NULL, cli_shape_flat(1)};
    cli_error error = {0};
    char message[SCRATCH_BYTES + 128];
    scratch_folder(scratch_path(*state, "folder"));
    const char *path = scratch_path(*state, "folder");
    assert_int_equal(cli_npy_write("--output", path, &data, &error), CLI_FAILURE);
    snprintf(message, sizeof message, "--output: %s: exists and is not a regular file", path);
    assert_string_equal(error.message, message);
    path = scratch_path(*state, "no/such.npy");
    assert_int_equal(cli_npy_write("--output", path, &data, &error), CLI_FAILURE);
    snprintf(message, sizeof message, "--output: %s: cannot be written: No such file or directory", path);
    assert_string_equal(error.message, message);
    assert_int_equal(scratch_count(*state), 1);
}

RUN_TESTS(NULL, NULL)
