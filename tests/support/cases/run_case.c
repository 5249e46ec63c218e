/* What the tests of runs of equal keys share. */
#include "run_case.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DATA, KEYS, RESULTS, RUN_KEYS, RUN_COUNT, GUARD = 0xA5 };

static bool is_float(jr_type type) {
    return jr_type_class_of(type) == JR_CLASS_FLOAT;
}

static void write_key(jr_type type, double number, unsigned char *key) {
    jr_value value;
    works(jr_value_of_number(type, number, &value));
    memcpy(key, value.as.bytes, jr_type_size(type));
}

/* Fills in run s; number: of its key. */
static void fill_run(segment_case *runs, uint64_t s, double number, uint64_t *seed) {
    const jr_type type = runs->layout.key_type;
    const size_t bytes = jr_type_size(type);
    for (uint64_t i = runs->offsets[s]; i < runs->offsets[s + 1]; i++)
        write_key(type, number == 0 && is_float(type) && random_bits(seed) % 2 ? -0.0 : number, runs->keys + i * bytes);
}

segment_case segments_runs(jr_type key_type, uint64_t count, uint64_t most, uint64_t *seed) {
    segment_case made = {.layout = {.size = sizeof(jr_segment_layout), .kind = JR_SEGMENTS_KEYS, .key_type = key_type},
                         .count = count};
    made.offsets = test_zeros(count + 1, sizeof *made.offsets);
    made.keys = test_zeros(count * most + 1, jr_type_size(key_type));
    unsigned number = 0;
    for (uint64_t s = 0; s < count; s++) {
        const bool nan = is_float(key_type) && random_below(seed, 9) == 0;
        made.offsets[s + 1] = made.offsets[s] + (nan ? 1 : 1 + random_below(seed, most));
        number = key_type == JR_BOOL ? !number : (number + 1 + (unsigned)random_below(seed, 3)) % 5;
        fill_run(&made, s, nan ? (double)NAN : number, seed);
    }
    made.elements = made.offsets[count];
    return made;
}

/* Room for more than there are runs. */
static uint64_t room_of(const segment_case *runs) {
    return runs->elements + 2;
}

run_arrays run_arrays_new(const opened *device, const jr_plan *plan, const segment_case *runs, const jr_spec *spec,
                          const void *data) {
    const size_t bytes = jr_type_size(spec->type), key_bytes = jr_type_size(runs->layout.key_type);
    run_arrays made = {.key_bytes = key_bytes, .result_bytes = jr_plan_result_bytes(plan)};
    made.rooms[DATA] = device_new(device, (room_of(runs) + runs->input_shift) * bytes);
    made.rooms[KEYS] = device_new(device, (room_of(runs) + runs->key_shift) * key_bytes);
    made.rooms[RESULTS] = device_new(device, room_of(runs) * made.result_bytes);
    made.rooms[RUN_KEYS] = device_new(device, room_of(runs) * key_bytes);
    made.rooms[RUN_COUNT] = device_new(device, sizeof(uint64_t));
    made.in = (unsigned char *)made.rooms[DATA] + runs->input_shift * bytes;
    unsigned char *const keys = (unsigned char *)made.rooms[KEYS] + runs->key_shift * key_bytes;
    device_write(device, made.in, data, runs->elements * bytes);
    device_write(device, keys, runs->keys, runs->elements * key_bytes);
    made.out = (unsigned char *)made.rooms[RESULTS] + made.result_bytes; /* off its alignment */
    made.segments =
        JR_INIT(jr_work_data, .keys = keys, .count = runs->elements,
                .run_keys = (unsigned char *)made.rooms[RUN_KEYS] + key_bytes, .run_count = made.rooms[RUN_COUNT]);
    run_arrays_clear(device, &made, runs);
    return made;
}

void run_arrays_free(const opened *device, run_arrays *arrays) {
    for (int r = 0; r <= RUN_COUNT; r++) device_free(device, arrays->rooms[r]);
}

void run_arrays_clear(const opened *device, const run_arrays *arrays, const segment_case *runs) {
    const jr_cu_deviceptr results = device_address(arrays->rooms[RESULTS]);
    drives(device->driver.cuMemsetD8_v2(results, GUARD, room_of(runs) * arrays->result_bytes));
    drives(device->driver.cuMemsetD8_v2(device_address(arrays->rooms[RUN_KEYS]), GUARD,
                                        room_of(runs) * arrays->key_bytes));
    drives(device->driver.cuMemsetD8_v2(device_address(arrays->rooms[RUN_COUNT]), GUARD, sizeof(uint64_t)));
    drives(device->driver.cuStreamSynchronize(NULL)); /* other streams do not wait for it */
}

/* Brings a room of `count` things between guards back; asserts these. */
static unsigned char *read_room(const opened *device, const void *room, size_t bytes, uint64_t count, uint64_t all) {
    unsigned char *host = test_zeros(all, bytes);
    device_read(device, host, room, all * bytes);
    for (uint64_t b = 0; b < all * bytes; b++)
        if ((b < bytes || b >= (count + 1) * bytes) && host[b] != GUARD)
            fail_msg("byte %llu was written, with %llu runs of %zu bytes", (unsigned long long)b,
                     (unsigned long long)count, bytes);
    memmove(host, host + bytes, count * bytes);
    return host;
}

unsigned char *run_arrays_read(const opened *device, const run_arrays *arrays, const segment_case *runs) {
    uint64_t count = 0;
    device_read(device, &count, arrays->rooms[RUN_COUNT], sizeof count);
    assert_int_equal(count, runs->count);
    unsigned char *keys = read_room(device, arrays->rooms[RUN_KEYS], arrays->key_bytes, count, room_of(runs));
    for (uint64_t s = 0; s < count; s++)
        if (memcmp(keys + s * arrays->key_bytes, runs->keys + runs->offsets[s] * arrays->key_bytes,
                   arrays->key_bytes) != 0)
            fail_msg("the key of run %llu is not that of element %llu", (unsigned long long)s,
                     (unsigned long long)runs->offsets[s]);
    return read_room(device, arrays->rooms[RESULTS], arrays->result_bytes, count, room_of(runs));
}

unsigned char *runs_run(const opened *device, const jr_spec *spec, const segment_case *runs, const void *data) {
    jr_plan *plan = plan_held(device, WORK(spec, .layout = &runs->layout));
    run_arrays arrays = run_arrays_new(device, plan, runs, spec, data);
    works(jr_work_plan_run(plan, DATA_OF(arrays.segments, FROM(arrays.in), arrays.out), NULL, NULL));
    unsigned char *results = run_arrays_read(device, &arrays, runs);
    run_arrays_free(device, &arrays);
    return results;
}
