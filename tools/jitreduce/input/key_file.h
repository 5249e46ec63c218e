/* A file of keys, one for each element. */
#ifndef CLI_KEY_FILE_H
#define CLI_KEY_FILE_H

#include "input.h"

/* Reads a file of keys, one for each of so many elements: .npy, or raw where --key-type is given, else text. --offset
 * and --count apply to the keys as to the input. In a text each line is a key, a blank one an empty key, where there
 * are as many lines as elements; else each word, where there are as many words; else each line but the blank ones. A
 * pipe is read once: its words are the keys. Writes *segment_file on success only; the caller frees it. */
cli_exit cli_keys_read(const cli_options *options, const char *name, uint64_t element_count, cli_input *segment_file,
                       cli_error *error);

#endif
