/* What the functions that carry out works refuse, and structs of other sizes. */
#include "support/fixtures/open_context.h"

enum { COUNT = 12, ROWS = 3, COLUMNS = 4 };

static const int32_t numbers[COUNT], keys[COUNT];
static const void *const arrays[] = {numbers};
static const uint64_t shape[] = {ROWS, COLUMNS};
static const jr_spec sum = {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_I32};
static const jr_segment_layout rows = {.size = sizeof(jr_segment_layout), .kind = JR_SEGMENTS_EQUAL, .length = COLUMNS};
static const jr_axis first_axis = {.size = sizeof(jr_axis), .shape = shape, .dimensions = 2, .axis = 0};

#define OF_SUM(...)   JR_INIT(jr_work, .spec = &sum, __VA_ARGS__)
#define ELEMENTS(...) JR_INIT(jr_work_data, .count = COUNT, __VA_ARGS__)

static void refuses(const opened *device, const jr_work *work, const jr_work_data *data, const char *why) {
    fails(jr_work_run_host(device->context, work, data), JR_ERROR_INVALID_ARGUMENT, why);
}

DEVICE_TEST(members_that_do_not_go_together_are_named) {
    const void *const none[] = {NULL};
    int64_t out[COUNT];
    jr_value value;
    const jr_work reduce = OF_SUM(.kind = JR_WORK_REDUCE), scan = OF_SUM(.kind = JR_WORK_SCAN_INCLUSIVE),
                  of_rows = OF_SUM(.layout = &rows), along = OF_SUM(.axis = &first_axis),
                  part = OF_SUM(.kind = JR_WORK_STATE), merge = OF_SUM(.kind = JR_WORK_MERGE),
                  both = OF_SUM(.layout = &rows, .axis = &first_axis), unknown = OF_SUM(.kind = (jr_work_kind)7),
                  negative = OF_SUM(.kind = (jr_work_kind)-1), nothing = JR_INIT(jr_work, .kind = JR_WORK_REDUCE);
    refuses(device, &reduce, &ELEMENTS(.in = arrays), "data->values is NULL: a reduction without a layout");
    refuses(device, &reduce, &ELEMENTS(.in = arrays, .values = &value, .out = out), "data->out is set");
    refuses(device, &reduce, &ELEMENTS(.values = &value), "data->in is NULL");
    refuses(device, &scan, &ELEMENTS(.in = arrays, .values = &value), "data->values is set");
    refuses(device, &scan, &ELEMENTS(.in = arrays, .out = out, .segments = 2), "data->segments is set");
    refuses(device, &scan, &ELEMENTS(.in = arrays, .out = out, .first = 2), "data->first is set");
    refuses(device, &of_rows, &ELEMENTS(.in = arrays, .segments = 3), "data->out is NULL");
    refuses(device, &of_rows, &ELEMENTS(.in = arrays, .out = out), "segments is 0, but count is 12");
    refuses(device, &of_rows, &ELEMENTS(.in = arrays, .out = out, .segments = 3, .states = 1), "data->states is set");
    refuses(device, &along, &ELEMENTS(.in = arrays, .out = out, .segments = 3), "the shape has 4 of them");
    refuses(device, &part, &ELEMENTS(.in = arrays), "data->out is NULL");
    refuses(device, &part, &ELEMENTS(.in = arrays, .out = out, .values = &value), "data->values is set");
    refuses(device, &part, &ELEMENTS(.in = arrays, .out = out, .first = UINT64_MAX), "more than 64 bits can count");
    refuses(device, &merge, &ELEMENTS(.in = none, .states = 2, .values = &value), "data->in[0] is NULL");
    refuses(device, &merge, &ELEMENTS(.in = arrays, .states = 2, .values = &value, .first = 1), "data->first is set");
    refuses(device, &merge, &ELEMENTS(.in = arrays, .states = 2, .out = out), "data->values is NULL");
    refuses(device, &both, &ELEMENTS(.in = arrays, .out = out), "both set");
    refuses(device, &unknown, &ELEMENTS(.in = arrays, .out = out), "unknown kind of work 7");
    refuses(device, &negative, &ELEMENTS(.in = arrays, .out = out), "unknown kind of work -1");
    refuses(device, &nothing, &ELEMENTS(.in = arrays, .values = &value), "work->spec is NULL");
}

#define LAYOUT(...) JR_INIT(jr_segment_layout, __VA_ARGS__)

/* The same layouts in the names of 0.2, whose programs may set such members. */
DEVICE_TEST(members_that_a_layout_does_not_use_are_named_but_not_in_programs_of_0_2) {
    static const uint64_t offsets[] = {0, 5, COUNT};
    const struct {
        jr_segment_layout layout;
        const char *why;
    } cases[] = {
        {LAYOUT(.kind = JR_SEGMENTS_EQUAL, .length = 4, .inner = 3),
         "layout.inner is set, which JR_SEGMENTS_EQUAL does"},
        {LAYOUT(.kind = JR_SEGMENTS_EQUAL, .length = 4, .key_type = JR_I32), "layout.key_type is set"},
        {LAYOUT(.kind = JR_SEGMENTS_EQUAL, .length = 4, .dimensions = 2), "layout.dimensions is set"},
        {LAYOUT(.kind = JR_SEGMENTS_EQUAL, .length = 4, .shape = {0, 7}), "layout.shape is set"},
        {LAYOUT(.kind = JR_SEGMENTS_STRIDED, .length = 4, .inner = 3, .reduced = 1), "layout.reduced is set"},
        {LAYOUT(.kind = JR_SEGMENTS_OFFSETS, .length = 4), "layout.length is set, which JR_SEGMENTS_OFFSETS does"},
        {LAYOUT(.kind = JR_SEGMENTS_KEYS, .key_type = JR_I32, .length = 4),
         "layout.length is set, which JR_SEGMENTS_K"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const jr_segment_layout *layout = &cases[i].layout;
        const bool by_keys = layout->kind == JR_SEGMENTS_KEYS, by_offsets = layout->kind == JR_SEGMENTS_OFFSETS;
        const jr_work work = OF_SUM(.layout = layout);
        const jr_segments old =
            JR_INIT(jr_segments,
                    .count = by_keys      ? 0
                             : by_offsets ? 2
                                          : 3,
                    .elements = COUNT, .offsets = by_offsets ? offsets : NULL, .keys = by_keys ? keys : NULL);
        int64_t out[COUNT];
        jr_plan *plan = NULL;
        refuses(device, &work, &ELEMENTS(.in = arrays, .out = out, .segments = 3), cases[i].why);
        fails(jr_work_plan_create(device->context, &work, &plan), JR_ERROR_INVALID_ARGUMENT, cases[i].why);
        works(jr_reduce_host_segments(device->context, &sum, layout, arrays, &old, out));
    }
}

DEVICE_TEST(a_plans_run_refuses_what_it_would_not_use) {
    const jr_work reduce = OF_SUM(.kind = JR_WORK_REDUCE), of_rows = OF_SUM(.layout = &rows);
    jr_plan *flat = NULL, *segments = NULL;
    jr_value value;
    const void *const none[] = {NULL};
    works(jr_work_plan_create(device->context, &reduce, &flat));
    works(jr_work_plan_create(device->context, &of_rows, &segments));
    fails(jr_work_plan_run(flat, DATA(.in = none, .values = &value), NULL, NULL), JR_ERROR_INVALID_ARGUMENT,
          "data->values is set");
    fails(jr_work_plan_run(flat, DATA(.in = none, .keys = keys), NULL, NULL), JR_ERROR_INVALID_ARGUMENT,
          "data->keys is set");
    fails(jr_work_plan_run(segments, &ELEMENTS(.in = none), NULL, NULL), JR_ERROR_INVALID_ARGUMENT,
          "segments is 0, but count is 12");
    fails(jr_work_plan_run(flat, &ELEMENTS(.out = &value), NULL, NULL), JR_ERROR_INVALID_ARGUMENT, "data->in is NULL");
    jr_plan_destroy(flat);
    jr_plan_destroy(segments);
}

/* As a program's of a later version, whose structs are longer. */
DEVICE_TEST(longer_structs_of_a_later_version_are_read) {
    struct {
        jr_work_data it;
        uint64_t more[2];
    } later = {.it = ELEMENTS(.in = arrays)};
    const jr_work reduce = OF_SUM(.kind = JR_WORK_REDUCE);
    jr_value value;
    later.it.size = sizeof later;
    later.it.values = &value;
    works(jr_work_run_host(device->context, &reduce, &later.it));
    assert_int_equal(value.as.i64, 0);
    later.more[1] = 1;
    refuses(device, &reduce, &later.it, "update the library");
    later.it.size = 8;
    refuses(device, &reduce, &later.it, "jr_work_data.size is 8");
}

DEVICE_TEST(packs_and_tunings_say_what_they_do_not_take) {
    static const char *const architectures[] = {"compute_75"};
    const jr_pack_options how = JR_INIT(jr_pack_options, .architectures = architectures, .architecture_count = 1);
    const jr_work of_rows = OF_SUM(.layout = &rows), merge = OF_SUM(.kind = JR_WORK_MERGE);
    jr_tuned tuned = JR_INIT(jr_tuned, .count = 0);
    jr_pack *pack = NULL;
    works(jr_pack_create(NULL, &how, &pack));
    fails(jr_work_pack_add(pack, &merge), JR_ERROR_INVALID_ARGUMENT, "JR_WORK_MERGE, which a pack does not take");
    fails(jr_work_tune(device->context, &of_rows, COUNT, NULL, &tuned), JR_ERROR_INVALID_ARGUMENT,
          "work->layout is set, and a tuning takes no segments");
    jr_pack_destroy(pack);
}

RUN_TESTS(open_context, close_context)
