/* What is wanted (jr_spec) as an object of Python, which keeps the texts and lists that it points to. */
#ifndef PYTHON_SPEC_H
#define PYTHON_SPEC_H

#include "py_module.h"

typedef struct pj_spec {
    PyObject_HEAD jr_spec spec;
    PyObject *texts; /* list of the str whose UTF-8 the spec points to */
    jr_value initial;
    jr_op ops[JR_OPS_MAX];
    jr_parameter parameters[JR_PARAMETERS_MAX];
    jr_structure structure;
    jr_result_layout layout;
} pj_spec;

extern PyType_Spec pj_spec_spec;

#endif
