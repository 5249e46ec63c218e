/* How far a rounded result is from another of its type. */
#ifndef CLI_DISTANCE_H
#define CLI_DISTANCE_H

#include <stdbool.h>

#include <jitreduce.h>

typedef struct cli_distance {
    bool known;     /* both are numbers, or the same */
    uint64_t steps; /* from one to the other, each to the next number of the type: units in the last place */
} cli_distance;

/* The distance of two values of one type. For floats infinity is one step after the greatest number; two NaNs are 0
 * apart. */
cli_distance cli_distance_of(const jr_value *one, const jr_value *other);

/* Text of a distance: "3", or "-" where it is not known. */
enum { CLI_DISTANCE_BYTES = 24 };
const char *cli_distance_text(const cli_distance *distance, char text[CLI_DISTANCE_BYTES]);

#endif
