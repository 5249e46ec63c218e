/* The arguments that every reduction and scan has. What Python's layer gave is checked as far as memory depends on it.
 */
#include "py_call.h"

#include "words.h"

static bool check_array(const pj_state *state, PyObject *object, int place, jr_type type, bool host) {
    const pj_array *array = (pj_array *)object;
    if (Py_TYPE(object) == state->array && array->type == type && (array->device.type == DL_CPU) == host) return true;
    PyErr_Format(PyExc_TypeError, "array %d is not an Array of %s in %s memory", place, pj_type_word(type),
                 host ? "host" : "device");
    return false;
}

bool pj_call_arrays(const pj_state *state, const pj_spec *wanted, PyObject *arrays, bool host,
                    const void *data[JR_INPUTS_MAX], uint64_t *count) {
    const jr_spec *spec = &wanted->spec;
    int inputs = spec->input_count ? spec->input_count : spec->op == JR_OP_DOT ? 2 : 1;
    if (PyTuple_Size(arrays) != inputs) {
        if (!PyErr_Occurred()) PyErr_Format(PyExc_ValueError, "the reduction takes %d arrays", inputs);
        return false;
    }
    for (int i = 0; i < inputs; i++) {
        pj_array *array = (pj_array *)PyTuple_GetItem(arrays, i);
        jr_type type = i > 0 && spec->more_types[i - 1] ? spec->more_types[i - 1] : spec->type;
        if (!check_array(state, (PyObject *)array, i, type, host)) return false;
        uint64_t elements = pj_array_bytes(array) / jr_type_size(type);
        data[i] = array->address;
        if (spec->row_inputs >> i & 1) continue; /* of one row: pj_call_rows */
        if (i > 0 && elements != *count) {
            PyErr_SetString(PyExc_ValueError, "the arrays have different numbers of elements");
            return false;
        }
        *count = elements;
    }
    return true;
}

bool pj_call_rows(const pj_spec *wanted, PyObject *arrays, uint64_t length) {
    const jr_spec *spec = &wanted->spec;
    for (int i = 1; i < spec->input_count; i++) {
        const pj_array *array = (const pj_array *)PyTuple_GetItem(arrays, i);
        const jr_type type = spec->more_types[i - 1] ? spec->more_types[i - 1] : spec->type;
        if (!(spec->row_inputs >> i & 1) || pj_array_bytes(array) / jr_type_size(type) == length) continue;
        PyErr_Format(PyExc_ValueError, "array %d needs the elements of one row, %llu", i, (unsigned long long)length);
        return false;
    }
    return true;
}

bool pj_call_take(PyObject *module, PyObject *const *args, pj_call *call) {
    const pj_state *state = PyModule_GetState(module);
    if (Py_TYPE(args[0]) != state->context || Py_TYPE(args[1]) != state->spec) {
        PyErr_SetString(PyExc_TypeError, "the first arguments must be a Context and a Spec");
        return false;
    }
    *call = (pj_call){.state = state, .context = ((pj_context *)args[0])->context, .spec = (const pj_spec *)args[1]};
    return pj_call_arrays(state, call->spec, args[2], true, call->data, &call->count);
}

PyObject *pj_call_arguments(const char *function, int wanted, Py_ssize_t given) {
    return PyErr_Format(PyExc_TypeError, "%s takes %d arguments, not %zd", function, wanted, given);
}

int pj_call_sizes(PyObject *tuple, int most, uint64_t *sizes) {
    Py_ssize_t count = PyTuple_Size(tuple);
    if (count > most)
        PyErr_Format(PyExc_ValueError,
                     "%zd axes after merging neighbours; at most %d are possible: reduce some of them first", count,
                     most);
    for (Py_ssize_t i = 0; i < count && !PyErr_Occurred(); i++)
        sizes[i] = PyLong_AsUnsignedLongLong(PyTuple_GetItem(tuple, i));
    return PyErr_Occurred() ? -1 : (int)count;
}
