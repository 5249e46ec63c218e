/* The shape of an array in C order. */
#ifndef CLI_SHAPE_H
#define CLI_SHAPE_H

#include <stdbool.h>

#include <jitreduce.h>

typedef struct cli_shape {
    int dimensions;                    /* above JR_DIMENSIONS_MAX: sizes has the first ones only */
    uint64_t sizes[JR_DIMENSIONS_MAX]; /* 0 beyond the dimensions */
} cli_shape;

/* The shape of `count` elements in one dimension. */
static inline cli_shape cli_shape_flat(uint64_t count) {
    return (cli_shape){.dimensions = 1, .sizes = {count}};
}

/* Writes the product of the sizes, 1 of none; false when it is 2^64 or more. */
static inline bool cli_shape_count(const cli_shape *shape, uint64_t *count) {
    bool overflow = false;
    *count = 1;
    for (int i = 0; i < shape->dimensions; i++) overflow |= __builtin_mul_overflow(*count, shape->sizes[i], count);
    return !overflow;
}

#endif
