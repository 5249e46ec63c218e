/* Makes arenas. */
#include "tune_arena.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/random.h"
#include "device/memory.h"
#include "spec/operator.h"

enum { PATTERN_BYTES = 4 << 20, ALIGNMENT = 256, LEAST = -64, GREATEST = 63 };

/* What numbers an array is filled with. */
typedef struct filling {
    const jr_dtype *row; /* NULL: a struct */
    bool product;
    bool scan;
} filling;

/* Pairs of a least and a greatest number that are planted: a scan's are spread over the whole place. */
enum { SCAN_PAIRS = 32 };

static int pairs_of(bool scan) {
    return scan ? SCAN_PAIRS : 1;
}

/* The number of an element; of a struct a byte of each of its parts. It lies between those that are planted. */
static int number_of(const filling *how, uint64_t bits) {
    const int least = LEAST + pairs_of(how->scan), greatest = GREATEST - pairs_of(how->scan);
    const unsigned numbers = (unsigned)(greatest - least + 1);
    if (how->row->class == JR_CLASS_BOOLEAN) return (int)(bits >> 63);
    if (how->product) return jr_dtype_is_signed(how->row) && bits >> 63 ? -1 : 1;
    const int number = least + (int)((bits >> 32) % numbers);
    return jr_dtype_is_signed(how->row) ? number : number - LEAST;
}

/* Replaces a number where the running sum would go farther from 0 than 2^15, or than the remaining `left` numbers can
 * bring it back. So the numbers of a pattern, repeated any number of times, never add up to more than 2^16. */
static int back_to_zero(int number, double sum, uint64_t left) {
    const double far = 32768, step = 16, most = fmin(far, step * (double)left), greatest = GREATEST - SCAN_PAIRS;
    if (fabs(sum + number) <= most) return number;
    return (int)(sum > 0 ? -fmin(sum, greatest) : fmin(-sum, greatest));
}

static void fill_numbers(const filling *how, unsigned char *pattern, uint64_t count) {
    const bool walks = how->scan && !how->product && jr_dtype_is_signed(how->row);
    double sum = 0;
    for (uint64_t i = 0; i < count; i++) {
        unsigned char *const element = pattern + i * how->row->bytes;
        const int number = number_of(how, jr_random_bits(i));
        const int written = walks ? back_to_zero(number, sum, count - 1 - i) : number;
        jr_dtype_write(how->row, written, element);
        sum += jr_dtype_is_float(how->row) ? jr_dtype_read_float(how->row, element) : written;
    }
}

static void fill_pattern(const filling *how, unsigned char *pattern, uint64_t bytes) {
    enum { STRUCT_BYTE = 0x38 }; /* whatever its members are: small numbers, neither NaN nor infinite */
    if (how->row != NULL)
        fill_numbers(how, pattern, bytes / how->row->bytes);
    else
        for (uint64_t i = 0; i < bytes; i++) pattern[i] = (unsigned char)(STRUCT_BYTE + jr_random_bits(i) % 8);
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

static jr_status plant_one(const jr_arena *arena, int input, uint64_t place, int number) {
    const jr_dtype *row = jr_dtype_find(arena->reduction->inputs[input].type);
    unsigned char element[sizeof(double)];
    jr_dtype_write(row, jr_dtype_is_signed(row) ? number : number - LEAST, element);
    const jr_cu_result result =
        arena->device->driver.cuMemcpyHtoD_v2(arena->inputs[input] + place * row->bytes, element, row->bytes);
    return jr_driver_check(&arena->device->driver, result, "filling the input to tune with");
}

/* Plants the least and the greatest number somewhere into the first place; of a scan what leads there, step by step. */
static jr_status plant(const jr_arena *arena, const filling *how, int input) {
    const uint64_t pairs = (uint64_t)pairs_of(how->scan), count = arena->count;
    const uint64_t span = count > pairs ? count / pairs : 1;
    jr_status status = JR_OK;
    for (uint64_t i = 0; status == JR_OK && i < 2 * pairs; i++) {
        const int less = (int)(pairs - 1 - i / 2), number = i % 2 == 0 ? LEAST + less : GREATEST - less;
        status = plant_one(arena, input, (i / 2 * span + jr_random_bits(count + i) % span) % count, number);
    }
    return status;
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

static jr_status fill_input(unsigned char *pattern, int input, bool scan, jr_arena *arena) {
    const jr_input *row = &arena->reduction->inputs[input];
    const jr_operator *op = jr_operator_find(arena->reduction->spec.op); /* NULL of a list */
    const filling how = {.row = jr_dtype_find(row->type),
                         .product = op != NULL && jr_operator_is(op, JR_OPERATOR_MULTIPLIES),
                         .scan = scan};
    const bool planted = !how.product && how.row != NULL && how.row->class != JR_CLASS_BOOLEAN;
    const uint64_t bytes = arena->slots * arena->slot_bytes[input];
    const uint64_t pattern_bytes = PATTERN_BYTES / row->bytes * row->bytes;
    JR_TRY(jr_memory_allocate(arena->device, bytes, NULL, &arena->inputs[input]));
    fill_pattern(&how, pattern, bytes < pattern_bytes ? bytes : pattern_bytes);
    const jr_status status = spread_pattern(arena->device, pattern, pattern_bytes, arena->inputs[input], bytes);
    return status == JR_OK && planted ? plant(arena, &how, input) : status;
}

static uint64_t align(uint64_t bytes) {
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* How many places, and what is in them. */
static jr_arena size_arena(const jr_job *job) {
    enum { OUT_BYTES = JR_OPS_MAX * JR_STRUCT_BYTES_MAX };
    const jr_reduction *reduction = job->reduction;
    const bool scan = job->kind == JR_JOB_SCAN;
    jr_arena sized = {.device = &job->context->device,
                      .reduction = reduction,
                      .count = job->requested.capacity,
                      .result_count = scan ? job->requested.capacity : 1,
                      .out_bytes = OUT_BYTES};
    if (scan) sized.out_bytes = sized.count * reduction->output_bytes;
    if (scan) sized.out_step = align(sized.out_bytes);
    uint64_t slot_bytes = sized.out_step;
    for (int i = 0; i < reduction->input_count; i++)
        slot_bytes += sized.slot_bytes[i] = align(sized.count * reduction->inputs[i].bytes);
    sized.slots = choose_slots(sized.device, slot_bytes);
    return sized;
}

jr_status jr_arena_make(const jr_job *job, jr_arena *arena) {
    jr_arena made = size_arena(job);
    unsigned char *pattern = malloc(PATTERN_BYTES);
    if (pattern == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the input to tune with");
    jr_status status = jr_memory_allocate(made.device, made.out_step > 0 ? made.slots * made.out_step : made.out_bytes,
                                          NULL, &made.out);
    for (int i = 0; status == JR_OK && i < made.reduction->input_count; i++)
        status = fill_input(pattern, i, job->kind == JR_JOB_SCAN, &made);
    free(pattern);
    if (status == JR_OK)
        *arena = made;
    else
        jr_arena_free(&made);
    return status;
}

void jr_arena_free(jr_arena *arena) {
    JR_KEEP_ERROR;
    for (int i = 0; arena->device != NULL && i < JR_INPUTS_MAX; i++)
        jr_memory_release(arena->device, arena->inputs[i], NULL);
    if (arena->device != NULL) jr_memory_release(arena->device, arena->out, NULL);
    *arena = (jr_arena){0};
}

jr_run jr_arena_run(const jr_arena *arena, uint64_t slot) {
    const uint64_t place = slot % arena->slots;
    jr_run run = {.count = arena->count, .out = (arena->out + place * arena->out_step)};
    for (int i = 0; i < arena->reduction->input_count; i++)
        run.in[i] = (arena->inputs[i] + place * arena->slot_bytes[i]);
    return run;
}

jr_status jr_arena_blank(const jr_arena *arena) {
    enum { BLANK = 0xa5 };
    const jr_driver *driver = &arena->device->driver;
    const jr_cu_result result = driver->cuMemsetD8_v2(arena->out, BLANK, (size_t)arena->out_bytes);
    return jr_driver_check(driver, result, "clearing %llu bytes", (unsigned long long)arena->out_bytes);
}
