/* A struct as element type: its source text, and the layout that the text describes. */
#ifndef CLI_STRUCTURE_H
#define CLI_STRUCTURE_H

#include <stdbool.h>
#include <stddef.h>

#include <jitreduce.h>

#include "cli_error.h"

typedef struct cli_structure {
    const char *text;        /* of --struct; NULL: none */
    char name[64];           /* "" when the text has none */
    size_t bytes, alignment; /* 0: not known */
} cli_structure;

/* A member of a struct: a number, or an array of numbers. */
typedef struct cli_member {
    const char *name; /* inside the struct's text */
    size_t length;    /* of the name */
    jr_type type;
    size_t offset, count; /* count: 1, or the elements of the array */
    bool array;
} cli_member;

typedef struct cli_layout {
    size_t bytes, alignment;
    int count; /* members */
    cli_member members[JR_STRUCT_BYTES_MAX];
} cli_layout;

/* Lays out the members of a struct as a compiler does. structure: NULL if there is no struct. False if they are not all
 * numbers of C or arrays of them, or if they do not make the struct's size. */
bool cli_structure_lay_out(const jr_structure *structure, cli_layout *layout);

/* Returns an element of a member of the struct in `bytes`; index: below the member's count. */
jr_value cli_member_value(const cli_member *member, const unsigned char *bytes, size_t index);

/* Writes the struct in `bytes` as "{2, 1.5}", its members in their order; an array as "{1, 2}". Returns false if the
 * layout is not known or the room is too small. */
bool cli_structure_print(const jr_structure *structure, const unsigned char *bytes, char *text, size_t room);

/* Reads what cli_structure_print writes; inner braces may be omitted, as in C. bytes: room for the struct, which is
 * written on success only. Returns false if the layout is not known or the text has not one number per element. */
bool cli_structure_parse(const jr_structure *structure, const char *text, unsigned char *bytes);

/* Finds the name in "struct NAME { ... };" and, where all members are numbers of C or arrays of them, size and
 * alignment as a compiler lays them out; what follows the struct does not matter. */
cli_structure cli_structure_of(const char *text);

/* Compiles a struct whose size its text does not show, and takes size and alignment from there. Does nothing if they
 * are known, or without a struct. Fails where the text does not compile, or there is no NVRTC. */
cli_exit cli_structure_measure(cli_structure *structure, cli_error *error);

#endif
