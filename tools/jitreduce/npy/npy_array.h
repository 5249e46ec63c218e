/* What the header of an .npy file says of its array. */
#ifndef CLI_NPY_ARRAY_H
#define CLI_NPY_ARRAY_H

#include "base/shape.h"
#include "npy_type.h"

typedef struct cli_npy_header {
    jr_type type;
    bool unnamed;       /* the file does not say which small float its elements are */
    bool swapped;       /* the file's byte order is not this machine's */
    bool fortran_order; /* of an array whose order matters: more than one dimension above 1 */
    cli_shape shape;
    uint64_t count;                    /* elements: the product of the shape */
    uint64_t offset;                   /* of the first element, in bytes from the start of the file */
    uint64_t item_bytes, field_offset; /* from one element to the next, and where in its item it stands: of fields */
} cli_npy_header;

#endif
