/* Device memory as an object of Python. */
#ifndef PYTHON_MEMORY_H
#define PYTHON_MEMORY_H

#include "module.h"

extern PyType_Spec pj_memory_spec;

#endif
