/* The elements that a reader found, and who owns their memory. */
#ifndef CLI_DATA_H
#define CLI_DATA_H

#include "base/shape.h"
#include "bytes.h"

/* Elements are aligned to their type. They lie in `owned`, or in the bytes they were read from, which must then live as
 * long. type JR_TYPE_NONE: no element was seen and no type was given. */
typedef struct cli_data {
    jr_type type;
    uint64_t count;
    const void *elements;
    void *owned;     /* from malloc, or NULL */
    cli_shape shape; /* of an .npy file */
} cli_data;

/* The short name of a type, "struct" for a struct of the caller's. */
static inline const char *cli_type_name(jr_type type) {
    return type == JR_STRUCT ? "struct" : jr_type_name(type);
}

/* Makes room for count elements of so many bytes: *data becomes owned memory, to be filled through data->owned. */
cli_exit cli_data_create(cli_data *data, jr_type type, size_t element_bytes, uint64_t count, const char *name,
                         cli_error *error);

/* Fails when elements of bool, which begin at byte `offset` of the file called name, hold another byte than 0 and 1. */
cli_exit cli_data_check_bools(const cli_data *data, size_t offset, const char *name, cli_error *error);

/* Frees what the data owns; a zeroed struct is fine. */
void cli_data_free(cli_data *data);

/* Elements appended one at a time to memory that doubles. */
typedef struct cli_vector {
    jr_type type;
    size_t size; /* bytes of an element */
    char *bytes;
    size_t used, capacity; /* bytes */
} cli_vector;

/* Doubles the room when none is left for one more element; false when out of memory. */
bool cli_vector_grow(cli_vector *vector);

/* Likewise, until there is room for so many bytes more. */
bool cli_vector_grow_by(cli_vector *vector, size_t bytes);

/* Gives the elements to data, which owns them. */
void cli_vector_finish(cli_vector *vector, cli_data *data);

#endif
