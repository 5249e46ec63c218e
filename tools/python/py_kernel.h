/* A caller's kernel as an object of Python. */
#ifndef PYTHON_KERNEL_H
#define PYTHON_KERNEL_H

#include "py_module.h"

extern PyType_Spec pj_kernel_spec;

#endif
