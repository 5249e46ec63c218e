/* Objects that end without the GIL, since others may need it before the device is done. */
#ifndef PYTHON_ENDING_H
#define PYTHON_ENDING_H

#include "py_module.h"

/* Lets go of the GIL; NULL: it is kept. Keeps a raised exception. */
PyThreadState *pj_leave_python(void);

/* Takes back what pj_leave_python let go of. */
void pj_enter_python(PyThreadState *left);

#endif
