/* Finds runs of equal keys. */
#include "key_runs.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

bool jr_keys_differ(const jr_dtype *type, const void *one, const void *other) {
    if (jr_dtype_is_float(type)) return !(jr_dtype_read_float(type, one) == jr_dtype_read_float(type, other));
    const uint64_t a = jr_dtype_read_integer(type, one), b = jr_dtype_read_integer(type, other);
    return type->type == JR_BOOL ? !a != !b : a != b;
}

/* Counts the runs. begins: gets the number of each run's first element; NULL: not written. */
static uint64_t mark_any(const jr_dtype *type, const void *keys, uint64_t elements, uint64_t *begins) {
    const unsigned char *at = keys;
    uint64_t count = 0;
    for (uint64_t k = 0; k < elements; k++, at += type->bytes) {
        if (k > 0 && !jr_keys_differ(type, at - type->bytes, at)) continue;
        if (begins != NULL) begins[count] = k;
        count++;
    }
    return count;
}

/* The same for a type that C compares as keys are compared: faster. */
#define MARK(NAME, TYPE)                                                                                               \
    static uint64_t mark_##NAME(const TYPE *keys, uint64_t elements, uint64_t *begins) {                               \
        uint64_t count = 0;                                                                                            \
        for (uint64_t k = 0; k < elements; k++) {                                                                      \
            if (k > 0 && keys[k - 1] == keys[k]) continue;                                                             \
            if (begins != NULL) begins[count] = k;                                                                     \
            count++;                                                                                                   \
        }                                                                                                              \
        return count;                                                                                                  \
    }
MARK(f32, float)
MARK(f64, double)
MARK(16, uint16_t)
MARK(32, uint32_t)
MARK(64, uint64_t)
#undef MARK

static uint64_t mark(const jr_dtype *type, const void *keys, uint64_t elements, uint64_t *begins) {
    if (type->type == JR_F32) return mark_f32(keys, elements, begins);
    if (type->type == JR_F64) return mark_f64(keys, elements, begins);
    if (!jr_dtype_is_float(type) && type->bytes == sizeof(uint16_t)) return mark_16(keys, elements, begins);
    if (!jr_dtype_is_float(type) && type->bytes == sizeof(uint32_t)) return mark_32(keys, elements, begins);
    if (!jr_dtype_is_float(type) && type->bytes == sizeof(uint64_t)) return mark_64(keys, elements, begins);
    return mark_any(type, keys, elements, begins);
}

jr_status jr_key_runs_find(const jr_dtype *type, const void *keys, uint64_t elements, jr_key_runs *runs) {
    const uint64_t address_bytes = 1ull << 56; /* of a process, at most */
    if (elements > address_bytes / type->bytes)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%llu keys of %zu bytes are beyond the address space",
                       (unsigned long long)elements, type->bytes);
    runs->count = mark(type, keys, elements, NULL);
    runs->offsets = runs->count < SIZE_MAX / sizeof(uint64_t) - 1 ? malloc((runs->count + 1) * sizeof(uint64_t)) : NULL;
    if (runs->offsets == NULL)
        return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for where %llu runs of equal keys begin",
                       (unsigned long long)runs->count);
    mark(type, keys, elements, runs->offsets);
    runs->offsets[runs->count] = elements;
    return JR_OK;
}

void jr_key_runs_free(jr_key_runs *runs) {
    free(runs->offsets);
    *runs = (jr_key_runs){.offsets = NULL};
}

void jr_key_runs_write(const jr_key_runs *runs, const jr_dtype *type, const void *keys, void *to) {
    for (uint64_t r = 0; r < runs->count; r++)
        memcpy((unsigned char *)to + r * type->bytes, (const unsigned char *)keys + runs->offsets[r] * type->bytes,
               type->bytes);
}
