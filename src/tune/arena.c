/* Makes arenas. */
#include "arena.h"

#include <stdlib.h>

#include "base/error.h"
#include "device/memory.h"
#include "program/operator.h"

enum { PATTERN_BYTES = 4 << 20, SLOT_ALIGNMENT = 256, LEAST = -64, GREATEST = 63 };

/* splitmix64 (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", 2014). */
static uint64_t random_bits(uint64_t index) {
    uint64_t z = (index + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* The number of an element; of a struct a byte of each of its parts. */
static int number_of(const jr_dtype *row, bool product, uint64_t bits) {
    if (row->class == JR_CLASS_BOOLEAN) return (int)(bits >> 63);
    if (product) return jr_dtype_is_signed(row) && bits >> 63 ? -1 : 1;
    const int number = LEAST + 1 + (int)((bits >> 32) % (GREATEST - LEAST - 1));
    return jr_dtype_is_signed(row) ? number : number - LEAST;
}

static void fill_pattern(const jr_input *input, bool product, unsigned char *pattern, uint64_t bytes) {
    enum { STRUCT_BYTE = 0x38 }; /* whatever its members are: small numbers, neither NaN nor infinite */
    const jr_dtype *row = jr_dtype_find(input->type);
    if (row == NULL)
        for (uint64_t i = 0; i < bytes; i++) pattern[i] = (unsigned char)(STRUCT_BYTE + random_bits(i) % 8);
    else
        for (uint64_t i = 0; i < bytes / input->bytes; i++)
            jr_dtype_write(row, number_of(row, product, random_bits(i)), pattern + i * input->bytes);
}

/* Fills device memory with a pattern: once from the host, then by copies of what is there, twice as much each time. */
static jr_status spread_pattern(const jr_device *device, const unsigned char *pattern, uint64_t pattern_bytes,
                                jr_cu_deviceptr to, uint64_t bytes) {
    uint64_t done = bytes < pattern_bytes ? bytes : pattern_bytes;
    jr_cu_result result = device->driver.cuMemcpyHtoD_v2(to, pattern, (size_t)done);
    while (result == JR_CUDA_SUCCESS && done < bytes) {
        const uint64_t part = bytes - done < done ? bytes - done : done;
        result = device->driver.cuMemcpyDtoD_v2(to + done, to, (size_t)part);
        done += part;
    }
    return jr_driver_check(&device->driver, result, "filling the input to tune with");
}

/* Plants the least and the greatest number somewhere into the first place. */
static jr_status plant(const jr_arena *arena, int input) {
    const jr_dtype *row = jr_dtype_find(arena->reduction->inputs[input].type);
    const int numbers[] = {LEAST, GREATEST};
    for (uint64_t i = 0; i < 2 && row != NULL && row->class != JR_CLASS_BOOLEAN; i++) {
        unsigned char element[sizeof(double)];
        jr_dtype_write(row, jr_dtype_is_signed(row) ? numbers[i] : numbers[i] - LEAST, element);
        const uint64_t place = random_bits(arena->count + i) % arena->count;
        const jr_cu_result result =
            arena->device->driver.cuMemcpyHtoD_v2(arena->inputs[input] + place * row->bytes, element, row->bytes);
        if (result != JR_CUDA_SUCCESS)
            return jr_driver_check(&arena->device->driver, result, "filling the input to tune with");
    }
    return JR_OK;
}

/* Enough places to span several times what a cache holds; two of a large input, where there is memory. */
static uint64_t choose_slots(const jr_device *device, uint64_t slot_bytes) {
    enum { SIMULATED_BYTES = 1 << 20, CACHES = 8 };
    const uint64_t least = UINT64_C(512) << 20, caches = CACHES * device->info.l2_bytes;
    const uint64_t wanted = device->info.simulated ? SIMULATED_BYTES : caches > least ? caches : least;
    size_t free_bytes = 0, total_bytes = 0;
    device->driver.cuMemGetInfo_v2(&free_bytes, &total_bytes);
    if (slot_bytes == 0) return 1;
    const uint64_t slots = wanted / slot_bytes > 2 ? wanted / slot_bytes : 2;
    return slots * slot_bytes <= free_bytes / 4 * 3 ? slots : 1;
}

static jr_status fill_input(unsigned char *pattern, int input, jr_arena *arena) {
    const jr_input *row = &arena->reduction->inputs[input];
    const jr_operator *op = jr_operator_find(arena->reduction->spec.op); /* NULL of a list */
    const bool product = op != NULL && jr_operator_is(op, JR_OPERATOR_MULTIPLIES);
    const uint64_t bytes = arena->slots * arena->slot_bytes[input];
    const uint64_t pattern_bytes = PATTERN_BYTES / row->bytes * row->bytes;
    jr_status status = jr_memory_allocate(arena->device, bytes, &arena->inputs[input]);
    if (status != JR_OK) return status;
    fill_pattern(row, product, pattern, bytes < pattern_bytes ? bytes : pattern_bytes);
    status = spread_pattern(arena->device, pattern, pattern_bytes, arena->inputs[input], bytes);
    return status == JR_OK && !product ? plant(arena, input) : status;
}

jr_status jr_arena_make(const jr_device *device, const jr_reduction *reduction, uint64_t count, jr_arena *arena) {
    enum { OUT_BYTES = JR_OPS_MAX * JR_STRUCT_BYTES_MAX };
    jr_arena made = {.device = device, .reduction = reduction, .count = count};
    uint64_t slot_bytes = 0;
    for (int i = 0; i < reduction->input_count; i++) {
        made.slot_bytes[i] =
            (count * reduction->inputs[i].bytes + SLOT_ALIGNMENT - 1) / SLOT_ALIGNMENT * SLOT_ALIGNMENT;
        slot_bytes += made.slot_bytes[i];
    }
    made.slots = choose_slots(device, slot_bytes);
    unsigned char *pattern = malloc(PATTERN_BYTES);
    if (pattern == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the input to tune with");
    jr_status status = jr_memory_allocate(device, OUT_BYTES, &made.out);
    for (int i = 0; status == JR_OK && i < reduction->input_count; i++) status = fill_input(pattern, i, &made);
    free(pattern);
    if (status == JR_OK)
        *arena = made;
    else
        jr_arena_free(&made);
    return status;
}

void jr_arena_free(jr_arena *arena) {
    jr_error_saved *saved = jr_error_save();
    for (int i = 0; arena->device != NULL && i < JR_INPUTS_MAX; i++) jr_memory_release(arena->device, arena->inputs[i]);
    if (arena->device != NULL) jr_memory_release(arena->device, arena->out);
    jr_error_restore(saved);
    *arena = (jr_arena){0};
}

jr_run jr_arena_run(const jr_arena *arena, uint64_t slot) {
    jr_run run = {.count = arena->count, .out = (void *)(uintptr_t)arena->out}; /* NOLINT(performance-no-int-to-ptr) */
    for (int i = 0; i < arena->reduction->input_count; i++)
        run.in[i] = (const void *)(uintptr_t)(arena->inputs[i] + /* NOLINT(performance-no-int-to-ptr) */
                                              slot % arena->slots * arena->slot_bytes[i]);
    return run;
}
