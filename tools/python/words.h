/* What the library says, in the words of Python: its names of types, and the arguments of functions for members of C.
 */
#ifndef PYTHON_WORDS_H
#define PYTHON_WORDS_H

#include "py_module.h"

/* Returns the name that the array API gives a type, "float64" for JR_F64; for others the library's. */
const char *pj_type_word(jr_type type);

/* Returns a message of the library in the words of Python: a new reference, NULL with an exception. */
PyObject *pj_words(const char *message);

#endif
