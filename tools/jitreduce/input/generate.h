/* Generated elements: 0 to N-1, or random ones that depend on seed and index alone. */
#ifndef CLI_GENERATE_H
#define CLI_GENERATE_H

#include "io/data.h"
#include "options/cli_options.h"

/* Generates the elements of --random or --iota. Writes *data on success only. */
cli_exit cli_generate(const cli_options *options, cli_data *data, cli_error *error);

/* Output number index + 1 of the generator splitmix64 seeded with seed. */
uint64_t cli_random_bits(uint64_t seed, uint64_t index);

/* How many whole numbers from 0 on a type holds exactly; 0: all that can be counted. */
uint64_t cli_whole_numbers(jr_type type);

#endif
