/* Makes host data of chance. */
#include "support/stream_data.h"

#include <stdlib.h>

#include "support/open_context.h"

stream_data stream_data_new(uint64_t count, bool rounds) {
    const stream_data made = {malloc(count * sizeof(float)), malloc(count * sizeof(float)), malloc(count)};
    uint64_t seed = 31;
    assert_true(made.x != NULL && made.y != NULL && made.small != NULL);
    for (uint64_t i = 0; i < count; i++) {
        made.x[i] = rounds ? (float)random_bits(&seed) / 1e15f - 9e3f : (float)random_below(&seed, 1000) - 500;
        made.y[i] = rounds ? (float)random_below(&seed, 1000003) * 0.001f : (float)random_below(&seed, 8);
        made.small[i] = (int8_t)random_bits(&seed);
    }
    return made;
}

void stream_data_free(const stream_data *data) {
    free(data->x);
    free(data->y);
    free(data->small);
}
