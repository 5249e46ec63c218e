/* A struct as element type: its source text, and the size that the text comes to. */
#ifndef CLI_STRUCTURE_H
#define CLI_STRUCTURE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cli_structure {
    const char *text;        /* of --struct; NULL: none */
    char name[64];           /* "" when the text has none */
    size_t bytes, alignment; /* 0: not known */
} cli_structure;

/* Finds the name in "struct NAME { ... };" and, where all members are numbers of C or arrays of them, size and
 * alignment as a compiler lays them out; what follows the struct does not matter. */
cli_structure cli_structure_of(const char *text);

#endif
