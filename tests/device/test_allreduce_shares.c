/* All-reduces of so many segments that each device merges its share for all. */
#include <stdlib.h>
#include <string.h>

#include "support/allreduce_case.h"

/* No multiple of anything that is shared; of 8 bytes just above the 2 MiB from which on there are shares. */
enum { MANY = (1 << 18) + 4, BYTES = MANY * sizeof(int64_t), RUNS = 3 };

/* Of each device an array, and room for the results. */
typedef struct arrays {
    dealt of;
    void *d_in[DEALT_DEVICES], *d_out[DEALT_DEVICES];
    const void *each[DEALT_DEVICES];
    const void *const *in[DEALT_DEVICES];
    uint64_t counts[DEALT_DEVICES];
    jr_segment_layout layouts[DEALT_DEVICES];
    jr_group_parts parts;
} arrays;

/* Element e is 0 but on device e % count. */
static void arrays_open(const opened *device, size_t count, int64_t *room, arrays *made) {
    dealt_open(device, count, &made->of);
    for (size_t i = 0; i < count; i++) {
        jr_context *context = jr_group_context(made->of.group, i);
        for (int64_t e = 0; e < MANY; e++) room[e] = e % (int64_t)count == (int64_t)i ? e * 8 + (int64_t)i : 0;
        works(jr_memory_new(context, BYTES, &made->d_in[i]));
        works(jr_memory_new(context, BYTES, &made->d_out[i]));
        works(jr_memory_write(context, made->d_in[i], room, BYTES));
        made->each[i] = made->d_in[i];
        made->in[i] = &made->each[i];
        made->counts[i] = MANY;
        made->layouts[i] = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = 1);
    }
    made->parts = JR_INIT(jr_group_parts, .d_in = made->in, .counts = made->counts);
}

static void arrays_close(arrays *made) {
    for (size_t i = 0; i < made->of.count; i++) {
        jr_memory_free(jr_group_context(made->of.group, i), made->d_in[i]);
        jr_memory_free(jr_group_context(made->of.group, i), made->d_out[i]);
    }
    dealt_close(&made->of);
}

static void assert_first_that_is_not_0(const arrays *made, int64_t *room) {
    for (size_t i = 0; i < made->of.count; i++) {
        works(jr_memory_read(jr_group_context(made->of.group, i), room, made->d_out[i], BYTES));
        for (int64_t e = 0; e < MANY; e++) assert_int_equal(room[e], e * 8 + e % (int64_t)made->of.count + 1);
    }
}

/* Runs follow at once, and on streams that do not wait for each other; then of few segments, which have no shares. */
static void each_device_merges_a_share_for_all(void **state) {
    const jr_spec first = JR_INIT(jr_spec, .op = JR_OP_CUSTOM, .type = JR_I64, .combine = "b != 0 ? b : a",
                                  .identity = "0", .finish = "a + 1");
    const jr_allreduce_options peers = JR_INIT(jr_allreduce_options, .way = JR_ALLREDUCE_PEERS);
    int64_t *room = malloc(BYTES);
    assert_non_null(room);
    for (size_t count = 2; count <= dealt_devices(*state); count++) {
        jr_stream streams[DEALT_DEVICES];
        jr_allreduce *made = NULL;
        arrays own;
        arrays_open(*state, count, room, &own);
        for (size_t i = 0; i < count; i++)
            works(jr_stream_create(jr_group_context(own.of.group, i), JR_STREAM_NON_BLOCKING, &streams[i]));
        own.parts.streams = streams;
        works(jr_allreduce_segment_create(own.of.group, &first, own.layouts, &peers, &made));
        for (int run = 0; run < RUNS; run++) works(jr_allreduce_run(made, &own.parts, own.d_out));
        works(jr_allreduce_wait(made));
        assert_first_that_is_not_0(&own, room);
        for (size_t i = 0; i < count; i++) own.counts[i] = 5;
        works(jr_allreduce_run(made, &own.parts, own.d_out));
        works(jr_allreduce_wait(made));
        assert_first_that_is_not_0(&own, room);
        jr_allreduce_destroy(made);
        for (size_t i = 0; i < count; i++) works(jr_stream_destroy(jr_group_context(own.of.group, i), streams[i]));
        arrays_close(&own);
    }
    free(room);
}

static int open_with_devices(void **state) {
    return setenv("JRSIM_DEVICES", "4", 1) == 0 ? open_context(state) : -1;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_device_merges_a_share_for_all)};
    return cmocka_run_group_tests(tests, open_with_devices, close_context);
}
