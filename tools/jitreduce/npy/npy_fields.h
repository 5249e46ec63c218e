/* The fields of a structured type in the header of an .npy file. */
#ifndef CLI_NPY_FIELDS_H
#define CLI_NPY_FIELDS_H

#include "npy_cursor.h"

/* Takes the fields of a structured type, from '[' on: of the one that in->bytes->field names, type and place go into
 * the header. */
cli_exit cli_npy_take_fields(cli_npy_cursor *in);

#endif
