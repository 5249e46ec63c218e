/* Tests of the names of devices: which are a group, and who takes one. */
#include "io/cli_device.h"
#include "support/fixtures/check.h"

TEST(commands_of_one_device_refuse_a_group) {
    const cli_options four = {.device = "sim:4"}, one = {.device = "cuda:4"},
                      axis = {.device = "sim:4", .axis_count = 1}, keyed = {.device = "sim:4", .keys = "k.npy"},
                      ranks = {.device = "sim", .keys = "k.npy", .mpi = true};
    cli_error error;
    assert_int_equal(cli_device_check(&four, CLI_SCOPE_TUNE, "tune", &error), CLI_USAGE);
    assert_string_equal(error.message,
                        "--device: 'sim:4' is a group of devices, and 'tune' works on one: cuda:N or sim");
    assert_int_equal(cli_device_check(&axis, CLI_SCOPE_REDUCE, "reduce", &error), CLI_OK);
    assert_int_equal(cli_device_check(&axis, CLI_SCOPE_SCAN, "scan", &error), CLI_OK);
    assert_int_equal(cli_device_check(&keyed, CLI_SCOPE_REDUCE, "reduce", &error), CLI_OK);
    assert_int_equal(cli_device_check(&ranks, CLI_SCOPE_REDUCE, "reduce", &error), CLI_USAGE);
    assert_string_equal(error.message, "--mpi: keys go through one device of one process");
    assert_int_equal(cli_device_check(&four, CLI_SCOPE_REDUCE, "reduce", &error), CLI_OK);
    assert_int_equal(cli_device_check(&four, CLI_SCOPE_BENCH, "bench", &error), CLI_OK);
    assert_int_equal(cli_device_check(&four, CLI_SCOPE_DOCTOR, "doctor", &error), CLI_OK);
    assert_int_equal(cli_device_check(&one, CLI_SCOPE_TUNE, "tune", &error), CLI_OK);
}

TEST(lists_and_counts_and_all_are_a_group) {
    static const struct {
        const char *device;
        bool is_group;
    } cases[] = {{"cuda:all", true}, {"cuda:0,2", true}, {"sim:4", true},  {"sim:1", true}, {"sim:all", true},
                 {"sim:0,0", true},  {"cuda:4", false},  {"sim#1", false}, {"auto", false}, {"sim", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(cli_device_is_group(&(cli_options){.device = cases[i].device}), cases[i].is_group);
}

RUN_TESTS(NULL, NULL)
