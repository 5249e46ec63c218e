/* Lays out, fills and looks at the memory of scan_bench. */
#include "scan_stage.h"

enum { SLOT_ALIGNMENT = 256, SLOTS_MAX = 8192, KEY_BYTES = 4, OFFSET_BYTES = 8 };

static bool has_keys(const scan_stage *stage) {
    return stage->work->segments == JR_SEGMENTS_KEYS;
}
static uint64_t offset_count(const scan_stage *stage) {
    return stage->work->segments == JR_SEGMENTS_OFFSETS ? stage->run_count + 1 : 0;
}
/* Keys that are results: of a reduction. */
static uint64_t key_count(const scan_stage *stage) {
    return has_keys(stage) && stage->work->reduces ? stage->run_count : 0;
}

static uint64_t count_bytes(const scan_stage *stage) {
    const uint64_t count = stage->runs.count, keys = key_count(stage);
    return count * stage->work->element_bytes + (has_keys(stage) ? count * KEY_BYTES : 0) +
           offset_count(stage) * OFFSET_BYTES + stage->result_count * stage->work->result_bytes + keys * KEY_BYTES +
           (keys > 0 ? sizeof(uint64_t) : 0);
}

static jr_cu_deviceptr round_up(jr_cu_deviceptr place) {
    return (place + SLOT_ALIGNMENT - 1) / SLOT_ALIGNMENT * SLOT_ALIGNMENT;
}
/* Takes memory for `count` elements, `offset` elements after a boundary; 0 if count is 0. */
static jr_cu_deviceptr take(jr_cu_deviceptr *at, uint64_t count, uint64_t bytes, uint64_t offset) {
    const jr_cu_deviceptr begin = *at;
    if (count == 0) return 0;
    *at = round_up(begin + (count + offset) * bytes);
    return begin + offset * bytes;
}

/* Lays out the first slot; inputs and results both have room for what the copy takes. */
static void lay_out(scan_stage *stage, jr_cu_deviceptr memory) {
    const scan_work *work = stage->work;
    const uint64_t count = stage->runs.count;
    const uint64_t copied = stage->moved_bytes / 2 + stage->offset * (work->element_bytes + work->result_bytes);
    scan_arrays *first = &stage->first;
    jr_cu_deviceptr at = memory;
    first->elements = take(&at, count, work->element_bytes, stage->offset);
    first->keys = take(&at, has_keys(stage) ? count : 0, KEY_BYTES, stage->offset);
    first->offsets = take(&at, offset_count(stage), OFFSET_BYTES, 0);
    if (at < memory + copied) at = round_up(memory + copied);
    stage->results_at = at - memory;
    first->results = take(&at, stage->result_count, work->result_bytes, stage->offset);
    first->keys_out = take(&at, key_count(stage), KEY_BYTES, 0);
    first->runs_out = take(&at, key_count(stage) > 0, sizeof(uint64_t), 0);
    if (at < memory + stage->results_at + copied) at = round_up(memory + stage->results_at + copied);
    stage->slot_bytes = at - memory;
}

void scan_stage_open(const bench_device *device, const scan_work *work, uint64_t count, uint64_t offset,
                     scan_stage *stage) {
    const uint64_t span = 4ull << 30;
    *stage = (scan_stage){.device = device, .work = work, .runs = scan_work_runs(work, count), .offset = offset};
    bench_demand(stage->runs.count > 0, "%llu elements are no row of %s", (unsigned long long)count, work->run);
    bench_driver(device, device->driver.cuMemAlloc_v2(&stage->counter, sizeof(uint64_t)), "allocating device memory");
    stage->run_count = scan_data_runs(device, work, &stage->runs, stage->counter);
    stage->result_count = work->reduces ? stage->run_count : stage->runs.count;
    stage->moved_bytes = count_bytes(stage);
    lay_out(stage, 0); /* to know its size */
    stage->slots = device->info.simulated ? 2 : span / stage->slot_bytes;
    if (stage->slots > SLOTS_MAX) stage->slots = SLOTS_MAX;
    if (stage->slots == 0) stage->slots = 1;
    bench_driver(device, device->driver.cuMemAlloc_v2(&stage->memory, stage->slots * stage->slot_bytes),
                 "allocating device memory");
    lay_out(stage, stage->memory);
    for (uint64_t slot = 0; slot < stage->slots; slot++) {
        const scan_arrays arrays = scan_stage_arrays(stage, slot);
        scan_data_fill(device, work, &stage->runs, &arrays);
    }
    bench_driver(device, device->driver.cuCtxSynchronize(), "waiting");
}

void scan_stage_close(scan_stage *stage) {
    bench_driver(stage->device, stage->device->driver.cuMemFree_v2(stage->memory), "freeing");
    bench_driver(stage->device, stage->device->driver.cuMemFree_v2(stage->counter), "freeing");
}

static jr_cu_deviceptr moved(jr_cu_deviceptr place, uint64_t bytes) {
    return place == 0 ? 0 : place + bytes;
}

scan_arrays scan_stage_arrays(const scan_stage *stage, uint64_t run) {
    const scan_arrays *first = &stage->first;
    const uint64_t bytes = run % stage->slots * stage->slot_bytes;
    return (scan_arrays){.elements = first->elements + bytes,
                         .keys = moved(first->keys, bytes),
                         .offsets = moved(first->offsets, bytes),
                         .results = first->results + bytes,
                         .keys_out = moved(first->keys_out, bytes),
                         .runs_out = moved(first->runs_out, bytes)};
}

jr_status scan_stage_copy(const scan_stage *stage, uint64_t run, jr_stream stream) {
    const scan_arrays arrays = scan_stage_arrays(stage, run);
    const uint64_t bytes = stage->moved_bytes / 2;
    return stage->device->driver.cuMemcpyDtoDAsync_v2(arrays.results, arrays.elements, bytes, stream) == 0
               ? JR_OK
               : JR_ERROR_DRIVER;
}

void scan_stage_spoil(const scan_stage *stage) {
    const uint64_t bytes = stage->slot_bytes - stage->results_at;
    bench_driver(stage->device, stage->device->driver.cuMemsetD8_v2(stage->memory + stage->results_at, 0x7b, bytes),
                 "spoiling");
    bench_driver(stage->device, stage->device->driver.cuCtxSynchronize(), "waiting");
}

uint64_t scan_stage_wrong(const scan_stage *stage) {
    bench_driver(stage->device, stage->device->driver.cuCtxSynchronize(), "waiting");
    return scan_data_wrong(stage->device, stage->work, &stage->runs, &stage->first, stage->counter);
}
