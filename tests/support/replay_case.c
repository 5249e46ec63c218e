/* Makes a captured launch without a device. */
#include "support/replay_case.h"

#include <stdio.h>
#include <string.h>

#include "kernel/launch_file.h"

const unsigned char replay_case_before[REPLAY_CASE_BYTES] = {1, 2, 3};
static const jr_named_text constant = {"STEP", "3"};
const jr_program replay_case_program = {.size = sizeof(jr_program),
                                        .name = "add.cu",
                                        .source =
                                            "extern \"C\" __global__ void add(int *x, int n) { *x += n * STEP; }\n",
                                        .entry = "add",
                                        .constants = &constant,
                                        .constant_count = 1};

static const char ptx[] = ".version 7.0\n.target sm_80\n.address_size 64\n"
                          ".visible .entry add(.param .u64 x, .param .u32 n)\n{\nret;\n}\n";

void replay_case_write(const char *folder, const char *name) {
    static const uint64_t address = 0x7000;
    static const int32_t number = 5;
    unsigned char after[REPLAY_CASE_BYTES];
    memcpy(after, replay_case_before, sizeof after);
    after[4] = 15;
    jr_replay_argument arguments[] = {{&address, sizeof address, 0, 4, "u64"}, {&number, sizeof number, -1, 0, "u32"}};
    jr_replay_buffer buffer = {REPLAY_CASE_BYTES, replay_case_before, after};
    jr_replay launch = {.info = {.grid = {2, 1, 1},
                                 .block = {32, 1, 1},
                                 .shared_bytes = 8,
                                 .argument_count = 2,
                                 .buffer_count = 1,
                                 .device = "a device"},
                        .arguments = arguments,
                        .buffers = &buffer};
    jr_text program = {0};
    assert_int_equal(jr_image_read_ptx(ptx, "add", &launch.image), JR_OK);
    jr_launch_file_put_program(&program, &replay_case_program);
    assert_int_equal(jr_launch_file_write(&launch, &program, folder, name), JR_OK);
    jr_text_free(&program);
    jr_image_destroy(launch.image);
}
