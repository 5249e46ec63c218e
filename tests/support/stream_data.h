/* Host data for what goes through a few buffers of the device in turn: two arrays of floats and one of bytes. */
#ifndef TESTS_SUPPORT_STREAM_DATA_H
#define TESTS_SUPPORT_STREAM_DATA_H

#include <stdbool.h>
#include <stdint.h>

typedef struct stream_data {
    float *x, *y;
    int8_t *small;
} stream_data;

/* count of each. rounds: sums of x and of y round; else they are small whole numbers. Asserts that there is memory. */
stream_data stream_data_new(uint64_t count, bool rounds);
void stream_data_free(const stream_data *data);

#endif
