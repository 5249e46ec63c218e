/* Reductions of all elements of arrays in host memory to numbers. Python runs on meanwhile. */
#include "py_reduce.h"

#include "errors.h"
#include "py_call.h"
#include "py_number.h"

PyObject *pj_reduce(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    pj_call call;
    if (count != 3) return pj_call_arguments("reduce", 3, count);
    if (!pj_call_take(module, args, &call)) return NULL;
    jr_value values[JR_OPS_MAX];
    jr_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = jr_reduce_host_arrays(call.context, &call.spec->spec, call.data, call.count, values);
    Py_END_ALLOW_THREADS;
    if (status) return pj_raise(call.state);
    return pj_numbers_of(call.spec->layout.count, values);
}
