/* Makes tables of many arrays. */
#include "many_case.h"

#include <math.h>
#include <stdlib.h>

void add_array(tables *made, jr_type type, uint64_t count, int beyond) {
    jr_array *array = &made->arrays[made->count];
    *array = (jr_array){.count = count, .type = type};
    made->offsets[made->count++] = made->bytes + (uint64_t)beyond * element_bytes(type);
    made->bytes = (made->bytes + (count + (uint64_t)beyond) * element_bytes(type) + 15) / 16 * 16;
}

void fill_arrays(const opened *device, tables *made) {
    uint64_t seed = made->bytes;
    made->h_bytes = calloc(1, made->bytes + 16);
    made->d_bytes = device_new(device, made->bytes + 16);
    assert_non_null(made->h_bytes);
    for (uint64_t a = 0; a < made->count; a++) {
        jr_array *array = &made->arrays[a];
        array->data = made->d_bytes + made->offsets[a];
        made->numbers[a] = calloc(array->count + 1, sizeof(long double));
        assert_non_null(made->numbers[a]);
        for (uint64_t k = 0; k < array->count; k++) {
            element_store_float(array->type, made->h_bytes + made->offsets[a] + k * element_bytes(array->type),
                                (double)random_below(&seed, 2001) / 1000 - 1);
            made->numbers[a][k] = element_float(array->type, made->h_bytes + made->offsets[a], k);
        }
    }
    device_write(device, made->d_bytes, made->h_bytes, made->bytes + 16);
}

void free_arrays(const opened *device, tables *made) {
    for (uint64_t a = 0; a < made->count; a++) free(made->numbers[a]);
    device_free(device, made->d_bytes);
    free(made->h_bytes);
}

jr_segment_layout layout_of(const tables *made) {
    return JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_ARRAYS, .arrays = made->arrays, .array_count = made->count);
}

void assert_near(long double got, long double wanted, long double allowed, const char *what, uint64_t a) {
    if (fabsl(got - wanted) <= allowed * (1 + fabsl(wanted))) return;
    fail_msg("%s of array %llu: %Lg, not %Lg", what, (unsigned long long)a, got, wanted);
}
