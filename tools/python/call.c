/* The arguments that every reduction and scan has. What Python's layer gave is checked as far as memory depends on it.
 */
#include "call.h"

static bool take_arrays(PyObject *arrays, pj_call *call) {
    const jr_spec *spec = &call->spec->spec;
    int wanted = spec->input_count ? spec->input_count : spec->op == JR_OP_DOT ? 2 : 1;
    if (PyTuple_Size(arrays) != wanted) {
        if (!PyErr_Occurred()) PyErr_Format(PyExc_ValueError, "the reduction takes %d arrays", wanted);
        return false;
    }
    for (int i = 0; i < wanted; i++) {
        pj_array *array = (pj_array *)PyTuple_GetItem(arrays, i);
        jr_type type = i > 0 && spec->more_types[i - 1] ? spec->more_types[i - 1] : spec->type;
        if (Py_TYPE((PyObject *)array) != call->state->array || array->type != type) {
            PyErr_Format(PyExc_TypeError, "array %d is no Array of %s", i, jr_type_name(type));
            return false;
        }
        uint64_t count = pj_array_bytes(array) / jr_type_size(type);
        if (i > 0 && count != call->count) {
            PyErr_SetString(PyExc_ValueError, "the arrays have different numbers of elements");
            return false;
        }
        call->data[i] = array->address;
        call->count = count;
    }
    return true;
}

bool pj_call_take(PyObject *module, PyObject *const *args, pj_call *call) {
    const pj_state *state = PyModule_GetState(module);
    if (Py_TYPE(args[0]) != state->context || Py_TYPE(args[1]) != state->spec) {
        PyErr_SetString(PyExc_TypeError, "the first arguments are a Context and a Spec");
        return false;
    }
    *call = (pj_call){.state = state, .context = ((pj_context *)args[0])->context, .spec = (const pj_spec *)args[1]};
    return take_arrays(args[2], call);
}

PyObject *pj_call_arguments(const char *function, int wanted, Py_ssize_t given) {
    return PyErr_Format(PyExc_TypeError, "%s takes %d arguments, not %zd", function, wanted, given);
}

int pj_call_sizes(PyObject *tuple, int most, uint64_t *sizes) {
    Py_ssize_t count = PyTuple_Size(tuple);
    if (count > most) PyErr_Format(PyExc_ValueError, "%zd axes after merging; %d are the most", count, most);
    for (Py_ssize_t i = 0; i < count && !PyErr_Occurred(); i++)
        sizes[i] = PyLong_AsUnsignedLongLong(PyTuple_GetItem(tuple, i));
    return PyErr_Occurred() ? -1 : (int)count;
}
