/* Every operator, type and expression over several devices and ranks: exactly what a plan of merges makes of the states
 * of the parts, in their order, on numbers whose sums round.
 *
 * A sample; with JR_TESTS=whole all pairs of operator and type, each with every sort of expression that it takes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/every/every_row.h"
#include "support/fixtures/allreduce_case.h"
#include "support/fixtures/rank_case.h"
#include "support/oracle/element.h"
#include "support/oracle/reduce_data.h"

enum { COUNT = 5003, ARRAYS = 2, ELEMENT_MAX = 8, STATE_MAX = 1024, RESULT_MAX = 16, EACH = 2, SAMPLE = 61 };
enum { PLAIN, IGNORES_NAN, MAPS, SELECTS, FINISHES, BEGINS, SORTS };

/* Where parts begin: some are empty or have one element. */
static void cut(size_t count, uint64_t begins[GROUP_DEVICES + 1]) {
    static const uint64_t seven[] = {0, 1, 1, 1500, 1501, 3000, 4990};
    for (size_t i = 0; i < count; i++) begins[i] = seven[i];
    begins[count] = COUNT;
}

/* One reduction, what it is to be, and the data: on the device under test, and on each of the devices that meet. */
typedef struct subject {
    const opened *device;
    jr_spec spec;
    jr_value initial;
    size_t element;
    unsigned char *host[ARRAYS], *d_data[ARRAYS], *d_states;
    unsigned char wanted[RESULT_MAX];
    uint64_t begins[GROUP_DEVICES + 1];
    dealt met;
    void *d_met[DEALT_DEVICES][ARRAYS];
    char what[128];
} subject;

/* False: the operator takes none of this type. Whether it takes such an expression, the library says. */
static bool make_spec(jr_op op, jr_type type, int sort, subject *of) {
    static const char *const sorts[] = {"plain", "nan ignored", "map", "where", "finish", "initial"};
    jr_type result = type;
    of->spec = JR_INIT(jr_spec, .op = op, .type = type);
    if (op != JR_OP_CUSTOM && jr_result_type(op, type, &result) != JR_OK) return false;
    if (op == JR_OP_CUSTOM) {
        of->spec.combine = "b == 0 ? a : b"; /* the last that is not 0 */
        of->spec.identity = "0";
    }
    of->initial = (jr_value){.type = result};
    of->element = element_bytes(type);
    if (sort == IGNORES_NAN) of->spec.nan = JR_NAN_IGNORE;
    if (sort == MAPS) of->spec.map = op == JR_OP_DOT ? "x - y" : "i % 2 == 0 ? x : -x";
    if (sort == SELECTS) of->spec.where = "i % 3 != 1";
    if (sort == FINISHES) of->spec.finish = "n > 3 ? a : -a";
    if (sort == BEGINS) of->spec.initial = &of->initial;
    snprintf(of->what, sizeof of->what, "%s of %s, %s", jr_op_name(op), jr_type_name(type), sorts[sort]);
    return true;
}

static void fill(int sort, uint64_t *seed, const subject *of) {
    for (size_t k = 0; k < ARRAYS; k++) {
        reduce_data_fill(of->spec.op, of->spec.type, false, of->host[k], COUNT, seed);
        if (sort == IGNORES_NAN) reduce_data_sprinkle_nan(of->spec.type, of->host[k], COUNT, 50, seed);
        device_write(of->device, of->d_data[k], of->host[k], COUNT * of->element);
        for (size_t i = 0; i < of->met.count; i++)
            works(
                jr_memory_write(jr_group_context(of->met.group, i), of->d_met[i][k], of->host[k], COUNT * of->element));
    }
}

/* ---- what is expected ---- */

static void write_states(const subject *of, jr_plan *states, size_t count, size_t bytes) {
    unsigned char one[STATE_MAX];
    for (size_t i = 0; i < count; i++) {
        const void *in[ARRAYS];
        for (size_t k = 0; k < ARRAYS; k++) in[k] = of->d_data[k] + of->begins[i] * of->element;
        const jr_work_data part = JR_INIT(jr_work_data, .in = in, .count = of->begins[i + 1] - of->begins[i],
                                          .first = of->begins[i], .out = of->d_states);
        works(jr_work_plan_run(states, &part, NULL, NULL));
        device_read(of->device, one, of->d_states, bytes);
        device_write(of->device, of->d_states + STATE_MAX + i * bytes, one, bytes);
    }
}

/* The states of the parts, merged by one launch. */
static jr_status merge_states(size_t count, subject *of) {
    jr_plan *states = NULL, *merge = NULL;
    jr_status status = jr_work_plan_create(of->device->context, WORK(&of->spec, .kind = JR_WORK_STATE), &states);
    if (status == JR_OK)
        status = jr_work_plan_create(of->device->context, WORK(&of->spec, .kind = JR_WORK_MERGE), &merge);
    if (status == JR_OK) {
        const size_t bytes = jr_merge_plan_state_bytes(merge);
        assert_in_range(bytes, 1, STATE_MAX);
        write_states(of, states, count, bytes);
        const void *const all[] = {of->d_states + STATE_MAX};
        works(
            jr_work_plan_run(merge, DATA(.in = all, .states = count, .count = COUNT, .out = of->d_states), NULL, NULL));
        device_read(of->device, of->wanted, of->d_states, jr_plan_result_bytes(merge));
    }
    jr_plan_destroy(states);
    jr_plan_destroy(merge);
    return status;
}

/* ---- what groups make ---- */

/* The value of parts from the first-th on; of those that meet, each device has all of the data. */
static jr_status value_of(jr_group *group, const subject *of, bool meets, jr_value *value) {
    const size_t first = jr_group_first(group), count = jr_group_local_count(group);
    const void *arrays[GROUP_DEVICES][ARRAYS];
    const void *const *in[GROUP_DEVICES];
    uint64_t counts[GROUP_DEVICES];
    jr_group_plan *plan = NULL;
    for (size_t i = 0; i < count; i++) {
        const uint64_t begin = of->begins[first + i];
        for (size_t k = 0; k < ARRAYS; k++)
            arrays[i][k] = (const unsigned char *)(meets ? of->d_met[i][k] : of->d_data[k]) + begin * of->element;
        in[i] = arrays[i];
        counts[i] = of->begins[first + i + 1] - begin;
    }
    jr_status status = jr_work_group_plan_create(group, WORK(&of->spec), &plan);
    if (status == JR_OK) status = jr_work_group_plan_run(plan, PARTS(.d_in = in, .counts = counts, .values = value));
    jr_group_plan_destroy(plan);
    return status;
}

static bool is_wanted(const subject *of, jr_status status, const jr_value *value) {
    if (status == JR_OK && memcmp(value->as.bytes, of->wanted, element_bytes(value->type)) == 0) return true;
    print_error("%s: %s\n", of->what, status != JR_OK ? jr_last_error()->message : "other bits");
    return false;
}

static void assert_made(jr_group *group, size_t count, bool meets, subject *of) {
    jr_value value = {0};
    cut(count, of->begins);
    works(merge_states(count, of));
    assert_true(is_wanted(of, value_of(group, of, meets, &value), &value));
}

static void assert_devices_make(subject *of) {
    static const size_t counts[] = {1, 2, 3, 4, 7};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        jr_group *group = group_new(of->device, counts[c]);
        assert_made(group, counts[c], false, of);
    }
    for (size_t count = 2; count <= of->met.count; count++) {
        jr_context *contexts[DEALT_DEVICES];
        jr_group *group = NULL;
        for (size_t i = 0; i < count; i++) contexts[i] = jr_group_context(of->met.group, i);
        works(jr_group_open(&JR_INIT(jr_group_options, .contexts = contexts, .context_count = count), &group));
        assert_made(group, count, true, of);
    }
}

static int reduce_by_ranks(const jr_group_options *options, void *user) {
    const subject *of = user;
    jr_context *const contexts[EACH] = {of->device->context, of->device->context};
    jr_group_options own = *options;
    jr_group *group = NULL;
    jr_value value = {0};
    own.contexts = contexts;
    own.context_count = EACH;
    RANK_FAILS_UNLESS(jr_group_open(&own, &group) == JR_OK);
    const jr_status status = value_of(group, of, false, &value);
    RANK_FAILS_UNLESS(is_wanted(of, status, &value));
    jr_group_close(group);
    return 0;
}

static void assert_ranks_make(subject *of) {
    for (int ranks = 2; ranks <= RANKS_MAX; ranks++) {
        cut((size_t)ranks * EACH, of->begins);
        works(merge_states((size_t)ranks * EACH, of));
        ranks_in_threads(ranks, reduce_by_ranks, NULL, of);
    }
}

/* ---- all of them ---- */

static void open_subject(const opened *device, subject *of) {
    *of = (subject){.device = device, .d_states = device_new(device, (1 + GROUP_DEVICES) * STATE_MAX)};
    dealt_open(device, dealt_devices(device), &of->met);
    for (size_t k = 0; k < ARRAYS; k++) {
        of->host[k] = test_bytes(COUNT * ELEMENT_MAX);
        of->d_data[k] = device_new(device, COUNT * ELEMENT_MAX);
        for (size_t i = 0; i < of->met.count; i++)
            works(jr_memory_new(jr_group_context(of->met.group, i), COUNT * ELEMENT_MAX, &of->d_met[i][k]));
    }
}

static void close_subject(subject *of) {
    for (size_t k = 0; k < ARRAYS; k++) {
        for (size_t i = 0; i < of->met.count; i++) jr_memory_free(jr_group_context(of->met.group, i), of->d_met[i][k]);
        device_free(of->device, of->d_data[k]);
    }
    device_free(of->device, of->d_states);
    dealt_close(&of->met);
}

/* What one device refuses, a group does. */
static bool is_refused(subject *of) {
    jr_group_plan *plan = NULL;
    cut(2, of->begins);
    const jr_status status = merge_states(2, of);
    if (status == JR_OK) return false;
    assert_int_equal(jr_work_group_plan_create(of->met.group, WORK(&of->spec), &plan), status);
    assert_null(plan);
    return true;
}

TEST(groups_make_the_fold_of_their_parts_in_order) {
    subject of;
    uint64_t seed = 61, place = 0;
    int made = 0, refused = 0;
    open_subject(*state, &of);
    for (size_t op = 0; op < EVERY_OPS; op++)
        for (size_t type = 0; type < EVERY_TYPES; type++)
            for (int sort = 0; sort < SORTS; sort++) {
                if (!make_spec(every_op[op], every_type[type], sort, &of)) continue;
                if (!tests_are_whole() && place++ % SAMPLE > 0) continue;
                fill(sort, &seed, &of);
                if (is_refused(&of)) {
                    refused++;
                    continue;
                }
                assert_devices_make(&of);
                assert_ranks_make(&of);
                made++;
            }
    print_message("%d reductions; %d that no device makes\n", made, refused);
    assert_true(made > refused);
    close_subject(&of);
}

RUN_TESTS(open_four_devices, close_context)
