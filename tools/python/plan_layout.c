/* Takes layouts of plans from Python's layer. */
#include "plan_layout.h"

#include "errors.h"
#include "py_call.h"
#include "py_number.h"

static uint64_t product(const uint64_t *sizes, int count) {
    uint64_t elements = 1;
    for (int i = 0; i < count; i++) elements *= sizes[i];
    return elements;
}

bool pj_strides_axis(PyObject *shape, PyObject *axes, pj_strides *apart) {
    uint64_t numbers[JR_DIMENSIONS_MAX];
    const int dimensions = pj_call_sizes(shape, JR_DIMENSIONS_MAX, apart->shape);
    const int count = dimensions < 0 ? -1 : pj_call_sizes(axes, JR_DIMENSIONS_MAX, numbers);
    for (int i = 0; i < count; i++) {
        if (numbers[i] >= (uint64_t)dimensions) return PyErr_Format(PyExc_ValueError, "there is no such axis") != NULL;
        apart->axes[i] = (int)numbers[i];
    }
    apart->axis = JR_INIT(jr_axis, .shape = apart->shape, .dimensions = dimensions, .axes = apart->axes,
                          .axis_count = (size_t)(count < 0 ? 0 : count));
    return count >= 0;
}

bool pj_plan_layout(pj_plan *made, PyObject *shape, PyObject *axes, pj_strides *apart) {
    if (shape == Py_None) return true;
    if (PyUnicode_Check(shape) && PyUnicode_CompareWithASCIIString(shape, "offsets") == 0) {
        made->layout.kind = JR_SEGMENTS_OFFSETS;
        return true;
    }
    if (PyUnicode_Check(shape) && PyUnicode_CompareWithASCIIString(shape, "arrays") == 0)
        return pj_many_layout(axes, &made->layout);
    if (PyUnicode_Check(shape)) {
        made->layout.kind = JR_SEGMENTS_KEYS;
        return pj_type_find(shape, &made->layout.key_type);
    }
    if (!pj_strides_axis(shape, axes, apart)) return false;
    if (jr_segment_layout_of(&apart->axis, &made->layout, &made->segments))
        return pj_raise(PyType_GetModuleState(Py_TYPE((PyObject *)made))) != NULL;
    made->elements = product(apart->shape, apart->axis.dimensions);
    return true;
}

bool pj_strides_take(PyObject *tuple, pj_strides *apart) {
    if (tuple == Py_None) return true;
    const Py_ssize_t count = PyTuple_Size(tuple);
    if (count > JR_INPUTS_MAX) PyErr_SetString(PyExc_ValueError, "strides of too many arrays");
    for (int i = 0; i < count && !PyErr_Occurred(); i++) {
        PyObject *of = PyTuple_GetItem(tuple, i);
        if (PyTuple_Size(of) != apart->axis.dimensions && !PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "an array needs a stride for each dimension");
        for (int k = 0; k < apart->axis.dimensions && !PyErr_Occurred(); k++)
            apart->numbers[i][k] = PyLong_AsLongLong(PyTuple_GetItem(of, k));
        apart->arrays[i] = apart->numbers[i];
    }
    apart->count = (int)count;
    apart->axis.strides = apart->arrays;
    return !PyErr_Occurred();
}
