/* Specs: what is checked before anything is done, and the algorithm and tuning that are chosen for them. */
#include <string.h>

#include "plan/algorithms.h"
#include "plan/choice.h"
#include "plan/estimate.h"
#include "spec/reduction.h"
#include "spec/tuning.h"
#include "support/every/every_row.h"
#include "support/fixtures/check.h"

static const jr_spec plain = {.size = sizeof(jr_spec), .op = JR_OP_MIN, .type = JR_F32};

static void refused(const jr_spec *spec, jr_status status, const char *why) {
    jr_reduction untouched, *reduction = &untouched;
    assert_int_equal(jr_reduction_create(spec, &reduction), status);
    assert_ptr_equal(reduction, &untouched);
    assert_told(why);
}

static void taken(const jr_spec *spec, jr_type wanted) {
    jr_reduction *reduction = NULL;
    assert_int_equal(jr_reduction_create(spec, &reduction), JR_OK);
    assert_int_equal(reduction->outputs[0].type, wanted);
    jr_reduction_destroy(reduction);
}

TEST(operators_and_types_that_are_none_are_refused) {
    jr_spec spec = JR_INIT(jr_spec);
    refused(NULL, JR_ERROR_INVALID_ARGUMENT, "spec is NULL");
    refused(&spec, JR_ERROR_INVALID_ARGUMENT, "unknown operator 0");
    spec.op = (jr_op)99;
    refused(&spec, JR_ERROR_INVALID_ARGUMENT, "unknown operator 99");
    spec.op = JR_OP_SUM;
    refused(&spec, JR_ERROR_INVALID_ARGUMENT, "unknown element type 0");
    spec.type = (jr_type)-1;
    refused(&spec, JR_ERROR_INVALID_ARGUMENT, "unknown element type -1");
    spec = JR_INIT(jr_spec, .op = JR_OP_XOR, .type = JR_F64);
    refused(&spec, JR_ERROR_UNSUPPORTED_TYPE, "operator xor does not take f64");
}

TEST(numbers_out_of_range_are_refused_by_name) {
    static const int unrolls[] = {-1, 17, 1000}, blocks[] = {-32, 1, 31, 33, 1000, 1056, 2048}, grids[] = {-1, 65536};
    for (size_t i = 0; i < 3; i++) {
        jr_spec spec = plain;
        spec.unroll = unrolls[i];
        refused(&spec, JR_ERROR_INVALID_ARGUMENT, "unroll factor");
    }
    for (size_t i = 0; i < 7; i++) {
        jr_spec spec = plain;
        spec.block = blocks[i];
        refused(&spec, JR_ERROR_INVALID_ARGUMENT, "block of");
    }
    for (size_t i = 0; i < 2; i++) {
        jr_spec spec = plain;
        spec.grid = grids[i];
        refused(&spec, JR_ERROR_INVALID_ARGUMENT, "grid of");
    }
    for (int blocks_wrong = -1; blocks_wrong <= 65; blocks_wrong += 66) {
        jr_spec spec = plain;
        spec.blocks_per_multiprocessor = blocks_wrong;
        refused(&spec, JR_ERROR_INVALID_ARGUMENT, "blocks per multiprocessor are out of range: 1 to 64");
    }
    jr_spec spec = plain;
    spec.shared = (jr_shared)3;
    refused(&spec, JR_ERROR_INVALID_ARGUMENT, "shared memory choice 3");
    spec.shared = (jr_shared)-1;
    refused(&spec, JR_ERROR_INVALID_ARGUMENT, "shared memory choice -1");
}

TEST(everything_in_range_is_taken) {
    taken(&plain, JR_F32);
    for (int unroll = 0; unroll <= JR_UNROLL_MAX; unroll++)
        for (int block = 0; block <= JR_BLOCK_MAX; block += JR_BLOCK_STEP) {
            const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .unroll = unroll, .block = block,
                                         .grid = JR_GRID_MAX);
            taken(&spec, JR_I64);
        }
}

TEST(an_initial_value_must_have_the_result_type) {
    jr_value initial = {JR_I32, {.i32 = 1}};
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32, .initial = &initial);
    refused(&spec, JR_ERROR_INVALID_ARGUMENT, "of type i32: it must be of the result type, i64");
    initial.type = JR_I64;
    taken(&spec, JR_I64);
    initial.type = JR_TYPE_NONE;
    refused(&spec, JR_ERROR_INVALID_ARGUMENT, "of type none");
    spec.op = JR_OP_MAX;
    initial.type = JR_I32;
    taken(&spec, JR_I32);
}

/* What a caller may do with its memory once a reduction is made. */
TEST(a_reduction_keeps_nothing_of_the_callers_memory) {
    char map[] = "x.key * k", where[] = "x.id > 0", finish[] = "a + 1", name[] = "k", type[] = "pair",
         source[] = "struct pair { float key; int id; };";
    jr_structure structure = JR_INIT(jr_structure, .name = type, .source = source, .bytes = 8, .alignment = 4);
    jr_parameter parameters[] = {{.name = name, .value = {JR_F32, {.f32 = 2}}}};
    jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_STRUCT, .map = map, .map_type = JR_F32, .where = where,
                           .finish = finish, .structure = &structure, .parameters = parameters, .parameter_count = 1);
    jr_op ops[] = {JR_OP_MIN, JR_OP_MAX};
    jr_value initial = {JR_F32, {.f32 = 5}};
    jr_spec list = JR_INIT(jr_spec, .ops = ops, .op_count = 2, .type = JR_F32),
            begun = JR_INIT(jr_spec, .op = JR_OP_MIN, .type = JR_F32);
    jr_reduction *one = NULL, *two = NULL, *three = NULL;
    begun.initial = &initial;
    assert_int_equal(jr_reduction_create(&spec, &one), JR_OK);
    assert_int_equal(jr_reduction_create(&list, &two), JR_OK);
    assert_int_equal(jr_reduction_create(&begun, &three), JR_OK);
    memset(map, '?', sizeof map), memset(where, '?', sizeof where), memset(finish, '?', sizeof finish);
    memset(name, '?', sizeof name), memset(type, '?', sizeof type), memset(source, '?', sizeof source);
    memset(&structure, 0, sizeof structure), memset(parameters, 0, sizeof parameters), memset(ops, 0, sizeof ops);
    memset(&initial, 0, sizeof initial);
    assert_string_equal(one->spec.map, "x.key * k");
    assert_string_equal(one->spec.where, "x.id > 0");
    assert_string_equal(one->spec.finish, "a + 1");
    assert_string_equal(one->spec.structure->name, "pair");
    assert_string_equal(one->spec.structure->source, "struct pair { float key; int id; };");
    assert_string_equal(one->spec.parameters[0].name, "k");
    assert_true(one->spec.parameters[0].value.as.f32 == 2);
    assert_int_equal(two->spec.ops[1], JR_OP_MAX);
    assert_true(three->spec.initial->as.f32 == 5);
    jr_reduction *shared = jr_reduction_share(one);
    jr_reduction_destroy(one);
    assert_string_equal(shared->spec.map, "x.key * k");
    jr_reduction_destroy(shared);
    jr_reduction_destroy(two);
    jr_reduction_destroy(three);
}

static jr_status choose(jr_algorithm algorithm, int grid, int multiprocessors, const char **name) {
    const jr_device_info device = JR_INIT(jr_device_info, .multiprocessor_count = multiprocessors);
    jr_reduction reduction = {.commutative = true, .inputs = {{.bytes = 4}}};
    const jr_job job = {
        .device = &device, .reduction = &reduction, .requested = {.algorithm = algorithm, .grid = grid}};
    jr_choice choice = {.row = NULL};
    const jr_status status = jr_choice_make(&job, &choice);
    *name = choice.row != NULL ? choice.row->name : "none";
    return status;
}

TEST(single_pass_is_chosen_where_two_blocks_run_at_once) {
    const char *name;
    assert_int_equal(choose(JR_ALGORITHM_AUTO, 0, 132, &name), JR_OK);
    assert_string_equal(name, "single_pass");
    assert_int_equal(choose(JR_ALGORITHM_AUTO, 0, 1, &name), JR_OK);
    assert_string_equal(name, "two_pass");
    assert_int_equal(choose(JR_ALGORITHM_AUTO, 1, 1, &name), JR_OK);
    assert_string_equal(name, "single_pass");
}

TEST(an_algorithm_that_cannot_do_it_says_what_it_needs) {
    const char *name;
    assert_int_equal(choose(JR_ALGORITHM_ONE_BLOCK, 2, 8, &name), JR_ERROR_NOT_APPLICABLE);
    assert_non_null(strstr(jr_last_error()->message, "one_block needs"));
    assert_string_equal(name, "none");
    assert_int_equal(choose(JR_ALGORITHM_SINGLE_PASS, 2, 1, &name), JR_ERROR_NOT_APPLICABLE);
    assert_non_null(strstr(jr_last_error()->message, "two multiprocessors"));
    assert_int_equal(choose((jr_algorithm)99, 0, 8, &name), JR_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(jr_last_error()->message, "unknown algorithm 99"));
    assert_int_equal(choose(JR_ALGORITHM_ONE_BLOCK, 1, 1, &name), JR_OK);
    assert_string_equal(name, "one_block");
}

TEST(what_a_spec_sets_is_kept_and_the_rest_is_in_range) {
    for (size_t i = 0; i < EVERY_ALGORITHMS; i++) {
        const jr_algorithm_row *row = jr_algorithms_find(every_algorithm[i], JR_JOB_FLAT);
        jr_reduction reduction = {.inputs = {{.bytes = 4}}, .accumulator_bytes = 4};
        const jr_device_info device =
            JR_INIT(jr_device_info, .shared_bytes_per_block = 49152, .shared_bytes_per_block_optin = 232448);
        jr_job job = {.device = &device, .reduction = &reduction};
        jr_tuning tuning = {0};
        assert_int_equal(jr_estimate_tuning(&job, row, &tuning), JR_OK);
        assert_int_equal(tuning.algorithm, every_algorithm[i]);
        assert_in_range(tuning.unroll, 1, JR_UNROLL_MAX);
        assert_in_range(tuning.block, JR_BLOCK_STEP, JR_BLOCK_MAX);
        assert_int_equal(tuning.block % JR_BLOCK_STEP, 0);
        assert_int_equal(tuning.grid, every_algorithm[i] == JR_ALGORITHM_ONE_BLOCK);
        job.requested = (jr_requested_tuning){.unroll = 3, .block = 96, .shared = JR_SHARED_DYNAMIC};
        assert_int_equal(jr_estimate_tuning(&job, row, &tuning), JR_OK);
        assert_int_equal(tuning.unroll, 3);
        assert_int_equal(tuning.block, 96);
        assert_true(tuning.shared_dynamic);
    }
}

TEST(a_block_that_needs_more_shared_memory_than_there_is_is_refused_or_made_smaller) {
    const jr_algorithm_row *row = jr_algorithms_find(JR_ALGORITHM_TWO_PASS, JR_JOB_FLAT);
    jr_reduction reduction = {.inputs = {{.bytes = 64}}, .accumulator_bytes = 64};
    const jr_device_info device = JR_INIT(jr_device_info, .shared_bytes_per_block = 16384);
    jr_job job = {.device = &device, .reduction = &reduction};
    jr_tuning tuning = {0};
    assert_int_equal(jr_estimate_tuning(&job, row, &tuning), JR_OK);
    assert_int_equal(tuning.block, 256);
    job.requested.block = 288;
    assert_int_equal(jr_estimate_tuning(&job, row, &tuning), JR_ERROR_LAUNCH_RESOURCES);
    assert_int_equal(tuning.block, 256);
    assert_non_null(strstr(jr_last_error()->message, "288 threads needs 18432 bytes of shared memory, 64 a thread; the "
                                                     "device has 16384"));
}

TEST(a_wave_is_resident_at_once_and_never_empty) {
    const jr_device_info device = JR_INIT(jr_device_info, .multiprocessor_count = 132);
    const jr_algorithm_row *row = jr_algorithms_find(JR_ALGORITHM_SINGLE_PASS, JR_JOB_FLAT);
    for (int block = JR_BLOCK_STEP; block <= JR_BLOCK_MAX; block += JR_BLOCK_STEP)
        for (int occupancy = 1; occupancy <= 32; occupancy++) {
            const jr_tuning tuning = {.unroll = 4, .block = block};
            const int wave = jr_estimate_wave(row, &tuning, &device, occupancy);
            assert_in_range(wave, 132, 132 * occupancy);
        }
    for (int asked = 1; asked <= JR_BLOCKS_PER_MULTIPROCESSOR_MAX; asked++) {
        const jr_tuning tuning = {.unroll = 4, .block = 256, .blocks_per_multiprocessor = asked};
        assert_int_equal(jr_estimate_wave(row, &tuning, &device, 6), 132 * (asked < 6 ? asked : 6));
    }
    const jr_device_info huge = JR_INIT(jr_device_info, .multiprocessor_count = 100000);
    assert_int_equal(jr_estimate_wave(row, &(jr_tuning){.unroll = 1, .block = 32}, &huge, 32), JR_GRID_MAX);
}

TEST(the_public_check_gives_the_type_of_each_result) {
    const jr_op ops[] = {JR_OP_MIN, JR_OP_ARGMIN, JR_OP_MEAN, JR_OP_SUM};
    const jr_spec list = JR_INIT(jr_spec, .ops = ops, .op_count = 4, .type = JR_I16),
                  wrong = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .unroll = 99);
    const jr_spec asked = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32, .accumulate = JR_F64);
    jr_type types[JR_OPS_MAX] = {JR_TYPE_NONE};
    assert_int_equal(jr_reduce_check(&wrong, types), JR_ERROR_INVALID_ARGUMENT);
    assert_int_equal(jr_reduce_check(NULL, types), JR_ERROR_INVALID_ARGUMENT);
    assert_int_equal(types[0], JR_TYPE_NONE);
    assert_int_equal(jr_reduce_check(&list, types), JR_OK);
    assert_int_equal(types[0], JR_I16);
    assert_int_equal(types[1], JR_I64);
    assert_int_equal(types[2], JR_F64);
    assert_int_equal(types[3], JR_I64);
    assert_int_equal(types[4], JR_TYPE_NONE);
    assert_int_equal(jr_reduce_check(&asked, types), JR_OK);
    assert_int_equal(types[0], JR_F64);
    assert_int_equal(jr_reduce_check(&asked, NULL), JR_OK);
}

RUN_TESTS(NULL, NULL)
