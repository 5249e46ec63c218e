/* CuPy's arrays by their members: a capsule of their __dlpack__ costs as much as several reductions, and
 * __cuda_array_interface__ as much as one. Memory for results is CuPy's own, of the device and the stream on which it
 * works now; where these are not those of the call, the call is Python's layer's. */
#include "call_cupy.h"

#include <string.h>

#include "words.h"

/* ---- types ---- */

/* The type of a dtype of NumPy's, by its name in the array interface, as "<f4"; JR_TYPE_NONE: it has none. */
static jr_type type_of_text(const char *text) {
    static const char *const texts[] = {
        [JR_I8] = "|i1",  [JR_U8] = "|u1",  [JR_I16] = "<i2", [JR_U16] = "<u2", [JR_I32] = "<i4", [JR_U32] = "<u4",
        [JR_I64] = "<i8", [JR_U64] = "<u8", [JR_F16] = "<f2", [JR_F32] = "<f4", [JR_F64] = "<f8", [JR_BOOL] = "|b1"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i] && strcmp(texts[i], text) == 0) return (jr_type)i;
    return JR_TYPE_NONE;
}

static jr_type read_type(const pj_state *state, PyObject *dtype) {
    PyObject *text = PyObject_GetAttr(dtype, state->names.str);
    const char *utf8 = text && PyUnicode_Check(text) ? PyUnicode_AsUTF8AndSize(text, NULL) : NULL;
    const jr_type type = utf8 ? type_of_text(utf8) : JR_TYPE_NONE;
    Py_XDECREF(text);
    return type;
}

static void keep_dtype(pj_state *state, PyObject *dtype, jr_type type) {
    pj_dtype *place = &state->dtypes[state->dtype_next++ % PJ_DTYPES];
    PyObject *old = place->dtype;
    *place = (pj_dtype){Py_NewRef(dtype), type};
    Py_XDECREF(old);
}

/* The type of a dtype, which is kept, so that its address stays its own. */
static jr_type type_of(pj_state *state, PyObject *dtype) {
    for (int i = 0; i < PJ_DTYPES; i++)
        if (state->dtypes[i].dtype == dtype) return state->dtypes[i].type;
    const jr_type type = read_type(state, dtype);
    if (type != JR_TYPE_NONE) keep_dtype(state, dtype, type);
    return type;
}

/* A dtype of a type: a new reference; NULL: perhaps with an exception. */
static PyObject *dtype_of(pj_state *state, jr_type type) {
    for (int i = 0; i < PJ_DTYPES; i++)
        if (state->dtypes[i].dtype && state->dtypes[i].type == type) return Py_NewRef(state->dtypes[i].dtype);
    PyObject *cupy = PyImport_GetModule(state->names.cupy);
    PyObject *class = cupy ? PyObject_GetAttr(cupy, state->names.dtype) : NULL;
    PyObject *made = class ? PyObject_CallFunction(class, "s", pj_type_word(type)) : NULL;
    if (made) keep_dtype(state, made, type);
    Py_XDECREF(cupy);
    Py_XDECREF(class);
    return made;
}

/* ---- members ---- */

static bool take_sizes(PyObject *object, PyObject *name, int *count, int64_t *sizes) {
    PyObject *tuple = PyObject_GetAttr(object, name);
    bool fine = tuple && Py_TYPE(tuple) == &PyTuple_Type && PyTuple_Size(tuple) <= PJ_FORM_DIMENSIONS;
    *count = fine ? (int)PyTuple_Size(tuple) : 0;
    for (int i = 0; i < *count; i++) sizes[i] = PyLong_AsLongLong(PyTuple_GetItem(tuple, i));
    Py_XDECREF(tuple);
    return fine && !PyErr_Occurred();
}

/* The address of a MemoryPointer, and its device. */
static bool take_pointer(const pj_state *state, PyObject *pointer, char **data, dl_device *device) {
    PyObject *address = PyObject_GetAttr(pointer, state->names.ptr);
    PyObject *number = address ? PyObject_GetAttr(pointer, state->names.device_id) : NULL;
    if (number) {
        *data = PyLong_AsVoidPtr(address);
        *device = (dl_device){DL_CUDA, (int32_t)PyLong_AsLong(number)};
    }
    Py_XDECREF(address);
    Py_XDECREF(number);
    return number && !PyErr_Occurred();
}

static bool take_data(const pj_state *state, PyObject *object, char **data, dl_device *device) {
    PyObject *pointer = PyObject_GetAttr(object, state->names.data);
    bool fine = pointer && take_pointer(state, pointer, data, device);
    Py_XDECREF(pointer);
    return fine;
}

/* Does an array say that it lies in C order? That costs a quarter of what its strides do. */
static bool is_c_ordered(const pj_state *state, PyObject *object) {
    PyObject *told = PyObject_GetAttr(object, state->names.c_contiguous);
    PyErr_Clear();
    Py_XDECREF(told);
    return told == Py_True;
}

static void fill_strides(pj_seen *seen) {
    int64_t natural = 1;
    for (int i = seen->dimensions - 1; i >= 0; natural *= seen->shape[i], i--) seen->strides[i] = natural;
}

/* Strides in elements. */
static bool take_strides(const pj_state *state, jr_type type, pj_seen *seen) {
    const int64_t bytes = (int64_t)jr_type_size(type);
    int count = seen->dimensions;
    if (!take_sizes(seen->object, state->names.strides, &count, seen->strides) || count != seen->dimensions)
        return false;
    for (int i = 0; i < count; i++) {
        if (seen->strides[i] % bytes != 0) return false;
        seen->strides[i] /= bytes;
    }
    return true;
}

/* All elements as one axis: that costs a third of what the shape does. */
static bool take_flat(const pj_state *state, pj_seen *seen) {
    PyObject *size = PyObject_GetAttr(seen->object, state->names.size);
    seen->dimensions = 1;
    seen->shape[0] = size ? PyLong_AsLongLong(size) : -1;
    seen->strides[0] = 1;
    Py_XDECREF(size);
    return seen->shape[0] >= 0;
}

bool pj_cupy_see(pj_state *state, pj_seen *seen, bool flat) {
    PyObject *dtype = PyObject_GetAttr(seen->object, state->names.dtype);
    const jr_type type = dtype ? type_of(state, dtype) : JR_TYPE_NONE;
    Py_XDECREF(dtype);
    if (type == JR_TYPE_NONE || !take_data(state, seen->object, &seen->data, &seen->device)) return false;
    seen->type = pj_exchange_type_of(type);
    const bool in_order = is_c_ordered(state, seen->object);
    if (in_order && flat) return take_flat(state, seen);
    if (!take_sizes(seen->object, state->names.shape, &seen->dimensions, seen->shape)) return false;
    if (!in_order) return take_strides(state, type, seen);
    fill_strides(seen);
    return true;
}

/* ---- memory for results ---- */

void pj_cupy_leave(pj_cupy_places *places) {
    const pj_cupy_places left = *places;
    *places = (pj_cupy_places){.mem = NULL};
    Py_XDECREF(left.mem);
    Py_XDECREF(left.pointer);
    Py_XDECREF(left.shape);
}

static PyObject *tuple_of(int count, const int64_t *sizes, int64_t times) {
    PyObject *tuple = PyTuple_New(count);
    for (int i = 0; tuple && i < count; i++)
        if (PyTuple_SetItem(tuple, i, PyLong_FromLongLong(sizes[i] * times))) Py_CLEAR(tuple);
    return tuple;
}

static PyObject *allocate(const pj_state *state, uint64_t bytes) {
    PyObject *cupy = PyImport_GetModule(state->names.cupy);
    PyObject *cuda = cupy ? PyObject_GetAttr(cupy, state->names.cuda) : NULL;
    PyObject *made = cuda ? PyObject_CallMethod(cuda, "alloc", "K", (unsigned long long)bytes) : NULL;
    Py_XDECREF(cupy);
    Py_XDECREF(cuda);
    return made;
}

/* Takes memory that a MemoryPointer points to. */
static bool take_memory(const pj_state *state, PyObject *pointer, pj_cupy_places *made) {
    dl_device device = {DL_CPU, 0};
    made->mem = PyObject_GetAttr(pointer, state->names.mem);
    PyObject *begin = made->mem ? PyObject_GetAttr(made->mem, state->names.ptr) : NULL;
    made->pointer = Py_NewRef((PyObject *)Py_TYPE(pointer));
    const bool fine = begin && take_pointer(state, pointer, &made->address, &device);
    if (fine) made->offset = (uint64_t)(made->address - (char *)PyLong_AsVoidPtr(begin));
    made->device = device.id;
    Py_XDECREF(begin);
    return fine && !PyErr_Occurred();
}

/* New places, in memory of the device on which CuPy works now. */
static bool make_places(const pj_state *state, const pj_seen *like, const pj_form *form, int count,
                        pj_cupy_places *made) {
    *made = (pj_cupy_places){.stream = like->stream, .count = count};
    PyObject *pointer = allocate(state, (uint64_t)count * pj_places_step(form));
    bool fine = pointer && take_memory(state, pointer, made) && made->device == like->device.id;
    if (fine) made->shape = tuple_of(form->dimensions, form->shape, 1);
    Py_XDECREF(pointer);
    if (made->shape) return true;
    pj_cupy_leave(made);
    return false;
}

bool pj_cupy_reserve(const pj_state *state, const pj_seen *like, const pj_form *form, pj_cupy_places *place) {
    return make_places(state, like, form, 1, place);
}

bool pj_cupy_shape(const pj_form *form, pj_cupy_places *place) {
    PyObject *old = place->shape;
    place->shape = tuple_of(form->dimensions, form->shape, 1);
    Py_DECREF(old);
    return place->shape != NULL;
}

static bool fit(const pj_cupy_places *places, const pj_seen *like) {
    return places->next < places->count && places->stream == like->stream && places->device == like->device.id;
}

/* Per-thread default streams are several streams of one number: what is used on one is not to be used on another. */
static bool may_share(const pj_form *form, jr_stream stream) {
    return form->bytes <= PJ_SHARED_BYTES_MAX && (uintptr_t)stream != 2;
}

/* Takes a place, of those that are left or of new ones: in *one, whose objects the caller lets go of. */
static bool take_place(const pj_state *state, const pj_seen *like, const pj_form *form, pj_cupy_places *places,
                       pj_cupy_places *one) {
    if (!may_share(form, like->stream)) return make_places(state, like, form, 1, one);
    if (!fit(places, like)) {
        pj_cupy_places made;
        const int used = places->next == places->count ? places->count : 0;
        if (!make_places(state, like, form, pj_places_count(form, used), &made)) return false;
        pj_cupy_leave(places);
        *places = made;
    }
    *one = *places;
    Py_INCREF(one->mem);
    Py_INCREF(one->pointer);
    Py_INCREF(one->shape);
    const uint64_t begin = (uint64_t)places->next++ * pj_places_step(form);
    one->address += begin;
    one->offset += begin;
    return true;
}

/* ---- results ---- */

/* Do the results of a part lie in C order? CuPy then gets no strides, and checks none. */
static bool lies_in_order(const pj_form *form, int part) {
    int64_t next = 1;
    for (int i = form->dimensions - 1; i >= 0; next *= form->shape[i], i--)
        if (form->shape[i] != 1 && form->part[part].strides[i] != next) return false;
    return true;
}

/* The array of one part, in a place. */
PyObject *pj_cupy_part(pj_state *state, const pj_seen *like, const pj_form *form, int part,
                       const pj_cupy_places *place) {
    const jr_type type = form->part[part].type;
    PyObject *dtype = dtype_of(state, type);
    PyObject *offset = dtype ? PyLong_FromSize_t(place->offset + form->part[part].offset) : NULL;
    PyObject *pointer = offset ? PyObject_CallFunctionObjArgs(place->pointer, place->mem, offset, NULL) : NULL;
    const bool in_order = lies_in_order(form, part);
    PyObject *strides =
        pointer && !in_order ? tuple_of(form->dimensions, form->part[part].strides, (int64_t)jr_type_size(type)) : NULL;
    PyObject *made = NULL; /* without strides, the arguments end there */
    if (pointer && (strides || in_order))
        made = pj_cupy_new_array(state, Py_TYPE(like->object), &(pj_cupy_new){place->shape, dtype, pointer, strides});
    Py_XDECREF(dtype);
    Py_XDECREF(offset);
    Py_XDECREF(pointer);
    Py_XDECREF(strides);
    return made;
}

/* An array that CuPy makes memory for, too. */
static bool make_alone(pj_state *state, const pj_seen *like, const pj_form *form, PyObject **made, void **address) {
    PyObject *shape = tuple_of(form->dimensions, form->shape, 1), *dtype = dtype_of(state, form->part[0].type);
    PyObject *class = (PyObject *)Py_TYPE(like->object);
    dl_device device = {DL_CPU, 0};
    char *data = NULL;
    *made = shape && dtype ? PyObject_CallFunctionObjArgs(class, shape, dtype, NULL) : NULL;
    const bool fine = *made && take_data(state, *made, &data, &device) && device.id == like->device.id;
    Py_XDECREF(shape);
    Py_XDECREF(dtype);
    if (!fine) Py_CLEAR(*made);
    *address = data;
    return fine;
}

bool pj_cupy_make(pj_state *state, const pj_seen *like, const pj_form *form, pj_cupy_places *places,
                  PyObject *made[PJ_PARTS_MAX], void **address) {
    pj_cupy_places place;
    if (form->plain && !may_share(form, like->stream)) return make_alone(state, like, form, made, address);
    if (!take_place(state, like, form, places, &place)) return false;
    bool fine = true;
    for (int i = 0; i < form->parts; i++) {
        made[i] = fine ? pj_cupy_part(state, like, form, i, &place) : NULL;
        fine = made[i] != NULL;
    }
    *address = place.address;
    pj_cupy_leave(&place);
    for (int i = 0; !fine && i < form->parts; i++) Py_CLEAR(made[i]);
    return fine;
}
