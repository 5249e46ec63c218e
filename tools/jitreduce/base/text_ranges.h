/* The ranges in which whole numbers lie. */
#ifndef CLI_RANGES_H
#define CLI_RANGES_H

#include <stdbool.h>
#include <stdint.h>

#include <jitreduce.h>

/* The ranges of inputs. All zero: of no elements. */
typedef struct cli_ranges {
    jr_value bounds[2 * JR_INPUTS_MAX]; /* of each input the least and the greatest; of another type than whole numbers
                                         * of 4 and 8 bytes: unknown */
    bool zero[JR_INPUTS_MAX];           /* whether a whole number is 0 */
    uint64_t zero_at[JR_INPUTS_MAX];    /* the first of them */
    uint64_t count;
} cli_ranges;

/* Grows the ranges of an input by further elements; the first one is number `first`. */
void cli_ranges_grow(cli_ranges *ranges, int input, jr_type type, const void *elements, uint64_t count, uint64_t first);

/* Grows ranges by those of other elements; `count` stays. */
void cli_ranges_merge(cli_ranges *ranges, const cli_ranges *other);

#endif
